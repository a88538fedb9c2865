"""Writes a program's manual pages (mdoc(7)) into a folder: PROGRAM.1 or, for a service, PROGRAM.8, from its argument
parser's description and the sections of config/man/PROGRAM; and PROGRAM.toml.5, from its example of a configuration file.

The sections of a program that runs until it is stopped are made from lines `name: text`: `variable`, `file` and `socket` (a
name and what it is), `end` and `reload` (what a signal does), `success` and `failure` (what the exit status means), `see`
(another project's page) and `copyright`. Sections in mdoc may follow.

usage: manual.py PROGRAM SECTIONS EXAMPLE.toml FOLDER    without an example, '', there is no page of settings
"""

import datetime
import json
import os
import re
import subprocess
import sys
import textwrap

# Options of every command, which are described once.
COMMON = {"socket", "session", "json", "version", "help"}
# Programs that people start themselves; the others are services, whose pages are in section 8.
TOOLS = {"pixelboop", "pixelboop-nsm"}


def text(words):
    """A paragraph of running text."""
    words = words.replace("\\", "\\e")
    # A hyphen that begins a word is an option's, and must be one when it is copied from the page.
    words = re.sub(r"(?<![\w])-(?=[-\w])|(?<=\\-)-", r"\\-", words).replace("\\--", "\\-\\-")
    # Each sentence begins a line, by which mdoc recognizes the end of the one before.
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
    """`Fl h`, `Fl -help`: the short first, and the negation last. Names with capitals, the protocol's, are left out."""
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
    """Its purpose, its values and its default."""
    words = argument.get("abstract", "")
    values = argument.get("allValues") or []
    if values and not all(value in words for value in values):
        words += f" One of {', '.join(values)}."
    default = argument.get("defaultValue")
    if default and "efault" not in words:
        words += f" Default: {default}."
    return text(words)


def shown(command, hidden=frozenset()):
    """The arguments that help shows; a flag and its `--no-` are one, because they are one setting."""
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
    """Each command and its subcommands under their whole names: `slot`, `slot launch`, `slot copy`."""
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
    """Today, or the date that a reproducible build sets."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.date.fromtimestamp(int(seconds)) if seconds else datetime.date.today()
    return f"{day:%B} {day.day}, {day.year}"


def section(program):
    return "1" if program in TOOLS else "8"


def settings(program, example):
    """The page of a configuration file: `# What it is for.` and `# key = value` of the example, one paragraph each."""
    head, *rows = re.split(r"\n\s*\n", example.strip())
    yield f".Dd {date()}"
    yield f".Dt {program.upper()}.TOML 5"
    yield ".Os"
    yield f".Sh NAME\n.Nm {program}.toml\n.Nd configuration of {program}"
    yield f".Sh SYNOPSIS\n.Pa $XDG_CONFIG_HOME/pixelboop/{program}.toml\n.Pa /etc/pixelboop/{program}.toml"
    yield ".Sh DESCRIPTION\nA file in TOML; the first of these that exists is read."
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


def variable(program, name):
    return f"{'pixelboop' if program == 'pixelboopd' else program}-{name}".upper().replace("-", "_")


def items(title, rows):
    yield f".Sh {title}"
    yield ".Bl -tag -width indent"
    for head, words in rows:
        yield f".It {head}"
        yield text(words)
    yield ".El"


def service(program, page, lines):
    """The sections of a program that runs until it is stopped."""
    facts = dict(lines)

    def named(kind):
        return [words.split(" ", 1) for fact, words in lines if fact == kind]

    # The settings are the flags from socket to log-level; other flags come before and after.
    flags = [name(argument) for argument in shown(page)]
    variables = [variable(program, flag) for flag in flags[flags.index("socket") : flags.index("log-level") + 1]]
    if "socket" not in facts:
        variables[0] = "PIXELBOOP_SOCKET"
    files = [
        (f"$XDG_CONFIG_HOME/pixelboop/{program}.toml", f"The configuration, else /etc/pixelboop/{program}.toml."),
        *(named("socket") or [("$XDG_RUNTIME_DIR/pixelboop/control.sock", "The daemon's control socket.")]),
        *named("file"),
    ]
    folders = sorted(set(re.findall(r"XDG_\w+", str(files))))
    yield from items(
        "ENVIRONMENT",
        [
            ("Ev " + " , ".join(variables), "The settings."),
            (f"Ev {variable(program, 'config')}", "The configuration file, unless --config names one."),
            ("Ev " + " , ".join(folders), "Where files are, as below."),
            *((f"Ev {own}", words) for own, words in named("variable")),
        ],
    )
    yield from items("FILES", [(f"Pa {path}", words) for path, words in files])
    signals = [("Dv SIGTERM , SIGINT" + ("" if "reload" in facts else " , SIGHUP"), facts["end"])]
    if "reload" in facts:
        signals.append(("Dv SIGHUP", facts["reload"]))
    yield from items("SIGNALS", signals)
    yield from items(
        "EXIT STATUS",
        [
            ("0", facts.get("success", "It was ended by a signal.")),
            ("1", facts.get("failure", "It could not run.")),
            ("64", "The command line is wrong."),
            ("78", "The configuration is wrong."),
        ],
    )


def closing(program, lines, programs):
    """SEE ALSO, with all our programs in the pages of pixelboopd and pixelboop, and these two in the others; COPYRIGHT."""
    central = {"pixelboop", "pixelboopd"}
    pages = [(section(name), name) for name in (programs if program in central else central) if name != program]
    pages += [tuple(reversed(words.split())) for fact, words in lines if fact == "see"]
    yield ".Sh SEE ALSO"
    yield " ,\n".join(f".Xr {name} {number}" for number, name in sorted(pages))
    for fact, words in lines:
        if fact == "copyright":
            yield ".Sh COPYRIGHT\n" + text(words)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    program, sections, example, folder = sys.argv[1:]
    page = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
    program, page = os.path.basename(program), json.loads(page)["command"]
    with open(sections, encoding="utf-8") as file:
        facts, mark, own = file.read().rstrip("\n").partition(".Sh ")
    lines = [line.split(": ", 1) for line in facts.splitlines()]
    parts = [*manual(program, page), *(service(program, page, lines) if lines else [])]
    parts += [mark + own] if own else []
    programs = os.listdir(os.path.dirname(sections))
    write(f"{folder}/{program}.{section(program)}", [*parts, *closing(program, lines, programs)])
    if example:
        with open(example, encoding="utf-8") as file:
            write(f"{folder}/{program}.toml.5", settings(program, file.read()))


if __name__ == "__main__":
    main()
