"""Whole processes, timed beside kubectl in one run. `python -m benchmarks`, or `./build.sh bench`."""
