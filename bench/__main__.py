"""`python -m bench` runs every measurement there is; `python -m bench NAME …` runs one, with its options."""

import sys
from importlib import import_module

MEASUREMENTS = ("throughput", "live", "library", "events")


def main() -> None:
    names: tuple[str, ...] = MEASUREMENTS
    if len(sys.argv) > 1:
        name = sys.argv.pop(1)
        if name not in MEASUREMENTS:
            raise SystemExit(f"there is no measurement {name}: {', '.join(MEASUREMENTS)}")
        names = (name,)
    for name in names:
        print(f"## {name}")
        import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
