"""The client does what its documentation says, with a real daemon."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import pathlib
import random
import signal
import socket
import tempfile
import unittest
import unittest.mock

import pixelboop
from pixelboop.client import merged
from pixelboop.paths import find_socket

from .stage import DaemonTest


class CallTests(DaemonTest):
    async def test_methods_return_what_the_daemon_says(self) -> None:
        self.assertEqual(await self.boop.tempo.set(bpm=96), {"bpm": 96})
        self.assertEqual((await self.boop.state.get())["bpm"], 96)
        await self.boop.slot.copy(track="bass", from_=1, to=2)
        assert self.boop.welcome
        self.assertEqual(self.boop.welcome["protocol"], 1)

    async def test_a_refusal_says_what_was_wrong(self) -> None:
        with self.assertRaises(pixelboop.CallError) as refusal:
            await self.boop.tempo.set(bpm=1000)
        self.assertEqual(refusal.exception.code, -32602)
        self.assertEqual(refusal.exception.data["parameter"], "bpm")

    async def test_what_json_cannot_hold_is_refused_before_it_is_sent(self) -> None:
        for value in [float("nan"), os.fsdecode(b"/tmp/\xff.mid")]:
            with self.assertRaises(ValueError):
                await asyncio.wait_for(self.boop.call("export.midi", path=value), 60)
        await asyncio.wait_for(self.boop.ping(), 60)

    async def test_calls_side_by_side_get_their_own_answers(self) -> None:
        tempos = [20 + tempo / 4 for tempo in range(1000)]
        answers = await asyncio.gather(*(self.boop.tempo.set(bpm=bpm) for bpm in tempos))
        self.assertEqual([answer["bpm"] for answer in answers], tempos)

    async def test_the_name_is_told(self) -> None:
        names = [client["name"] for client in (await self.boop.stats.get())["clients"]]
        self.assertEqual(names, ["tests"])

    async def test_a_touch_may_go_unanswered(self) -> None:
        await self.boop.notify("touch", touch=1, phase="down", x=4.5, y=4.5)
        outcome = await self.boop.touch(touch=1, phase="up", x=4.5, y=4.5)
        self.assertEqual((outcome["gesture"], outcome["notes"]), ("tap", 1))


class FollowTests(DaemonTest):
    async def test_steps_come_in_their_order(self) -> None:
        steps = await self.boop.follow("step")
        await self.boop.transport.play()
        self.assertEqual([(await self.next(steps))["step"] for _ in range(4)], [0, 1, 2, 3])

    async def test_the_settings_are_kept_up_to_date(self) -> None:
        changes = await self.boop.follow("state")
        await self.boop.track.set(track="bass", gain=-6)
        while self.boop.settings != await self.boop.state.get():
            await self.next(changes)
        assert self.boop.settings
        self.assertEqual(self.boop.settings["tracks"]["bass"]["gain"], -6)

    async def test_a_picture_made_of_diffs_is_the_daemons(self) -> None:
        picture = await self.boop.watch(max_fps=240)
        frames = await self.boop.follow("frame")
        chance = random.Random(30)
        for _ in range(50):
            await self.boop.note.set(
                track=chance.choice(["melody", "chords", "bass", "rhythm"]), step=chance.randrange(32),
                note=chance.choice([0, 2, 4, 7, 9]), velocity=chance.choice(["off", "normal", "accent"]))
        while picture.cells != (await self.boop.frame.get())["rgb"]:
            await self.next(frames)
        self.assertGreater(picture[1, 0], 0)

    async def test_a_watch_outlives_a_subscription_that_ends_while_it_begins(self) -> None:
        frames = await self.boop.follow("frame")
        watching = asyncio.create_task(self.boop.watch())
        await asyncio.sleep(0)  # Until it waits for its answer.
        frames.close()
        picture = await watching
        await self.boop.note.set(track="bass", step=0, note=0, velocity="accent")
        async with asyncio.timeout(60):
            while picture.cells != (await self.boop.frame.get())["rgb"]:
                pass

    async def test_who_follows_no_longer_is_sent_nothing(self) -> None:
        steps = await self.boop.follow("step")
        steps.close()
        with self.assertRaises(StopAsyncIteration):
            await anext(steps)
        again = await self.boop.follow("step")
        await self.boop.transport.play()
        self.assertEqual((await self.next(again))["step"], 0)

    async def test_the_oldest_are_dropped_where_nobody_takes_them(self) -> None:
        changes = await self.boop.follow("library")
        for number in range(changes.limit + 5):
            changes._send({})
        self.assertEqual(changes.dropped, 5)

    async def test_iterations_end_with_the_client(self) -> None:
        steps = await self.boop.follow("step")
        await self.boop.close()
        self.assertEqual([step async for step in steps], [])


class ReconnectTests(DaemonTest):
    async def test_calls_and_subscriptions_go_on_with_the_next_daemon(self) -> None:
        steps = await self.boop.follow("step")
        picture = await self.boop.watch()
        await self.boop.note.set(track="bass", step=0, note=0, velocity="accent")
        await self.boop.storage.flush()
        await self.daemon.kill()
        waiting = asyncio.create_task(self.until_answered())
        await self.daemon.start()
        await asyncio.wait_for(waiting, 60)
        async with asyncio.timeout(60):
            while picture.cells != (await self.boop.frame.get())["rgb"]:
                pass
        await self.boop.transport.play()
        self.assertEqual((await self.next(steps))["step"], 0)

    async def until_answered(self) -> None:
        while True:
            with contextlib.suppress(pixelboop.ConnectionLost):
                return await self.boop.ping()

    async def test_a_call_under_way_ends_when_its_answer_cannot_come(self) -> None:
        assert self.daemon.process
        os.kill(self.daemon.process.pid, signal.SIGSTOP)
        os.waitpid(self.daemon.process.pid, os.WUNTRACED)  # Until it has stopped: before that it could still answer.
        call = asyncio.create_task(self.boop.ping())
        await asyncio.sleep(0)
        await self.daemon.kill()
        with self.assertRaises(pixelboop.ConnectionLost):
            await asyncio.wait_for(call, 60)

    async def test_calls_that_wait_for_a_daemon_end_with_the_client(self) -> None:
        await self.daemon.kill()
        while self.boop.is_connected:
            await asyncio.sleep(0)
        waiting = asyncio.gather(
            self.boop.ping(), self.boop.notify("transport.play"), self.boop.wait_connected(), return_exceptions=True)
        await asyncio.sleep(0)  # Until they wait.
        await self.boop.close()
        late = asyncio.gather(self.boop.ping(), return_exceptions=True)
        for outcome in [*await asyncio.wait_for(waiting, 60), *await asyncio.wait_for(late, 60)]:
            self.assertIsInstance(outcome, pixelboop.ConnectionLost)

    async def test_without_a_daemon_the_error_says_so(self) -> None:
        await self.daemon.stop()
        with self.assertRaises(OSError):
            async with pixelboop.Client(str(self.daemon.socket)):
                pass


class RefusalTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_daemon_that_refuses_is_asked_less_and_less_until_it_accepts(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="pb."))
        path = f"{folder}/control.sock"
        welcome = {"method": "welcome", "params": {"protocol": 1}}
        refusal = {"id": None, "error": {"code": -32000, "message": "too many clients"}}
        words = iter([welcome] + 8 * [refusal] + [welcome, refusal])
        all_said = asyncio.Event()

        async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if word := next(words, None):
                writer.write(json.dumps({"jsonrpc": "2.0", **word}).encode() + b"\n")
            else:
                all_said.set()
            writer.close()

        pauses: list[float] = []
        sleep = asyncio.sleep

        async def skip(seconds: float) -> None:
            pauses.append(seconds)
            await sleep(0)

        server = await asyncio.start_unix_server(serve, path)
        self.addCleanup(server.close)
        with unittest.mock.patch("asyncio.sleep", skip):
            async with pixelboop.Client(path):
                await asyncio.wait_for(all_said.wait(), 60)
        growing = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2, 2, 2]
        self.assertEqual(pauses[:11], [*growing, 0.05, 0.1])

    async def test_a_line_that_the_daemon_cannot_read_fails_the_calls_that_wait(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="pb."))

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            welcome = {"method": "welcome", "params": {"protocol": 1}}
            refusal = {"id": None, "error": {"code": -32700, "message": "Parse error"}}
            for word in [welcome, refusal]:
                writer.write(json.dumps({"jsonrpc": "2.0", **word}).encode() + b"\n")
                await reader.readline()
            writer.close()

        server = await asyncio.start_unix_server(serve, f"{folder}/control.sock")
        self.addCleanup(server.close)
        async with pixelboop.Client(f"{folder}/control.sock") as boop:
            with self.assertRaises(pixelboop.CallError):
                await asyncio.wait_for(boop.ping(), 60)


class CannedTests(unittest.IsolatedAsyncioTestCase):
    """With a daemon that says what the test wants."""

    async def asyncSetUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="pb."))
        self.path = f"{folder}/control.sock"
        self.listener = self.enterContext(socket.socket(socket.AF_UNIX))
        self.listener.setblocking(False)
        self.listener.bind(self.path)
        self.listener.listen()

    async def enter(self, client: pixelboop.Client) -> None:
        self.boop, _ = await asyncio.wait_for(asyncio.gather(self.enterAsyncContext(client), self.welcome()), 60)

    async def welcome(self) -> None:
        connection, _ = await asyncio.get_running_loop().sock_accept(self.listener)
        self.reader, self.writer = await asyncio.open_unix_connection(sock=connection)
        self.addCleanup(self.writer.close)
        self.say(method="welcome", params={"protocol": 1})

    def say(self, **message: object) -> None:
        self.writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def flood(self) -> asyncio.Future[list[object]]:
        """Sends more than fits into a socket, which nobody reads."""
        text = "x" * 10_000_000
        return asyncio.gather(
            self.boop.notify("flood", text=text), self.boop.call("flood", text=text), return_exceptions=True)

    async def test_all_labels_come_first_and_then_the_changes(self) -> None:
        await self.enter(pixelboop.Client(self.path))
        following = asyncio.create_task(self.boop.follow("labels"))
        call = json.loads(await self.reader.readline())
        whole = {"seq": 1, "cells": [312, "E", 797, "BD"]}
        change = {"seq": 2, "base": 1, "cells": [312, ""]}
        self.say(id=call["id"], result={"labels": whole})
        self.say(method="labels", params=change)
        labels = await following
        heard = [await asyncio.wait_for(anext(labels), 60) for _ in range(2)]
        self.assertEqual(heard, [whole, change])

    async def test_a_daemon_that_goes_ends_what_is_being_sent(self) -> None:
        await self.enter(pixelboop.Client(self.path))
        sending = self.flood()
        await asyncio.sleep(0)  # Until they wait.
        self.writer.transport.abort()
        for outcome in await asyncio.wait_for(sending, 60):
            self.assertIsInstance(outcome, pixelboop.ConnectionLost)

    async def test_closing_ends_what_a_daemon_does_not_read(self) -> None:
        await self.enter(pixelboop.Client(self.path))
        sending = self.flood()
        await asyncio.sleep(0)  # Until they wait.
        await asyncio.wait_for(self.boop.close(), 60)
        for outcome in await asyncio.wait_for(sending, 60):
            self.assertIsInstance(outcome, pixelboop.ConnectionLost)

    async def test_it_stays_with_the_socket_that_it_found(self) -> None:
        found = itertools.chain([self.path], itertools.repeat("/nowhere"))
        with unittest.mock.patch("pixelboop.client.find_socket", side_effect=found):
            await self.enter(pixelboop.Client())
            self.writer.close()
            await asyncio.wait_for(self.welcome(), 60)

    async def test_what_cannot_be_read_is_logged_and_the_client_connects_again(self) -> None:
        await self.enter(pixelboop.Client(self.path))
        following = asyncio.create_task(self.boop.watch())
        call = json.loads(await self.reader.readline())
        key = {"frame": {"seq": 1, "rgb": [0] * 1056}}
        self.say(id=call["id"], result=key)
        await following
        lines = [
            b"no JSON", b"\xff", b"5", b"null", b'"text"', b"[5]", b"{}", b'{"id": []}', b"[" * 100_000,
            b'{"method": "welcome"}', b'{"method": "state", "params": 5}', b'{"method": [], "params": null}',
            b'{"method": "frame", "params": {}}', b'{"method": "frame", "params": {"seq": 3, "base": 2, "cells": []}}',
            b'{"method": "frame", "params": {"seq": 2, "base": 1, "cells": [5000, 1]}}', b'{"id": null, "error": 5}',
        ]
        self.enterContext(unittest.mock.patch("pixelboop.client.LONGEST_PAUSE", 0))
        for line in lines:
            with self.subTest(line=line[:80]), self.assertLogs("pixelboop", "WARNING") as logged:
                pending = asyncio.create_task(self.boop.ping())
                await asyncio.wait_for(self.reader.readline(), 60)
                self.writer.write(line + b"\n")
                with self.assertRaises(pixelboop.ConnectionLost):
                    await asyncio.wait_for(pending, 60)
                await asyncio.wait_for(self.welcome(), 60)
                again = json.loads(await asyncio.wait_for(self.reader.readline(), 60))
                self.assertEqual((again["method"], again["params"]), ("subscribe", {"topics": ["frame"]}))
                self.say(id=again["id"], result=key)
                await asyncio.wait_for(self.boop.wait_connected(), 60)
            self.assertIn("connecting again: cannot read", logged.output[0])

    async def test_a_first_connection_to_something_else_says_so(self) -> None:
        async def answer() -> None:
            connection, _ = await asyncio.get_running_loop().sock_accept(self.listener)
            _, self.writer = await asyncio.open_unix_connection(sock=connection)
            self.addCleanup(self.writer.close)
            self.writer.write(b"220 mail.example ESMTP\n")

        answering = asyncio.create_task(answer())
        with self.assertRaisesRegex(pixelboop.UnreadableMessage, "ESMTP"):
            await asyncio.wait_for(pixelboop.Client(self.path).__aenter__(), 60)
        await answering

    async def test_only_what_subscribe_answers_is_kept(self) -> None:
        await self.enter(pixelboop.Client(self.path))
        result = {"frame": {"seq": 7, "rgb": [9] * 1056}, "state": {"transport": {}}, "labels": {"seq": 7, "cells": []}}
        calling = asyncio.create_task(self.boop.call("mix.describe"))
        self.say(id=json.loads(await self.reader.readline())["id"], result=result)
        self.assertEqual(await asyncio.wait_for(calling, 60), result)
        self.assertEqual((self.boop.picture, self.boop.settings), (None, None))
        calling = asyncio.create_task(self.boop.call("subscribe", topics=["frame", "state"]))
        self.say(id=json.loads(await self.reader.readline())["id"], result=result)
        await asyncio.wait_for(calling, 60)
        assert self.boop.picture
        self.assertEqual((self.boop.picture.sequence, self.boop.settings), (7, result["state"]))

    async def test_a_client_that_was_never_entered_says_so(self) -> None:
        with self.assertRaises(RuntimeError):
            await asyncio.wait_for(pixelboop.Client(self.path).ping(), 60)


class PathTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pb.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.own = self.folder / "pixelboop/control.sock"
        self.own.parent.mkdir()
        self.system = str(self.folder / "system.sock")

    def found(self, **environment: str) -> str:
        return find_socket({"XDG_RUNTIME_DIR": str(self.folder), **environment}, self.system)

    def serve(self, path: str) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        self.addCleanup(listener.close)

    def test_the_named_socket_comes_first(self) -> None:
        self.serve(str(self.own))
        self.assertEqual(self.found(PIXELBOOP_SOCKET="/named"), "/named")
        self.assertEqual(self.found(PIXELBOOP_SOCKET=""), str(self.own))

    def test_the_systems_daemon_is_found_where_the_user_has_none(self) -> None:
        self.assertEqual(self.found(), str(self.own))
        self.serve(self.system)
        self.assertEqual(self.found(), self.system)
        self.serve(str(self.own))
        self.assertEqual(self.found(), str(self.own))

    def test_without_a_runtime_folder_it_is_that_of_the_user(self) -> None:
        self.assertEqual(find_socket({}, self.system), f"/run/user/{os.getuid()}/pixelboop/control.sock")


class MergeTests(unittest.TestCase):
    def test_patches_are_applied_as_the_standard_says(self) -> None:
        # RFC 7386, appendix A.
        cases: list[tuple[object, object, object]] = [
            ({"a": "b"}, {"a": "c"}, {"a": "c"}), ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
            ({"a": "b"}, {"a": None}, {}), ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
            ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
            (["a", "b"], ["c", "d"], ["c", "d"]), ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
            ([1, 2], {"a": "b", "c": None}, {"a": "b"}), ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        ]
        for value, patch, result in cases:
            self.assertEqual(merged(value, patch), result)
