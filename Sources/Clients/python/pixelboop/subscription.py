"""The notifications of a topic."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

Event = TypeVar("Event")


class Subscription(Generic[Event]):
    """A topic's notifications, as an asynchronous iterator that ends with the client.

    The oldest are dropped, and counted in `dropped`, when more than `limit` of them wait."""

    limit = 1000

    def __init__(self, topic: str, end: Callable[[Subscription[Event]], None]) -> None:
        self.topic = topic
        self.dropped = 0
        self._waiting: deque[Event] = deque()
        self._has_news = asyncio.Event()
        self._is_closed = False
        self._end = end

    def close(self) -> None:
        """Ends the iteration."""
        if not self._is_closed:
            self._is_closed = True
            self._has_news.set()
            self._end(self)

    def __aiter__(self) -> Subscription[Event]:
        return self

    async def __anext__(self) -> Event:
        while not self._waiting:
            if self._is_closed:
                raise StopAsyncIteration
            self._has_news.clear()
            await self._has_news.wait()
        return self._waiting.popleft()

    def _send(self, event: Event) -> None:
        if len(self._waiting) == self.limit:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(event)
        self._has_news.set()
