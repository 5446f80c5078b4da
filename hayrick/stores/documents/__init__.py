"""The table of record: rows, ids, metadata, embeddings and the operation log, written in one transaction."""
