"""The answers about datasets of CKAN portals."""
