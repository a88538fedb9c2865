"""Writes a program's manual pages (mdoc(7)) into a folder: PROGRAM.1 or, for a service, PROGRAM.8, of what its argument
parser knows of it and of the sections of config/man/PROGRAM; and PROGRAM.toml.5, of its example of a configuration file.

For a program that works beside the daemon these are made of lines `name: text`: `file` (a path and what it is), `end` (what a
signal does), `success` (what the exit status 0 means) and `copyright`.

usage: manual.py PROGRAM SECTIONS EXAMPLE.toml FOLDER    without an example, '', there is no page of settings
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
# What people start themselves; all else is a service, which has its page in section 8.
TOOLS = {"pixelboop", "pixelboop-nsm"}


def text(words):
    """A paragraph of running text."""
    words = words.replace("\\", "\\e")
    # A hyphen that begins a word is an option's, to be copied as such.
    words = re.sub(r"(?<![\w])-(?=[-\w])|(?<=\\-)-", r"\\-", words).replace("\\--", "\\-\\-")
    # Each sentence begins a line: so mdoc knows its end.
    sentences = re.split(r"(?<=[.:!?]) +(?=[A-Z])", words)
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 78, break_on_hyphens=False)]
    return "\n".join("\\&" + line if line[0] in ".'" else line for line in lines)


def typed(words):
    """Something to type, as one argument of a macro."""
    return '"' + text(words).replace("\n", " ").replace('"', "\\(dq") + '"'


def paragraphs(words):
    """Paragraphs; lines of examples are `COMMAND   what it does`."""
    for part in re.split(r"\n\s*\n", words.strip()):
        if part.startswith("Exit codes:"):
            continue
        lines = part.split("\n")
        if any("   " in line for line in lines):
            yield ".Bl -tag -width indent"
            for command, *explanation in (re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines):
                yield f".It Ic {typed(command)}"
                yield from map(text, explanation)
            yield ".El"
        else:
            yield ".Pp\n" + text(" ".join(lines))


def name(argument):
    return argument.get("preferredName", {}).get("name", argument.get("valueName"))


def spelling(argument):
    """`Fl -socket Ar path`, `Ar file`"""
    value = f"Ar {argument['valueName']}"
    if argument["kind"] == "positional":
        return value
    return " , ".join(flags(argument)) + (f" {value}" if argument["kind"] == "option" else "")


def flags(argument):
    """`Fl h`, `Fl -help`: the short first, and the negation last. Names with capitals are the protocol's, for who knows those."""
    names = [
        f"Fl {entry['name']}" if entry["kind"] == "short" else f"Fl -{entry['name']}"
        for entry in argument["names"]
        if entry["name"].islower()
    ]
    return sorted(names, key=lambda name: (name.startswith("Fl -"), name.startswith("Fl -no-"), name))


def usage(argument):
    """The argument as part of a synopsis."""
    words = spelling(argument)
    if argument["kind"] != "positional":
        names = flags(argument)
        both = " | ".join(names[-2:]) if names[-1].startswith("Fl -no-") else names[0]
        words = both + words.removeprefix(" , ".join(names))
    words += " ..." if argument["isRepeating"] else ""
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
    """The arguments that help shows; a flag and its `--no-` are one, as the settings that they stand for."""
    arguments = [
        argument
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and name(argument) not in hidden
    ]
    named = {name(argument): argument for argument in arguments}
    negations = [argument for argument in arguments if name(argument).removeprefix("no-") in named.keys() - {name(argument)}]
    for argument in negations:
        positive = named[name(argument).removeprefix("no-")]
        if argument["names"][0] not in positive["names"]:
            positive["names"] += argument["names"]
            positive["abstract"] = positive.get("abstract") or argument.get("abstract", "")
    return [argument for argument in arguments if argument not in negations]


def options(arguments):
    if not arguments:
        return
    yield ".Bl -tag -width indent"
    for argument in arguments:
        yield f".It {spelling(argument)}"
        yield description(argument)
    yield ".El"


def all_commands(page, above=""):
    """Each command under its whole name, and those that it has: `slot`, `slot launch`, `slot copy`."""
    for command in page.get("subcommands", []):
        if command["commandName"] == "help":
            continue
        whole = above + command["commandName"]
        yield whole, command
        for below, subcommand in all_commands(command, whole + " "):
            isDefault = subcommand["commandName"] == command.get("defaultSubcommand")
            yield below, subcommand | {"mayBeLeftOut": isDefault}


def commands(program, page):
    yield ".Sh COMMANDS"
    for whole, command in all_commands(page):
        first, _, last = whole.rpartition(" ")
        yield f".Ss {whole}"
        yield f".Nm {program}"
        yield f".Cm {first}\n.Op Cm {last}" if command.get("mayBeLeftOut") else f".Cm {whole}"
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


