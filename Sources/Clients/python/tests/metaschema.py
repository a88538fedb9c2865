"""Prints what is wrong with the OpenRPC document or the schema on standard input; run with a Python that has jsonschema."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.validators import validator_for

NAMED: dict[str, Any] = {"type": "object", "required": ["name", "schema"], "properties": {"name": {"type": "string", "minLength": 1}}}
REFERENCE: dict[str, Any] = {"type": "object", "required": ["$ref"], "properties": {"$ref": {"type": "string"}}}
EXAMPLE: dict[str, Any] = {"type": "object", "required": ["name", "value"]}
# What the specification of OpenRPC requires, and the notifications that we add.
STRUCTURE: dict[str, Any] = {
    "type": "object",
    "required": ["openrpc", "info", "methods", "components", "x-notifications"],
    "propertyNames": {"pattern": "^(openrpc|info|servers|methods|components|externalDocs|x-.*)$"},
    "properties": {
        "openrpc": {"type": "string", "pattern": r"^1\.[0-9]+\.[0-9]+$"},
        "info": {
            "type": "object",
            "required": ["title", "version"],
            "properties": {"title": {"type": "string"}, "version": {"type": "string"}},
        },
        "methods": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "params", "result"],
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "paramStructure": {"enum": ["by-name", "by-position", "either"]},
                    "params": {"type": "array", "items": {**NAMED, "properties": {**NAMED["properties"], "required": {"type": "boolean"}}}},
                    "result": NAMED,
                    "errors": {"type": "array", "items": REFERENCE},
                    "examples": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name", "params"],
                            "properties": {"params": {"type": "array", "items": EXAMPLE}, "result": EXAMPLE},
                        },
                    },
                },
            },
        },
        "x-notifications": {"type": "array", "items": NAMED},
        "components": {
            "type": "object",
            "properties": {
                "schemas": {"type": "object"},
                "errors": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "required": ["code", "message"],
                        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
                    },
                },
            },
        },
    },
}


def problems(document: Any) -> Iterator[str]:
    if "$schema" in document:
        kind = validator_for(document)
        yield from (described(error, "") for error in kind(kind.META_SCHEMA).iter_errors(document))
        return
    structure = list(Draft7Validator(STRUCTURE).iter_errors(document))
    yield from (described(error, "") for error in structure)
    if structure:
        return
    for place, schema in schemas(document):
        for error in Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(schema):
            yield described(error, place)
    for place, target in references(document):
        if not is_there(document, target):
            yield f"{place}: nothing is at {target}"
    for kind in ("methods", "x-notifications"):
        names = [one["name"] for one in document[kind]]
        yield from (f"{kind}: {name} comes twice" for name in sorted({name for name in names if names.count(name) > 1}))


def schemas(document: Any) -> Iterator[tuple[str, Any]]:
    for method in document["methods"]:
        for part in [*method["params"], method["result"]]:
            yield f"{method['name']}.{part['name']}", part["schema"]
    for notification in document["x-notifications"]:
        yield notification["name"], notification["schema"]
    for name, schema in document["components"]["schemas"].items():
        yield name, schema


def references(value: Any, place: str = "#") -> Iterator[tuple[str, Any]]:
    for name, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if name == "$ref":
            yield place, part
        else:
            yield from references(part, f"{place}/{name}")


def is_there(document: Any, target: Any) -> bool:
    if not isinstance(target, str) or not target.startswith("#/"):
        return False
    for name in target.removeprefix("#/").split("/"):
        if not isinstance(document, dict) or name not in document:
            return False
        document = document[name]
    return True


def described(error: Any, place: str) -> str:
    return "/".join([place, *map(str, error.absolute_path)]) + f": {error.message[:300]}"


if __name__ == "__main__":
    for problem in problems(json.load(sys.stdin)):
        print(problem)
