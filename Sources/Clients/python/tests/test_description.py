"""docs/openrpc.json and docs/pattern.schema.json describe what the daemon does."""

from __future__ import annotations

import copy
import json
import pathlib
import random
import sys
import types
import warnings
from typing import Any

import pixelboop
import pixelboop.methods

from .schema import problems
from .stage import REPOSITORY, DaemonTest

DOCUMENT = json.loads((REPOSITORY / "docs/openrpc.json").read_text())
PATTERN = json.loads((REPOSITORY / "docs/pattern.schema.json").read_text())
COLUMNS = [column for column in range(4, 39) if column not in (12, 21, 30)]
DRUMS = [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56]
# Errors that a schema cannot express.
BEYOND_SCHEMAS = ["comes twice on step", "a second melody note", "this slot plays"]
WRONG: list[Any] = [
    None, True, "", "x", "C#", "a/b", ".x", "bell\u0007", "long" * 70, -1, 0, 1, 2, 7, 9, 12, 33, 60, 4.0, 0.6, 1e9, [], {}, [1],
]


class DescriptionTests(DaemonTest):
    async def test_the_methods_in_python_are_those_of_the_description(self) -> None:
        sys.path.insert(0, str(REPOSITORY / "Sources/Clients/python"))
        import generate

        self.assertEqual(pathlib.Path(pixelboop.methods.__file__).read_text(), generate.generated(DOCUMENT))

    async def test_what_is_deprecated_warns(self) -> None:
        document = copy.deepcopy(DOCUMENT)
        described = {method["name"]: method for method in document["methods"]}
        described["ping"]["deprecated"] = True
        tempo = described["tempo.set"]
        tempo["params"].append({"name": "fast", "summary": "Use `bpm`.", "required": False, "deprecated": True, "schema": {"type": "boolean"}})
        document["x-notifications"][3]["deprecated"] = True
        sys.path.insert(0, str(REPOSITORY / "Sources/Clients/python"))
        import generate

        planted: Any = types.ModuleType("planted")
        planted.__package__ = "pixelboop"
        exec(generate.generated(document), planted.__dict__)

        class Methods(planted.Methods):  # type: ignore[misc]
            async def call(self, method: str, /, **parameters: Any) -> Any:
                return {}

            async def _follow(self, topic: str, max_fps: int | None = None) -> Any:
                return None

        methods = Methods()
        with self.assertWarnsRegex(DeprecationWarning, "^ping is deprecated. ") as warned:
            await methods.ping()
        self.assertEqual(warned.filename, __file__)
        with self.assertWarnsRegex(DeprecationWarning, "^tempo.set: fast is deprecated. Use `bpm`.$"):
            await methods.tempo.set(bpm=120, fast=True)
        with self.assertWarnsRegex(DeprecationWarning, "^the topic step is deprecated. "):
            await methods.follow("step")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            await methods.tempo.set(bpm=120)
            await methods.follow("state")
            await self.boop.ping()

    async def test_the_daemon_describes_itself_so(self) -> None:
        self.assertEqual(await self.boop.call("rpc.discover"), DOCUMENT)

    async def test_every_method_answers_its_example_as_described(self) -> None:
        await self.boop.library.save(name="groove")
        for method in DOCUMENT["methods"]:
            # The examples before may have changed the scale.
            await self.boop.pattern.new()
            example = method["examples"][0]
            parameters = {parameter["name"]: parameter["value"] for parameter in example["params"]}
            for parameter in method["params"]:
                if parameter["name"] in parameters:
                    given = parameters[parameter["name"]]
                    self.assertEqual(problems(given, parameter["schema"], DOCUMENT, method["name"]), [])
            if "path" in parameters:
                parameters["path"] = str(self.folder / parameters["path"].rsplit("/", 1)[-1])
            schema = method["result"]["schema"]
            if "result" in example:
                self.assertEqual(problems(example["result"]["value"], schema, DOCUMENT, method["name"]), [])
            refusals = [DOCUMENT["components"]["errors"][error["$ref"].rsplit("/", 1)[-1]] for error in method.get("errors", [])]
            try:
                result = await self.boop.call(method["name"], **parameters)
            except pixelboop.CallError as error:
                self.assertIn(error.code, [refusal["code"] for refusal in refusals], f"{method['name']}: {error}")
            else:
                self.assertEqual(problems(result, schema, DOCUMENT, method["name"]), [])

    async def test_examples_of_notifications_are_as_described(self) -> None:
        self.assertEqual(len(DOCUMENT["x-notifications"]), 16)
        for notification in DOCUMENT["x-notifications"]:
            for example in notification["examples"]:
                self.assertEqual(problems(example, notification["schema"], DOCUMENT, notification["name"]), [])

    async def test_notifications_are_as_described(self) -> None:
        described = {notification["name"]: notification["schema"] for notification in DOCUMENT["x-notifications"]}
        topics = ["frame", "state", "step", "launch", "tooltip", "scope", "library", "labels", "take"]
        followed = {topic: await self.boop._follow(topic) for topic in topics}
        await self.boop.touch(touch=1, phase="down", x=4.5, y=4.5)
        await self.boop.touch(touch=1, phase="up", x=4.5, y=4.5)
        await self.boop.library.save(name="groove")
        await self.boop.slot.launch(track="bass", slot=2)
        await self.boop.transport.play()
        for topic, subscription in followed.items():
            self.assertEqual(problems(await self.next(subscription), described[topic], DOCUMENT, topic), [])


