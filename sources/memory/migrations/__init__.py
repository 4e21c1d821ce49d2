"""The schema history of the memory tables."""
