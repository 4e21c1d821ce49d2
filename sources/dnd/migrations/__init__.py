"""The schema history of the D&D tables."""
