"""Turns a page into the scripts that type it: one for each login, because some commands need a new one."""

import re
import shlex
from dataclasses import dataclass

from pages import RULES, Block, Command, blocks, commands

# run NUMBER <<COMMAND runs a command in the shell that all commands of a login share; stay NUMBER NAME SIGN <<COMMAND starts one
# that keeps running, and waits until it prints the sign. Each answers with a line: @ NUMBER STATUS
DRIVER = r"""
logs=/tmp/check
mkdir -p $logs
declare -A running
# Nobody can be asked whether missing packages may be installed.
export PIXELBOOP_INSTALL=1

run() {
    local command
    command=$(cat)
    eval "$command" >"$logs/$1" 2>&1 </dev/null
    echo "@ $1 $?"
    # Units of Type=simple count as started before they are ready; people are slower.
    [[ $command != *systemctl* ]] || sleep 2
}

stay() {
    local command tries process
    command=$(cat)
    end "${running[$2]:-}"
    # Its standard input stays open, although nobody types.
    setsid bash -c "$command" >"$logs/$1" 2>&1 < <(exec sleep infinity) &
    process=$! running[$2]=$!
    for ((tries = 0; tries < 2000; tries++)); do
        kill -0 $process 2>/dev/null || break
        if if [[ $3 ]]; then grep -sqE -- "$3" "$logs/$1"; else ((tries == 20)); fi; then
            echo "@ $1 0"
            return
        fi
        sleep 0.1
    done
    echo "it ended, or never printed '$3'" >>"$logs/$1"
    echo "@ $1 1"
}

end() { [[ ! $1 ]] || { kill -- "-$1" && wait "$1"; } 2>/dev/null; }
end_all() { for name in "${!running[@]}"; do end "${running[$name]}"; done; }
trap end_all EXIT
"""


@dataclass
class Item:
    """Something that is typed: a command, a file of the page with its check, or what readers have before a section."""

    place: str
    text: str
    kind: str = "command"
    name: str = ""
    sign: str = ""
    ends_login: bool = False

    def line(self, number: int) -> str:
        # What systemd starts replaces what was started by hand.
        ends = re.findall(r"(\S+)\.service", self.text) if "systemctl" in self.text else []
        first = "".join(f'end "${{running[{name}]:-}}"\n' for name in ends)
        verb = f"stay {number} {self.name} {shlex.quote(self.sign)}" if self.name else f"run {number}"
        return f"{first}{verb} <<'TYPED'\n{self.text}\nTYPED\n"


def of_command(command: Command, place: str) -> Item:
    item = Item(place, command.typed, ends_login="log out" in command.comment)
    if command.stays:
        words = [word for word in command.typed.split() if word != "pw-jack"]
        item.name, item.sign = words[0].replace("/", "-"), command.stays["until"]
    return item


def of_file(block: Block) -> list[Item]:
    """Writes a file of the page; a unit, or a part of one, is also checked by systemd."""
    path = block.file or ""
    root = "" if path.startswith("~") else "sudo "
    typed = "\n".join(block.lines)
    for stand_in in RULES["stand-in"]:
        typed = re.sub(stand_in["command"], stand_in["run"], typed)
    items = [Item(block.place, f"{root}mkdir -p {path.rsplit('/', 1)[0]} && {root}tee {path} >/dev/null <<'CONTENT'\n{typed}\nCONTENT", "file")]
    if unit := re.search(r"/([\w@-]+\.service)(\.d/|$)", path):
        scope = "--user" if "/user/" in path else "--system"
        name = unit[1].replace("@.", "@1000.")
        items.append(Item(block.place, f'said=$(systemd-analyze {scope} --man=no verify {name} 2>&1); echo "$said"; [[ ! $said ]]', "unit"))
    return items


def items(page: str) -> tuple[list[Item], list[Command]]:
    """What is typed of a page, and the commands that are not."""
    found: list[Item] = []
    left: list[Command] = []
    sections = dict(RULES["given"].get(page, {}).get("sections", {}))
    for block in blocks(page):
        for text in sections.pop(block.section, []):
            for command in commands(Block(page, 0, "", [text], "")):
                item = of_command(command, f"{page}: before {block.section}")
                item.kind = "given"
                found.append(item)
        if block.shown:
            continue
        if block.file:
            found += of_file(block)
            continue
        for command in commands(block):
            if command.reason:
                left.append(command)
            else:
                found.append(of_command(command, block.place))
    return found, left


def scripts(typed: list[Item], folder: str) -> list[str]:
    """The scripts of a page's logins."""
    texts = [""]
    for number, item in enumerate(typed):
        texts[-1] += item.line(number)
        if item.ends_login:
            texts.append("")
    return [DRIVER + f"cd {folder}\n" + text for text in texts if text]
