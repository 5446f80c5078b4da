# `make` alone lists what there is. Needs only make and a Python of 3.11 or newer; everything else goes into .venv*.

# The extras, with commas between, that `make test` installs; an engine's tests need its extra here.
EXTRAS := dev

# PYTHON=python3.13 chooses the interpreter for environments not made yet.
export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# What another version or another way of installing can hardly break is left to the full run.
SHORT := --ignore=tests/robustness

DEMO := .venv
TEST := .venv-test
LOWEST := .venv-lowest
WHEEL := .venv-wheel

.DELETE_ON_ERROR:
.PHONY: help demo test lint format mypy pytest exhaustive bench lowest wheel-test clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(DEMO)/.installed ## install the light core and run hayrick's demonstration
	$(DEMO)/bin/hayrick demo

test: lint pytest wheel-test lowest ## everything that must pass before a change lands

lint: $(TEST)/.installed ## ruff and mypy
	$(TEST)/bin/ruff check .
	$(TEST)/bin/ruff format --check .
	$(TEST)/bin/mypy

format: $(TEST)/.installed ## let ruff lay out the code and mend what it can
	$(TEST)/bin/ruff check --fix .
	$(TEST)/bin/ruff format .

pytest: $(TEST)/.installed ## the test suite; ARGS="-k name" narrows it
	$(TEST)/bin/python -m pytest $(ARGS)

exhaustive: $(TEST)/.installed ## every property with 20,000 examples, and the tests that run for minutes
	HAYRICK_EXAMPLES=$(or $(HAYRICK_EXAMPLES),20000) $(TEST)/bin/python -m pytest -m "exhaustive or hypothesis" $(ARGS)

bench: $(TEST)/.installed ## the whole performance report
	$(TEST)/bin/python benchmarks/all.py

lowest: $(LOWEST)/.installed ## the tests, with the lowest versions that pyproject.toml declares
	HAYRICK_EXAMPLES=$(or $(HAYRICK_EXAMPLES),30) $(LOWEST)/bin/python -m pytest -q $(SHORT) $(ARGS)

# The tests run from a copy beside no package, so that only the installed wheel can be imported.
wheel-test: $(TEST)/.installed $(WHEEL)/.tools ## build the wheel, install it, and test what was installed
	rm -rf build/wheel build/elsewhere
	mkdir -p build/elsewhere
	$(TEST)/bin/python -m build --wheel --no-isolation --outdir build/wheel . >build/wheel.log 2>&1 || { cat build/wheel.log; exit 1; }
	$(WHEEL)/bin/python -m pip install -q --no-deps --force-reinstall build/wheel/*.whl
	cp -R tests pyproject.toml build/elsewhere/
	cd build/elsewhere && ../../$(WHEEL)/bin/python -I ../../.ci/smoke.py
	cd build/elsewhere && HAYRICK_EXAMPLES=$(or $(HAYRICK_EXAMPLES),30) \
	    ../../$(WHEEL)/bin/python -m pytest -q $(SHORT) -m "not exhaustive and not checkout and not data"

clean: ## remove environments, builds and caches
	rm -rf .venv $(TEST) $(LOWEST) $(WHEEL) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# A stamp is newer than pyproject.toml when its environment fits it; a change there installs again.
$(DEMO)/.installed: pyproject.toml .ci/make-venv
	.ci/make-venv $(DEMO)
	$(DEMO)/bin/python -m pip install -q -e .
	@touch $@

$(TEST)/.installed: pyproject.toml constraints.txt .ci/make-venv Makefile
	.ci/make-venv $(TEST)
	$(TEST)/bin/python -m pip install -q -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

$(LOWEST)/.installed: pyproject.toml .ci/lowest.py .ci/make-venv
	.ci/make-venv $(LOWEST)
	$(LOWEST)/bin/python .ci/lowest.py >$(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install -q -c $(LOWEST)/lowest.txt -e '.[test]'
	@touch $@

# hayrick itself is taken out again: wheel-test puts the wheel in.
$(WHEEL)/.tools: pyproject.toml constraints.txt .ci/make-venv
	.ci/make-venv $(WHEEL)
	$(WHEEL)/bin/python -m pip install -q -c constraints.txt '.[test]'
	$(WHEEL)/bin/python -m pip uninstall -q -y hayrick
	@touch $@
