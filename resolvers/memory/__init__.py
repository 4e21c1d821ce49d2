"""The answers of the memory room."""
