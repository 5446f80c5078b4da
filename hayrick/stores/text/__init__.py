"""Keyword indexes: text -> ranked row numbers, derived from the document table and kept up to date by its log."""
