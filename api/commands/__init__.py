"""What each command of `loregraph` does."""
