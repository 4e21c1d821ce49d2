"""The schema history of the events tables."""
