"""Writes a program's manual page (mdoc(7)): what its argument parser knows of it, and the sections of config/man/PROGRAM.

usage: manual.py PROGRAM SECTIONS > PAGE.1
"""

import datetime
import json
import os
import re
import subprocess
import sys
import textwrap

# What every command takes is described once.
COMMON = {"socket", "session", "json", "version", "help"}


def text(words):
    """A paragraph of running text."""
    words = words.replace("\\", "\\e")
    # A hyphen that begins a word is an option's, to be copied as such.
    words = re.sub(r"(?<![\w])-(?=[-\w])|(?<=\\-)-", r"\\-", words).replace("\\--", "\\-\\-")
    # Each sentence begins a line: so mdoc knows its end.
    sentences = re.split(r"(?<=[.:!?]) +(?=[A-Z])", words)
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 78, break_on_hyphens=False)]
    return "\n".join("\\&" + line if line[0] in ".'" else line for line in lines)


def paragraphs(words):
    """Paragraphs, with lines that are indented as they are."""
    for part in re.split(r"\n\s*\n", words.strip()):
        if part.startswith("Exit codes:"):
            continue
        lines = part.split("\n")
        if any(line.startswith("  ") for line in lines):
            yield ".Bd -literal -offset indent\n" + "\n".join(text(line.strip()) for line in lines) + "\n.Ed"
        else:
            yield ".Pp\n" + text(" ".join(lines))


def name(argument):
    return argument.get("preferredName", {}).get("name", argument.get("valueName"))


def spelling(argument):
    """`Fl -socket Ar path`, `Ar file`"""
    value = f"Ar {argument['valueName']}"
    if argument["kind"] == "positional":
        return value
    names = [
        f"Fl {entry['name']}" if entry["kind"] == "short" else f"Fl -{entry['name']}" for entry in argument["names"]
    ]
    return " , ".join(sorted(names)) + (f" {value}" if argument["kind"] == "option" else "")


def usage(argument):
    """The argument as part of a synopsis."""
    words = spelling(argument).split(" , ")[0] + (" ..." if argument["isRepeating"] else "")
    return f".Op {words}" if argument["isOptional"] else f".{words}"


def description(argument):
    """What it is for, what it may be, and what it is if nobody says."""
    words = argument.get("abstract", "")
    values = argument.get("allValues") or []
    if values and not all(value in words for value in values):
        words += f" One of {', '.join(values)}."
    default = argument.get("defaultValue")
    if default and "efault" not in words:
        words += f" Default: {default}."
    return text(words)


def shown(command, hidden=frozenset()):
    return [
        argument
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and name(argument) not in hidden
    ]


def options(arguments):
    if not arguments:
        return
    yield ".Bl -tag -width indent"
    for argument in arguments:
        yield f".It {spelling(argument)}"
        yield description(argument)
    yield ".El"


def commands(program, page):
    yield ".Sh COMMANDS"
    for command in page["subcommands"]:
        if command["commandName"] == "help":
            continue
        yield f".Ss {command['commandName']}"
        yield f".Nm {program}"
        yield f".Cm {command['commandName']}"
        arguments = shown(command, COMMON)
        takes = {name(argument) for argument in shown(command)}
        if "json" in takes:
            yield ".Op Fl -json"
        yield from map(usage, arguments)
        yield from paragraphs(command.get("abstract", "") + "\n\n" + command.get("discussion", ""))
        yield from options(arguments)


def date():
    """Today, or the day that reproducible builds ask for."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.date.fromtimestamp(int(seconds)) if seconds else datetime.date.today()
    return f"{day:%B} {day.day}, {day.year}"


def manual(program, page):
    has_commands = any(command["commandName"] != "help" for command in page.get("subcommands", []))
    yield f".Dd {date()}"
    yield f".Dt {program.upper()} 1"
    yield ".Os"
    yield ".Sh NAME"
    yield f".Nm {program}"
    yield ".Nd " + text(page["abstract"].rstrip("."))
    yield ".Sh SYNOPSIS"
    yield ".Nm"
    if has_commands:
        yield ".Op Fl -socket Ar path | Fl -session Ar name"
        yield ".Ar command"
        yield ".Op Ar argument ..."
    else:
        yield from map(usage, shown(page, {"version", "help"}))
    for single in ("version", "help"):
        yield ".Nm"
        yield f".Fl -{single}"
    yield ".Sh DESCRIPTION"
    yield "\n".join(paragraphs(page.get("discussion", ""))).removeprefix(".Pp\n")
    yield ".Sh OPTIONS"
    if has_commands:
        yield "Before the command or after it:"
        shared = [
            next(a for c in page["subcommands"] for a in shown(c) if name(a) == word)
            for word in ("socket", "session", "json")
        ]
        yield from options([*shared[:2], *shown(page), shared[2]])
        yield from commands(program, page)
    else:
        yield from options(shown(page))


def main():
    program, sections = sys.argv[1:]
    page = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
    for lines in manual(os.path.basename(program), json.loads(page)["command"]):
        print(lines)
    with open(sections, encoding="utf-8") as file:
        print(file.read(), end="")


if __name__ == "__main__":
    main()
