"""A connection to the daemon, made again when the daemon comes back."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from types import TracebackType
from typing import Any, cast

from .errors import CallError, ConnectionLost, UnreadableMessage
from .methods import KeyFrame, Methods, State, WelcomeEvent
from .paths import find_socket
from .picture import Picture
from .subscription import Subscription

Message = dict[str, Any]

LONGEST_LINE = 16 * 1024 * 1024
# Seconds between attempts to connect again.
SHORTEST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
ENDED = "the connection to the daemon has ended"
# The key of the welcome among the pending answers; our ids begin at 1.
WELCOME = 0

log = logging.getLogger("pixelboop")


class Client(Methods):
    """A client of the daemon, to be used with `async with`."""

    def __init__(self, path: str | None = None, *, name: str = "", tooltips: bool = True) -> None:
        """path: the socket; by default it is found as in docs/protocol.md. name: shown in stats.get and in the log.
        tooltips: whether pictures have the texts that appear on the grid."""
        super().__init__()
        self.picture: Picture | None = None
        self.settings: State | None = None
        self.welcome: WelcomeEvent | None = None
        self._path = path
        self._hello: Message = {}
        if name:
            self._hello["client"] = name
        if not tooltips:
            self._hello["tooltips"] = False
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        # The ids of those pending calls that are `subscribe`.
        self._subscribing: set[int] = set()
        self._subscriptions: list[Subscription[Any]] = []
        self._topics: set[str] = set()
        self._watches = 0
        self._max_fps: int | None = None
        self._writer: asyncio.StreamWriter | None = None
        # Set while there is a connection, and once the client is closed.
        self._connected = asyncio.Event()
        self._is_closed = False
        self._pause = SHORTEST_PAUSE
        self._connection: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        """Connects; raises an OSError if no daemon runs, CallError if it refuses, UnreadableMessage if it is no daemon."""
        streams = await self._open()
        self._is_closed = False
        self._connected.clear()
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._connection = asyncio.create_task(self._stay_connected(*streams, first))
        try:
            await first
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection, all calls and all iterations."""
        self._is_closed = True
        if self._connection:
            self._connection.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._connection
        for subscription in list(self._subscriptions):
            subscription.close()
        self._connected.set()

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now."""
        return self._connected.is_set() and not self._is_closed

    async def wait_connected(self) -> None:
        """Waits until there is a connection; raises ConnectionLost once the client is closed."""
        if not self._connection:
            raise RuntimeError("a client connects with `async with`")
        await self._connected.wait()
        if self._is_closed:
            raise ConnectionLost("the client is closed")

    async def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method and returns its result. Waits for a connection while there is none.

        Raises CallError if the daemon refuses, ConnectionLost if no answer comes."""
        await self.wait_connected()
        return await self._call(method, parameters)

    async def notify(self, method: str, /, **parameters: Any) -> None:
        """Calls a method that sends no answer; waits until all of the call is in the socket."""
        await self.wait_connected()
        writer = self._write({"jsonrpc": "2.0", "method": method, "params": parameters})
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        # A connection that we end ourselves is no error there.
        if writer.is_closing():
            raise ConnectionLost(ENDED)

    async def watch(self, max_fps: int | None = None) -> Picture:
        """Keeps `picture` up to date from now on, and returns it."""
        # Before the call: a subscription that ends meanwhile would take the topic with it.
        self._watches += 1
        try:
            await self._subscribe("frame", max_fps)
        except BaseException:
            self._watches -= 1
            self._release("frame")
            raise
        assert self.picture
        return self.picture

    async def _follow(self, topic: str, max_fps: int | None = None) -> Subscription[Any]:
        subscription: Subscription[Any] = Subscription(topic, self._ended)
        # Before the call: a notification may come right after the answer.
        self._subscriptions.append(subscription)
        try:
            await self._subscribe(topic, max_fps)
        except BaseException:
            subscription.close()
            raise
        return subscription

    async def _subscribe(self, topic: str, max_fps: int | None) -> None:
        self._max_fps = max_fps or self._max_fps
        await self.call("subscribe", **self._rate, topics=[topic])
        self._topics.add(topic)

    @property
    def _rate(self) -> Message:
        return {"maxFps": self._max_fps} if self._max_fps else {}

    def _ended(self, subscription: Subscription[Any]) -> None:
        self._subscriptions.remove(subscription)
        self._release(subscription.topic)

    def _release(self, topic: str) -> None:
        """Unsubscribes from a topic that this client no longer uses."""
        is_wanted = any(other.topic == topic for other in self._subscriptions)
        if is_wanted or topic not in self._topics or (topic == "frame" and self._watches):
            return
        self._topics.remove(topic)
        if self.is_connected:
            self._write({"jsonrpc": "2.0", "method": "unsubscribe", "params": {"topics": [topic]}})

    # The connection.

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        path = self._path or find_socket()
        streams = await asyncio.open_unix_connection(path, limit=LONGEST_LINE)
        # Kept: while the user's daemon restarts, the system's is not it.
        self._path = path
        return streams

    async def _stay_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: asyncio.Future[None]
    ) -> None:
        # Whatever goes wrong with a connection, it is made again: only `close` ends this.
        while not self._is_closed:
            pause = self._pause
            try:
                await self._serve(reader, writer, first)
            except Exception as error:
                if not first.done():
                    first.set_exception(error)
                    return
                if not isinstance(error, OSError):
                    log.warning("connecting again: %s", error)
                    # What is wrong may come again at once.
                    self._pause = pause
            finally:
                self._disconnect()
            reader, writer = await self._open_again()

    async def _open_again(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            with contextlib.suppress(OSError):
                return await self._open()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: asyncio.Future[None]
    ) -> None:
        self._writer = writer
        # With a limit of 0 `drain` waits until nothing is left to write.
        writer.transport.set_write_buffer_limits(0)
        welcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[WELCOME] = welcome
        reading = asyncio.create_task(self._read(reader))
        try:
            self.welcome = await welcome
            if self._hello:
                await self._call("hello", self._hello)
            if self._topics:
                await self._call("subscribe", {"topics": sorted(self._topics), **self._rate})
            self._connected.set()
            # Only now: a daemon that refuses must not be asked again and again.
            self._pause = SHORTEST_PAUSE
            if not first.done():
                first.set_result(None)
            await reading
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await reading

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await self._line(reader):
                try:
                    message = json.loads(line)
                    for part in message if isinstance(message, list) else [message]:
                        self._receive(part)
                except Exception as error:
                    # Without it pictures and settings would be wrong from now on, and a call might wait for ever.
                    raise UnreadableMessage(f"cannot read {line[:200]!r}: {error!r}") from error
        finally:
            self._disconnect()

    async def _line(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readline()
        except ValueError as error:
            raise UnreadableMessage(f"cannot read a line of more than {LONGEST_LINE} bytes") from error

    def _disconnect(self) -> None:
        self._connected.clear()
        if self._writer:
            # Closing would first write what is left, and wait for a daemon that does not read.
            self._writer.transport.abort()
            self._writer = None
        answers, self._answers = self._answers, {}
        for answer in answers.values():
            if not answer.done():
                answer.set_exception(ConnectionLost(ENDED))

    # Messages.

    async def _call(self, method: str, parameters: Message) -> Any:
        id = next(self._ids)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        if method == "subscribe":
            self._subscribing.add(id)
        try:
            self._write({"jsonrpc": "2.0", "method": method, "params": parameters, "id": id})
            return await answer
        finally:
            self._answers.pop(id, None)
            self._subscribing.discard(id)

    def _write(self, message: Message) -> asyncio.StreamWriter:
        if not self._writer:
            raise ConnectionLost("there is no connection to the daemon")
        # NaN and undecodable file names, which JSON cannot hold, are a ValueError here.
        self._writer.write(json.dumps(message, allow_nan=False, ensure_ascii=False).encode() + b"\n")
        return self._writer

    def _receive(self, message: Message) -> None:
        if not isinstance(message, dict):
            raise ValueError("expected an object")
        if "method" in message:
            self._notified(message["method"], message.get("params", {}))
            return
        # An error without an id refuses the connection itself, or a line that the daemon could not read.
        ids = list(self._answers) if message["id"] is None else [message["id"]]
        for id, answer in [(id, self._answers[id]) for id in ids if id in self._answers]:
            if answer.done():
                continue
            if error := message.get("error"):
                answer.set_exception(CallError(error["code"], error["message"], error.get("data")))
            else:
                if id in self._subscribing:
                    self._subscribed(message["result"])
                answer.set_result(message["result"])

    def _subscribed(self, result: Message) -> None:
        """Stores what `subscribe` returns before the next line is read: diffs are based on it."""
        if (frame := result.get("frame")) is not None:
            key = cast(KeyFrame, frame)
            if self.picture:
                self.picture.sequence, self.picture.cells = key["seq"], list(key["rgb"])
            else:
                self.picture = Picture(key["seq"], key["rgb"])
        if (state := result.get("state")) is not None:
            self.settings = cast(State, state)
        if (labels := result.get("labels")) is not None:
            self._distribute("labels", labels)

    def _notified(self, topic: str, parameters: Any) -> None:
        if not isinstance(parameters, dict):
            raise ValueError("expected parameters by name")
        if topic == "welcome":
            self._answers.pop(WELCOME).set_result(parameters)
        elif topic == "frame" and self.picture:
            self.picture.apply(parameters["seq"], parameters["base"], parameters["cells"])
        elif topic == "state" and self.settings is not None:
            self.settings = cast(State, merged(self.settings, parameters))
        self._distribute(topic, parameters)

    def _distribute(self, topic: str, parameters: Any) -> None:
        for subscription in list(self._subscriptions):
            if subscription.topic == topic:
                subscription._send(parameters)


def merged(value: Any, patch: Any) -> Any:
    """The value with a JSON merge patch (RFC 7386) applied."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for name, change in patch.items():
        if change is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), change)
    return result
