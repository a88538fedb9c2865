"""docs/openrpc.json and docs/pattern.schema.json are valid by the rules of OpenRPC and JSON Schema."""

from __future__ import annotations

import copy
import json
import pathlib
import subprocess
import unittest
from collections.abc import Callable
from typing import Any

from .stage import REPOSITORY

DOCUMENT = json.loads((REPOSITORY / "docs/openrpc.json").read_text())
PATTERN = json.loads((REPOSITORY / "docs/pattern.schema.json").read_text())


def problems(document: Any) -> list[str]:
    """With the system's Python, because the environment of the tests has nothing but the package."""
    program = pathlib.Path(__file__).with_name("metaschema.py")
    check = subprocess.run(
        ["/usr/bin/python3", program], input=json.dumps(document), stdout=subprocess.PIPE, text=True, check=True)
    return check.stdout.splitlines()


class MetaschemaTests(unittest.TestCase):
    def test_the_document_and_all_of_its_schemas_are_valid(self) -> None:
        self.assertEqual(problems(DOCUMENT), [])

    def test_the_schema_of_patterns_is_valid(self) -> None:
        self.assertEqual(problems(PATTERN), [])
        self.assertNotEqual(problems({**PATTERN, "required": ["tracks", "tracks"]}), [])

    def test_what_is_wrong_is_found(self) -> None:
        def state(document: Any) -> Any:
            return document["components"]["schemas"]["State"]

        method: Callable[[Any], Any] = lambda document: document["methods"][0]
        planted: list[tuple[str, Callable[[Any], Any]]] = [
            ("non-unique elements", lambda it: state(it)["required"].append(state(it)["required"][0])),
            ("is not valid under any", lambda it: state(it).update(type="record")),
            ("is not of type", lambda it: method(it)["result"].update(schema={"minimum": "1"})),
            ("nothing is at", lambda it: method(it)["result"].update(schema={"$ref": "#/components/schemas/Nowhere"})),
            ("'params' is a required property", lambda it: method(it).pop("params")),
            ("comes twice", lambda it: it["methods"].append(method(it))),
        ]
        for problem, plant in planted:
            with self.subTest(problem):
                document = copy.deepcopy(DOCUMENT)
                plant(document)
                found = problems(document)
                self.assertEqual([one for one in found if problem not in one], [])
                self.assertNotEqual(found, [])
