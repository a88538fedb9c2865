"""A real daemon in a temporary folder, played by the internal driver."""

from __future__ import annotations

import asyncio
import logging
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
from typing import Any, TypeVar

import pixelboop

PROGRAMS = pathlib.Path(os.environ.get("PIXELBOOP_PROGRAMS", "."))
REPOSITORY = pathlib.Path(os.environ.get("PIXELBOOP_REPOSITORY", "."))

# unittest runs asyncio in debug mode, which logs each slow step.
logging.getLogger("asyncio").setLevel(logging.ERROR)

Value = TypeVar("Value")


class Daemon:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.socket = folder / "control.sock"
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Returns when the daemon accepts connections."""
        self.process = await asyncio.create_subprocess_exec(
            PROGRAMS / "pixelboopd", "--driver", "internal", "--socket", self.socket, "--state-dir",
            self.folder / "state", "--data-dir", self.folder / "data", "--parent", str(os.getpid()),
            stderr=subprocess.DEVNULL)
        while not pixelboop.paths.is_served(str(self.socket)):
            assert self.process.returncode is None, "the daemon has ended"
            await asyncio.sleep(0.02)

    async def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> None:
        if self.process and self.process.returncode is None:
            self.process.terminate()
            await self.process.wait()


class DaemonTest(unittest.IsolatedAsyncioTestCase):
    """Tests that have a daemon and a client each."""

    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pb.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.daemon = Daemon(self.folder)
        await self.daemon.start()
        self.addAsyncCleanup(self.daemon.stop)
        self.boop = await self.enterAsyncContext(pixelboop.Client(str(self.daemon.socket), name="tests"))

    async def next(self, subscription: pixelboop.Subscription[Value]) -> Value:
        return await asyncio.wait_for(anext(subscription), 60)

    async def run_program(self, *command: Any, **environment: str) -> tuple[int, str, str]:
        """Runs a program to its end."""
        process = await asyncio.create_subprocess_exec(
            *map(str, command), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PIXELBOOP_SOCKET": str(self.daemon.socket), **environment})
        output, complaint = await asyncio.wait_for(process.communicate(), 120)
        assert process.returncode is not None
        return process.returncode, output.decode(), complaint.decode()
