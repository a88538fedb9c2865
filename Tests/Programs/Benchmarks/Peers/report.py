"""Tables, and the file that all benchmarks append to."""

import json
import os
import statistics
import time


class Table:
    """Prints a table, whose first row the others are compared with, and records it."""

    def __init__(self, benchmark, title, unit, left_out):
        self.benchmark, self.unit = benchmark, unit
        print(f"\n{title}")
        for name, reason in left_out.items():
            print(f"  {name:32} left out: {reason}")

    def add(self, figures):
        first = None
        for name, values in figures.items():
            value = statistics.median(values)
            first = value if first is None else first
            ratio = f"{value / first:8.2f}" if first else " " * 8
            spread = f"({min(values):.1f} to {max(values):.1f}, {len(values)} values)"
            print(f"  {name:32} {value:10.1f} {self.unit:6} {ratio}  {spread}")
            record(self.benchmark, name, value, self.unit, len(values))


def record(benchmark, name, value, unit, runs):
    """Appends a line to the file that the other benchmarks append to, too."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = os.environ.get("PIXELBOOP_BENCH_RESULTS") or f"{state}/pixelboop/bench.jsonl"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    line = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "benchmark": f"peers {benchmark}",
            "loadAverage": os.getloadavg()[0], "program": name, "value": value, "unit": unit, "runs": runs}
    with open(path, "a") as file:
        file.write(json.dumps(line) + "\n")
