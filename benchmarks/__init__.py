"""Benchmarks: ratios against the raw engine, both measured in one run."""
