"""The doors: everything that speaks a protocol to the outside."""
