"""Chooses the suites that a change is nearest to, for scripts/test --near.

The modules of the files that differ from the last commit (or if none does, from the commit before it), and the modules that
import those directly; of both, the suites that test them. Suites in real time and those further away are left out.

usage: near.py suites REALTIME   prints the suites' names
       near.py report REALTIME   prints what is run and what is left out, and why

REALTIME is a regular expression of suites in real time, as scripts/test has it.
"""

import json
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def changed_files():
    """The paths of the files that differ from the last commit, or of those that it changed."""
    files = output("git", "diff", "--name-only", "HEAD").split("\n")
    files += output("git", "ls-files", "--others", "--exclude-standard").split("\n")
    return [file for file in files if file] or output("git", "diff", "--name-only", "HEAD~1").split()


def dependencies(target):
    names = [next(iter(kind.values()))[0] for kind in target["dependencies"]]
    return {name for name in names if isinstance(name, str)}


def main():
    purpose, realtime = sys.argv[1:]
    targets = {target["name"]: target for target in json.loads(output("swift", "package", "dump-package"))["targets"]}

    def folder(target):
        return target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}"

    files = changed_files()
    # Of nested folders the inner one.
    folders = sorted(((folder(target), name) for name, target in targets.items()), reverse=True)
    changed = set()
    elsewhere = []
    for file in files:
        name = next((name for path, name in folders if file.startswith(path + "/")), None)
        if name:
            changed.add(name)
        elif file == "Package.swift":
            changed |= targets.keys()
        else:
            elsewhere.append(file)
    importers = {name for name, target in targets.items() if dependencies(target) & changed}
    near = changed | importers

    def is_near(suite):
        module = suite.removesuffix("Tests")
        return suite in changed or (module in near if module in targets else suite in importers)

    suites = {name for name, target in targets.items() if target["type"] == "test" and is_near(name)}
    late = {name for name in suites if re.search(realtime, f"{name}.")}
    others = {name for name, target in targets.items() if target["type"] == "test"} - suites
    if purpose == "suites":
        print(" ".join(sorted(suites - late)))
        return
    print("changed:", ", ".join(sorted(changed)) or "no module")
    print("suites:", ", ".join(sorted(suites - late)) or "none")
    print("left out, in real time:", ", ".join(sorted(late)) or "none")
    print("left out, further away:", ", ".join(sorted(others)) or "none")
    print("left out: the page, Python, documentation, sanitizers, real-time rules, pictures")
    if elsewhere:
        print("not in a module:", ", ".join(elsewhere))


main()
