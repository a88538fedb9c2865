"""A client of PixelBoop's daemon: methods, notifications, and the picture kept up to date."""

from .client import Client
from .errors import CallError, ConnectionLost, UnreadableMessage
from .paths import find_socket
from .picture import Picture
from .subscription import Subscription

__all__ = ["CallError", "Client", "ConnectionLost", "Picture", "Subscription", "UnreadableMessage", "find_socket"]
