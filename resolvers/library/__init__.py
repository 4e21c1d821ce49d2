"""The answers about documents, categories and concepts."""
