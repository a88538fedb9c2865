"""Finds the code blocks of the documentation, and classifies them."""

import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
RULES = tomllib.loads((TOP / "scripts/lib/commands.toml").read_text())
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(page.relative_to(TOP)) for page in TOP.glob("docs/*.md")),
         "docs/examples/README.md", "Sources/Clients/python/README.md"]


@dataclass
class Block:
    """Consecutive lines of a page: a fenced block, or indented lines up to an empty one."""

    page: str
    line: int
    language: str
    lines: list[str]
    section: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str | None:
        """The path of the file whose content the block is, where it begins with a comment that says so."""
        found = re.fullmatch(r"# ([~/]\S+)", self.lines[0])
        return found[1] if found and len(self.lines) > 1 else None

    @property
    def shown(self) -> str | None:
        """What the block shows, if there is nothing to type in it."""
        if self.language:
            return RULES["languages"].get(self.language)
        if self.lines[0].startswith(("> ", "< ", "$ ")):
            return "a transcript"
        if self.lines[0].startswith("{"):
            return "a message"
        text = "\n".join(self.lines)
        return next((shown["what"] for shown in RULES["shown"] if re.search(shown["text"], text)), None)


@dataclass
class Command:
    """A command with all its lines, without the comment after it, and the rules that apply to it."""

    block: Block
    text: str
    comment: str
    reason: str | None = field(init=False)
    stays: dict[str, str] | None = field(init=False)
    typed: str = field(init=False)

    def __post_init__(self) -> None:
        def rule(kind: str, text: str) -> dict[str, str] | None:
            return next((rule for rule in RULES[kind] if re.match(rule["command"], text)), None)

        self.reason = (rule("not-run", self.text) or {}).get("reason")
        self.typed = self.text
        for stand_in in RULES["stand-in"]:
            self.typed = re.sub(stand_in["command"], stand_in["run"], self.typed)
        self.stays = rule("stays", self.typed)

    @property
    def is_known(self) -> bool:
        words = re.sub(r"^(sudo (-u \w+ )?)?(\w+=\S* )*", "", self.text)
        word = words.split(maxsplit=1)[0] if words else ""
        return bool(self.reason or re.fullmatch(r"\w+=.*", self.text) or re.fullmatch(RULES["programs"], word))


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    language: str | None = None
    section = before = ""
    open_block: Block | None = None
    for number, line in enumerate((TOP / page).read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            language = None if language is not None else line.strip()[3:]
            open_block = None
            if language is not None:
                open_block = Block(page, number, language or "text", [], section)
                found.append(open_block)
        elif language is not None:
            assert open_block
            open_block.lines.append(line)
        elif line.startswith("    ") and (open_block or not before.strip()):
            if not open_block:
                open_block = Block(page, number, "", [], section)
                found.append(open_block)
            open_block.lines.append(line)
        else:
            open_block = None
            if line.startswith("#"):
                section = line.lstrip("# ")
        before = line
    for block in found:
        indent = min((len(line) - len(line.lstrip()) for line in block.lines if line.strip()), default=0)
        block.lines = [line[indent:] for line in block.lines]
    return found


def commands(block: Block) -> list[Command]:
    """The block's commands; lines of JSON after socat are its input."""
    found: list[Command] = []
    lines = list(block.lines)
    while lines:
        text = lines.pop(0)
        if text.startswith("for "):
            while not text.endswith("\ndone"):
                text += "\n" + lines.pop(0)
        while lines and is_open(text):
            text += "\n" + lines.pop(0)
        typed = []
        while lines and lines[0].startswith("{"):
            typed.append(lines.pop(0))
        text, comment = split_comment(text)
        if typed:
            text = "printf '%s\\n' " + " ".join(f"'{line}'" for line in typed) + " | " + text.replace("socat", "socat -t 1")
        if text:
            found.append(Command(block, text, comment))
    return found


def is_open(text: str) -> bool:
    """Whether a command continues on the next line."""
    return text.endswith("\\") or split_comment(text)[0].count("'") % 2 == 1


def split_comment(line: str) -> tuple[str, str]:
    found = re.search(r"(^|\s+)# ?((?:(?!').)*)$", line)
    return (line[:found.start()], found[2]) if found else (line, "")


def faults(page: str) -> list[str]:
    """Blocks and commands that are neither shown, nor a file, nor something that bash can parse."""
    found = []
    for block in blocks(page):
        if block.shown or block.file:
            continue
        if block.language:
            found.append(f"{block.place}: no rule for ```{block.language}")
            continue
        for command in commands(block):
            syntax = subprocess.run(["bash", "-n"], input=command.text, capture_output=True, text=True)
            if not command.is_known:
                found.append(f"{block.place}: neither shown nor a known command: {command.text}")
            elif syntax.returncode:
                found.append(f"{block.place}: bash cannot read {command.text}: {syntax.stderr.strip()}")
    return found
