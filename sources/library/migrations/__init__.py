"""The schema history of the library tables."""
