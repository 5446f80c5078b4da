"""Metadata columns: filter -> row set, in memory, derived from the document table and kept up to date by its log."""
