"""Where the daemon's socket is, as docs/protocol.md says."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

SYSTEM = "/run/pixelboop/control.sock"


def find_socket(environment: Mapping[str, str] = os.environ, system: str = SYSTEM) -> str:
    """The socket that PIXELBOOP_SOCKET names, else the user's, or the system's if only that one is served."""
    if named := environment.get("PIXELBOOP_SOCKET"):
        return named
    folder = environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    own = f"{folder}/pixelboop/control.sock"
    return system if not is_served(own) and is_served(system) else own


def is_served(path: str) -> bool:
    """Whether a daemon accepts connections at a path."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except OSError:
            return False
    return True
