"""Batch functions of the datasets room: none, since CKAN sends what belongs to a dataset along with it."""
