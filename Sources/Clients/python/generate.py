#!/usr/bin/env python3
"""Writes the methods of the Python package from the description of the protocol, when the package is built (setup.py)."""

from __future__ import annotations

import json
import keyword
import textwrap
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
# In a copy of this folder alone it lies beside this file.
SOURCES = [FOLDER / "openrpc.json", FOLDER.parent.parent.parent / "docs" / "openrpc.json"]

HEADER = '''\
"""The methods and notifications of the control socket. Written by generate.py from openrpc.json."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, overload

from .subscription import Subscription
'''

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Types:
    """The types of schemas, each object's defined once under a name."""

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def of(self, schema: dict[str, Any], name: str, array: str = "list") -> str:
        """The type of a schema's values; `name` is for an object that has none."""
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[-1]
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(python_text, schema['enum']))}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(SCALARS[part] for part in kind)
        if kind == "array":
            return f"{array}[{self.of(schema.get('items', {}), name + 'Item', array)}]"
        if kind == "object":
            return self.object(schema, name)
        return SCALARS.get(str(kind), "Any")

    def object(self, schema: dict[str, Any], name: str) -> str:
        if schema.get("maxProperties") == 0:
            return "None"
        if "properties" not in schema:
            inner = schema.get("additionalProperties")
            return f"dict[str, {self.of(inner, name + 'Value') if inner else 'Any'}]"
        key = json.dumps(schema, sort_keys=True)
        if key not in self.names:
            self.define(name, schema)
            self.names[key] = name
        return self.names[key]

    def define(self, name: str, schema: dict[str, Any]) -> None:
        required = schema.get("required", [])
        members = []
        for member, value in schema["properties"].items():
            type = self.of(value, name + capitalised(member))
            members.append((member, type if member in required else f"NotRequired[{type}]"))
        assert name not in self.definitions, name
        if any(not is_plain(member) for member, _ in members):
            inside = ", ".join(f'"{member}": {quoted(type)}' for member, type in members)
            self.definitions[name] = f'{name} = TypedDict("{name}", {{{inside}}})\n'
        else:
            lines = [f"    {member}: {type}\n" for member, type in members] or ["    pass\n"]
            self.definitions[name] = f"class {name}(TypedDict):\n" + "".join(lines)


def quoted(type: str) -> str:
    """A quoted type, as a call's types are evaluated on import but may be defined further below."""
    if type.startswith("NotRequired["):
        return f"NotRequired[{json.dumps(type[12:-1])}]"
    return json.dumps(type)


def python_text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def capitalised(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.replace("_", ".").split("."))


def is_plain(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def argument(name: str) -> str:
    """The name in Python: `from_`, `max_fps`."""
    snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)
    return snake if is_plain(snake) else snake + "_"


def words(described: dict[str, Any]) -> str:
    return ("Deprecated. " if described.get("deprecated") else "") + str(described["summary"])


def warning(name: str, described: dict[str, Any]) -> str:
    text = json.dumps(f"{name} is deprecated. " + described["summary"], ensure_ascii=False)
    return f"warnings.warn({text}, DeprecationWarning, stacklevel=2)\n"


def documentation(method: dict[str, Any]) -> str:
    lines = textwrap.wrap(words(method), 104)
    if method["params"]:
        lines.append("")
    for parameter in method["params"]:
        unit = parameter["schema"].get("x-unit")
        text = words(parameter) + (f" In {unit}." if unit and unit not in parameter["summary"] else "")
        lines += textwrap.wrap(f"{argument(parameter['name'])}: {text}", 104, subsequent_indent="    ")
    return '        """' + "\n        ".join(lines).replace("        \n", "\n") + '"""\n'


