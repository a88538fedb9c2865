"""The errors of calls."""

from __future__ import annotations

from typing import Any


class CallError(Exception):
    """The daemon refused a call. `code` is one of those in docs/reference.md; `data` tells programs what was wrong."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class ConnectionLost(ConnectionError):
    """The connection ended before the call was answered: it is unknown whether it took effect."""


class UnreadableMessage(Exception):
    """What came through the socket is no message of a daemon."""
