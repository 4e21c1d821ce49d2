"""`python -m bench` runs every measurement there is."""

from bench.throughput import main

if __name__ == "__main__":
    main()
