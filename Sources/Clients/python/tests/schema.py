"""The part of JSON Schema that the descriptions use."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any


def problems(value: Any, schema: dict[str, Any], document: dict[str, Any], place: str = "value") -> list[str]:
    """The problems with a value; none if it conforms to the schema."""
    if "$ref" in schema:
        target: Any = document
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return problems(value, target, document, place)
    found = [f"{place}: {rule}" for rule, is_kept in rules(value, schema, document) if not is_kept]
    if isinstance(value, dict):
        for name, member in value.items():
            if name in schema.get("properties", {}):
                found += problems(member, schema["properties"][name], document, f"{place}.{name}")
            elif "additionalProperties" in schema:
                found += problems(member, schema["additionalProperties"], document, f"{place}.{name}")
            if "propertyNames" in schema:
                found += problems(name, schema["propertyNames"], document, f"{place}.{name}")
    if isinstance(value, list) and "items" in schema:
        for index, element in enumerate(value):
            found += problems(element, schema["items"], document, f"{place}[{index}]")
    return found


def rules(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> list[tuple[str, bool]]:
    kept: list[tuple[str, bool]] = []
    types = schema.get("type", [])
    if types:
        kept.append((f"type {types}", any(is_of(value, name) for name in ([types] if isinstance(types, str) else types))))
    if "const" in schema:
        kept.append(("const", same(value, schema["const"])))
    if "enum" in schema:
        kept.append(("enum", any(same(value, one) for one in schema["enum"])))
    if "not" in schema:
        kept.append(("not", bool(problems(value, schema["not"], document))))
    if is_of(value, "number"):
        kept.append(("range", schema.get("minimum", value) <= value <= schema.get("maximum", value)))
    if isinstance(value, str):
        kept.append(("length", schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))))
        kept.append(("pattern", bool(re.search(schema.get("pattern", ""), value))))
        kept.append(("date", schema.get("format") != "date-time" or is_date(value)))
    if isinstance(value, list):
        kept.append(("size", schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))))
        kept.append(("unique", not schema.get("uniqueItems") or len(set(map(repr, value))) == len(value)))
    if isinstance(value, dict):
        kept.append(("required", all(name in value for name in schema.get("required", []))))
        kept.append(("size", len(value) <= schema.get("maxProperties", len(value))))
    return kept


def is_of(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    kinds: dict[str, Any] = {
        "string": str, "number": (int, float), "object": dict, "array": list, "null": type(None), "boolean": bool,
    }
    return isinstance(value, kinds[name])


def same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def is_date(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None and "T" in text
    except ValueError:
        return False
