"""Speed, always as a ratio of two things measured in one run on one machine."""