class PatternSchemaTests(DaemonTest):
    async def test_the_schema_accepts_what_the_daemon_loads_and_nothing_else(self) -> None:
        chance = random.Random(30)
        accepted = refused = 0
        for _ in range(600):
            pattern = random_pattern(chance)
            if chance.random() < 0.7:
                spoil(pattern, chance)
            found = problems(pattern, PATTERN, PATTERN)
            try:
                await self.boop.pattern.set(pattern=pattern)
            except pixelboop.CallError as error:
                if not any(words in str(error) for words in BEYOND_SCHEMAS):
                    self.assertNotEqual(found, [], f"{error}: {json.dumps(pattern)}")
                refused += 1
            else:
                self.assertEqual(found, [], json.dumps(pattern))
                accepted += 1
        self.assertGreater(accepted, 150)
        self.assertGreater(refused, 150)

    async def test_what_the_daemon_writes_is_a_pattern(self) -> None:
        chance = random.Random(31)
        for _ in range(50):
            await self.boop.pattern.set(pattern=random_pattern(chance))
            self.assertEqual(problems(await self.boop.pattern.get(), PATTERN, PATTERN), [])


def random_pattern(chance: random.Random) -> Any:
    """A pattern that also follows the rules that schemas cannot express."""
    pattern: dict[str, Any] = {
        "version": 1, "name": "random", "created": "2026-01-02T12:34:56Z", "bpm": chance.uniform(20, 300),
        "scale": chance.choice(["major", "minor", "penta"]), "rootNote": chance.choice(["C", "F#", "B"]),
        "length": chance.randint(8, 32), "swing": chance.uniform(0.5, 0.75),
        "tracks": {track: {"type": track, "notes": notes(track, chance)} for track in ("melody", "chords", "bass", "rhythm")},
        "playing": {"melody": 1, "bass": 1},
        "slots": {"bass": {str(chance.randint(2, 8)): {"notes": notes("bass", chance)}}},
        "sounds": {
            "melody": {"tone": chance.uniform(-24, 24), "preset": "Lead"}, "rhythm": {"kit": "808"},
            "reverb": {"time": chance.uniform(0.3, 8)}, "delay": {"steps": chance.randint(1, 16)},
        },
    }
    for name in chance.sample(sorted(pattern), chance.randint(0, 4)):
        if name != "tracks":
            del pattern[name]
    return pattern


def notes(track: str, chance: random.Random) -> list[dict[str, Any]]:
    pitches = {"melody": range(60, 72), "chords": range(48, 60), "bass": range(36, 48), "rhythm": DRUMS}[track]
    return [
        {
            "col": column, "row": 4, "pitch": chance.choice(list(pitches)),
            "velocity": chance.choice(["normal", "accent", "sustain"]),
        }
        for column in chance.sample(COLUMNS, chance.randint(0, 5))
    ]


def spoil(pattern: Any, chance: random.Random) -> None:
    """Replaces or removes one member or element, anywhere."""
    places: list[tuple[Any, Any]] = []

    def visit(value: Any) -> None:
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            # A playing slot must not be among the others, and nothing reads `row`.
            if key not in ("playing", "row"):
                places.append((value, key))
                if isinstance(value[key], (dict, list)):
                    visit(value[key])

    visit(pattern)
    holder, key = chance.choice(places)
    if chance.random() < 0.15:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(chance.choice(WRONG))
