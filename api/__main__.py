"""`python -m api` is the command `loregraph`."""

from api.cli import main

main()
