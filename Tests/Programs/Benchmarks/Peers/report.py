"""Tables for docs/benchmarks.md, and the file that all benchmarks append to."""

import json
import os
import statistics
import subprocess
import time

from programs import Missing


class Figures:
    """What was measured of several programs, a list of values for each column; the first program is what the others are
    compared with."""

    def __init__(self, benchmark, title, unit):
        self.benchmark, self.title, self.unit = benchmark, title, unit
        self.values, self.left_out = {}, {}

    def measure(self, name, take):
        """Adds the values that `take` returns, by column; a program that cannot be measured is left out from then on."""
        if name in self.left_out:
            return
        try:
            for column, value in take().items():
                self.values.setdefault(name, {}).setdefault(column, []).append(value)
        except (Missing, OSError, subprocess.SubprocessError) as reason:
            self.left_out[name] = reason
            self.values.pop(name, None)

    def report(self):
        """Prints a Markdown table: the median, the least in brackets, and how many times the first program's median."""
        columns = list(dict.fromkeys(column for figures in self.values.values() for column in figures))
        print(f"\n{self.title}\n\n| {self.unit} | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
        first = next(iter(self.values.values()), {})
        for name, figures in self.values.items():
            print(f"| {name} | " + " | ".join(cell(figures.get(column), first.get(column)) for column in columns) + " |")
            for column, values in figures.items():
                record(self.benchmark, f"{name}, {column}", statistics.median(values), self.unit, len(values))
        for name, reason in self.left_out.items():
            print(f"\n{name} is left out: {reason}")


def cell(values, first):
    if not values:
        return ""
    median = statistics.median(values)
    ratio = f", x {median / statistics.median(first):.2f}" if first and first is not values and any(first) else ""
    return f"{median:.1f} ({min(values):.1f}{ratio})"


def record(benchmark, name, value, unit, runs):
    """Appends a line to the file that the other benchmarks append to, too."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = os.environ.get("PIXELBOOP_BENCH_RESULTS") or f"{state}/pixelboop/bench.jsonl"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    line = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "benchmark": f"peers {benchmark}",
            "loadAverage": os.getloadavg()[0], "program": name, "value": value, "unit": unit, "runs": runs}
    with open(path, "a") as file:
        file.write(json.dumps(line) + "\n")
