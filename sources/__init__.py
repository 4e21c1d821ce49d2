"""The shelves: how each source is reached and what its records are. No GraphQL, no paging policy."""
