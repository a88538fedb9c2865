"""The programs in docs/examples do what they say."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from typing import Any

from .stage import PROGRAMS, REPOSITORY, DaemonTest

EXAMPLES = REPOSITORY / "docs/examples"
KICKS = [0, 4, 8, 12]


def needs(program: str, test: DaemonTest) -> None:
    """Skips a test, in the words that scripts/lib/parts.bash counts."""
    if not shutil.which(program):
        print(f'\n➜ Part "examples" skipped: "needs {program}"', flush=True)
        test.skipTest(f"needs {program}")


class BeatTests(DaemonTest):
    async def beat(self, *command: Any) -> None:
        for length, steps, notes in [(32, 16, 10), (8, 8, 5)]:
            await self.boop.pattern.new()
            await self.boop.length.set(length=length)
            status, output, complaint = await self.run_program(*command)
            self.assertEqual((status, complaint), (0, ""))
            lines = output.splitlines()
            self.assertEqual(lines[:steps], [f"step {step}" for step in range(steps)])
            grid = lines[-24:]
            self.assertEqual([len(line) for line in grid], [44] * 24)
            self.assertGreater(len(set("".join(grid))), 2)
            rhythm = (await self.boop.pattern.get())["tracks"]["rhythm"]
            self.assertEqual(len(rhythm["notes"]), notes)
            self.assertEqual((await self.boop.state.get())["transport"]["state"], "stopped")

    async def test_python(self) -> None:
        await self.beat(sys.executable, EXAMPLES / "beat.py")

    async def test_javascript(self) -> None:
        needs("node", self)
        await self.beat("node", EXAMPLES / "beat.js")

    async def test_shell(self) -> None:
        needs("socat", self)
        needs("jq", self)
        await self.beat("bash", EXAMPLES / "beat.sh")

    async def test_the_end_of_the_daemon_is_the_end_of_the_beat(self) -> None:
        needs("node", self)
        steps = await self.boop.follow("step")
        running = asyncio.create_task(self.run_program("node", EXAMPLES / "beat.js"))
        await self.next(steps)
        await self.daemon.kill()
        status, _, complaint = await running
        self.assertEqual((status, complaint), (1, "the daemon has ended\n"))

    async def test_without_a_daemon_they_say_so(self) -> None:
        for command in ([sys.executable, "beat.py"], ["node", "beat.js"], ["bash", "beat.sh"]):
            if shutil.which(command[0]):
                status, _, complaint = await self.run_program(
                    command[0], EXAMPLES / command[1], PIXELBOOP_SOCKET="", XDG_RUNTIME_DIR=str(self.folder))
                self.assertNotEqual(status, 0)
                self.assertRegex(complaint, "No such file|ENOENT")


class OSCTests(DaemonTest):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        bridge = await asyncio.create_subprocess_exec(
            PROGRAMS / "pixelboop-osc", "--socket", self.daemon.socket, "--listen", "127.0.0.1:0",
            stderr=subprocess.PIPE)
        self.addAsyncCleanup(bridge.wait)
        self.addCleanup(bridge.terminate)
        assert bridge.stderr
        self.port = 0
        while not self.port:
            line = await bridge.stderr.readline()
            assert line, "the bridge has ended"
            if place := re.search(rb"listening on \S+:(\d+)", line):
                self.port = int(place[1])

    async def heard(self) -> None:
        """Returns when the beat is there and plays."""
        changes = await self.boop.follow("state")
        while not self.boop.settings or self.boop.settings["transport"]["state"] != "playing":
            await self.next(changes)
        # Each message may have a sender of its own, and the order of senders is not kept.
        async with asyncio.timeout(20):
            while len((await self.boop.pattern.get())["tracks"]["rhythm"]["notes"]) < 4:
                await asyncio.sleep(0.05)

    async def test_shell(self) -> None:
        needs("oscsend", self)
        outcome = await self.run_program("bash", EXAMPLES / "beat-osc.sh", f"osc.udp://127.0.0.1:{self.port}")
        self.assertEqual(outcome, (0, "", ""))
        await self.heard()

    async def test_pure_data(self) -> None:
        needs("pd", self)
        patch = self.folder / "beat.pd"
        patch.write_text((EXAMPLES / "beat.pd").read_text().replace("9044", str(self.port)))
        await self.stay("pd", "-nogui", "-noaudio", "-nomidi", patch)

    async def test_supercollider(self) -> None:
        needs("sclang", self)
        await self.stay("sclang", EXAMPLES / "beat.scd")

    async def stay(self, *command: Any) -> None:
        """Runs a program that does not end by itself until its beat is heard."""
        process = await asyncio.create_subprocess_exec(
            *map(str, command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "PIXELBOOP_OSC_PORT": str(self.port)})
        try:
            await self.heard()
        finally:
            process.kill()
            await process.wait()

    async def test_supercolliders_messages_are_understood(self) -> None:
        needs("oscsend", self)
        text = (EXAMPLES / "beat.scd").read_text()
        for values in re.findall(r'boop\.sendMsg\(([^)]*)\)', text):
            address, *arguments = [value.strip().strip('"') for value in values.split(",")]
            arguments = ["0" if value == "step" and "note" in address else value for value in arguments]
            types = "".join("i" if value.isdigit() else "s" for value in arguments)
            command = ["oscsend", f"osc.udp://127.0.0.1:{self.port}", address] + ([types, *arguments] if types else [])
            # Its first `stop` is what a step does.
            if not address.endswith("/stop"):
                self.assertEqual((await self.run_program(*command))[0], 0)
        changes = await self.boop.follow("state")
        while not self.boop.settings or self.boop.settings["transport"]["state"] != "playing":
            await self.next(changes)
        self.assertGreaterEqual(len((await self.boop.pattern.get())["tracks"]["rhythm"]["notes"]), 2)
