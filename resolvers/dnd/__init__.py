"""The answers of the D&D room."""
