"""What calls fail with."""

from __future__ import annotations

from typing import Any


class CallError(Exception):
    """The daemon refused a call. `code` is one of those in docs/reference.md; `data` says for programs what was wrong."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class ConnectionLost(ConnectionError):
    """The connection ended before the call was answered: whether it took effect is not known."""
