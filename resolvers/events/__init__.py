"""The answers about events."""