def function(method: dict[str, Any], types: Types) -> str:
    full = method["name"]
    name = full.rsplit(".", 1)[-1]
    parameters = []
    for parameter in sorted(method["params"], key=lambda parameter: not parameter["required"]):
        base = capitalised(full) + capitalised(parameter["name"])
        type = types.of(parameter["schema"], base, array="Sequence")
        parameters.append(
            f"{argument(parameter['name'])}: {type}" if parameter["required"]
            else f"{argument(parameter['name'])}: {type} | None = None")
    result = types.of(method["result"]["schema"], capitalised(full) + "Result")
    if result.startswith("list["):
        # In the class `list` may be a method.
        alias = capitalised(full) + "Results"
        types.definitions.setdefault(alias, f"{alias} = {result}\n")
        result = alias
    star = "*, " if parameters else ""
    head = f"    async def {argument(name)}(self{', ' if parameters else ''}{star}{', '.join(parameters)}) -> {result}:\n"
    if len(head) > 120:
        inside = "".join(f"        {part},\n" for part in ["self", "*", *parameters])
        head = f"    async def {argument(name)}(\n{inside}    ) -> {result}:\n"
    caller = "self" if "." not in full else "self._methods"
    if parameters:
        given = ", ".join(f'"{p["name"]}": {argument(p["name"])}' for p in method["params"])
        call = f'{caller}._checked("{full}", {{{given}}})'
    else:
        call = f'{caller}._checked("{full}", {{}})'
    body = f"        await {call}\n" if result == "None" else f"        result: {result} = await {call}\n        return result\n"
    warnings = "        " + warning(full, method) if method.get("deprecated") else ""
    for parameter in method["params"]:
        if parameter.get("deprecated"):
            name = argument(parameter["name"])
            warnings += f"        if {name} is not None:\n            " + warning(f"{full}: {name}", parameter)
    return head + documentation(method) + warnings + body


def generated(document: dict[str, Any]) -> str:
    types = Types()
    for name, schema in document["components"]["schemas"].items():
        types.define(name, schema)
    events = []
    deprecated = ""
    for notification in document["x-notifications"]:
        schema, name = notification["schema"], notification["name"]
        type = types.of(schema, capitalised(name) + "Event")
        if "topic" in notification:
            events.append((name, type))
            if notification.get("deprecated"):
                deprecated += f'        if topic == "{name}":\n            ' + warning(f"the topic {name}", notification)
    groups: dict[str, list[str]] = {}
    for method in document["methods"]:
        group = method["name"].rsplit(".", 1)[0] if "." in method["name"] else ""
        groups.setdefault(group, []).append(function(method, types))
    text = HEADER
    for definition in types.definitions.values():
        text += ("\n\n" if definition.startswith("class") else "\n") + definition
    for group, functions in groups.items():
        if group:
            text += f"\n\nclass {capitalised(group)}Methods:\n    \"\"\"`{group}.*`\"\"\"\n\n"
            text += "    def __init__(self, methods: Methods) -> None:\n        self._methods = methods\n\n"
            text += "\n".join(functions)
    text += '\n\nclass Methods(ABC):\n    """All methods, in an attribute for each subject."""\n\n    def __init__(self) -> None:\n'
    for group in filter(None, groups):
        text += f"        self.{argument(group)} = {capitalised(group)}Methods(self)\n"
    text += '''
    @abstractmethod
    async def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method by its name, and returns its result."""

    @abstractmethod
    async def _follow(self, topic: str, max_fps: int | None = None) -> Subscription[Any]: ...

    async def _checked(self, method: str, parameters: dict[str, Any]) -> Any:
        given = {name: value for name, value in parameters.items() if value is not None}
        return await self.call(method, **given)

'''
    text += "\n".join(groups[""])
    for name, type in events:
        text += f'''
    @overload
    async def follow(self, topic: Literal["{name}"], *, max_fps: int | None = None) -> Subscription[{type}]: ...
'''
    text += '''
    async def follow(self, topic: str, *, max_fps: int | None = None) -> Subscription[Any]:
        """Subscribes to a topic, and returns an iterator over its notifications from now on."""
''' + deprecated + '''\
        return await self._follow(topic, max_fps)
'''
    if "warnings.warn(" in text:
        text = text.replace("from abc import", "import warnings\nfrom abc import", 1)
    return text


def write(target: Path) -> None:
    """Writes the module."""
    for source in SOURCES:
        if source.exists():
            target.write_text(generated(json.loads(source.read_text())))
            return
    raise FileNotFoundError(f"openrpc.json is neither in {' nor in '.join(str(source.parent) for source in SOURCES)}")