def section(program):
    return 1 if program in TOOLS else 8


def settings(program, example):
    """The page of a configuration file: `# What it is for.` and `# key = value` of the example, one paragraph each."""
    head, *rows = re.split(r"\n\s*\n", example.strip())
    yield f".Dd {date()}"
    yield f".Dt {program.upper()}.TOML 5"
    yield ".Os"
    yield f".Sh NAME\n.Nm {program}.toml\n.Nd configuration of {program}"
    yield f".Sh SYNOPSIS\n.Pa $XDG_CONFIG_HOME/pixelboop/{program}.toml\n.Pa /etc/pixelboop/{program}.toml"
    yield ".Sh DESCRIPTION\nA file in TOML, of which the first that is there is read."
    yield text(f"Every key is also a flag of {program} and a variable of the environment: flags win, then the environment, "
               f"then the file. {program} --example-config prints a file with every key, {program} --check-config what is "
               "in force, and where it comes from.")
    yield ".Bl -tag -width indent"
    for row in rows:
        *comment, example = [line.removeprefix("# ") for line in row.split("\n")]
        key, value = example.split(" = ", 1)
        quoted = value.replace('"', "\\(dq")
        yield f".It Ic {key} No = Ar {quoted}"
        yield text(" ".join(comment))
    yield ".El"
    yield f".Sh SEE ALSO\n.Xr {program} {section(program)}"


def manual(program, page):
    has_commands = any(command["commandName"] != "help" for command in page.get("subcommands", []))
    yield f".Dd {date()}"
    yield f".Dt {program.upper()} {section(program)}"
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


def variables(program, page):
    """The variables of the environment: one for each setting, of which the log's is the last; other flags stand around them."""
    flags = [name(argument) for argument in shown(page)]
    flags = flags[flags.index("socket") : flags.index("log-level") + 1]
    return ["PIXELBOOP_SOCKET" if flag == "socket" else f"{program}-{flag}".upper().replace("-", "_") for flag in flags]


def items(title, rows):
    yield f".Sh {title}"
    yield ".Bl -tag -width indent"
    for head, words in rows:
        yield f".It {head}"
        yield text(words)
    yield ".El"


def companion(program, page, facts):
    """The sections of a program that works beside the daemon."""
    folders = "XDG_CONFIG_HOME , XDG_RUNTIME_DIR" + (" , XDG_STATE_HOME" if "file" in facts else "")
    yield from items(
        "ENVIRONMENT",
        [
            ("Ev " + " , ".join(variables(program, page)), "The settings."),
            (f"Ev {program.upper().replace('-', '_')}_CONFIG", "The configuration file, unless --config names one."),
            (f"Ev {folders}", "Where files are, as below."),
        ],
    )
    files = [
        (f"Pa $XDG_CONFIG_HOME/pixelboop/{program}.toml", f"The configuration, else /etc/pixelboop/{program}.toml."),
        ("Pa $XDG_RUNTIME_DIR/pixelboop/control.sock", "The daemon's control socket."),
    ]
    if "file" in facts:
        path, words = facts["file"].split(" ", 1)
        files.append((f"Pa {path}", words))
    yield from items("FILES", files)
    yield from items("SIGNALS", [("Dv SIGTERM , SIGINT , SIGHUP", facts["end"])])
    yield from items(
        "EXIT STATUS",
        [
            ("0", facts.get("success", "It was ended by a signal.")),
            ("1", "It could not run."),
            ("64", "The command line is wrong."),
            ("78", "The configuration is wrong."),
        ],
    )
    yield ".Sh SEE ALSO\n.Xr pixelboop 1 ,\n.Xr pixelboopd 1"
    if "copyright" in facts:
        yield ".Sh COPYRIGHT\n" + text(facts["copyright"])


def write(path, lines):
    """Writes a page, in which our own programs are referred to by their sections."""
    words = "\n".join(lines)
    words = re.sub(r"^(\.Xr (pixelboop\S*)) 1\b", lambda match: f"{match[1]} {section(match[2])}", words, flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(words.rstrip("\n") + "\n")


def main():
    program, sections, example, folder = sys.argv[1:]
    page = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
    program, page = os.path.basename(program), json.loads(page)["command"]
    with open(sections, encoding="utf-8") as file:
        own = file.read()
    if not own.startswith(".Sh"):
        own = "\n".join(companion(program, page, dict(line.split(": ", 1) for line in own.splitlines())))
    write(f"{folder}/{program}.{section(program)}", [*manual(program, page), own])
    if example:
        with open(example, encoding="utf-8") as file:
            write(f"{folder}/{program}.toml.5", settings(program, file.read()))


if __name__ == "__main__":
    main()
