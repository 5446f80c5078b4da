"""``python -m hayrick.cli``: the command ``hayrick``."""

from hayrick.cli import main

if __name__ == "__main__":
    main()
