import Gestures
import NIOCore
import Wire

/// What the daemon knows of one connected client; used on the control event loop only.
final class Client {
    /// The session's number for it.
    let id: ClientID
    /// The name that it gave itself, empty for none.
    var name = ""
    /// What it subscribed to.
    var subscriptions = Subscriptions()
    /// Pictures sent to it and kept from it.
    var frames = FrameCounts()

    private let output: any ClientOutput
    private(set) var isFlushPending = false

    init(id: ClientID, output: any ClientOutput) {
        self.id = id
        self.output = output
    }

    /// Whether notifications must wait because earlier bytes have not left.
    var isBlocked: Bool { output.isBlocked }

    /// Sends a line, or several; leaves with the next flush.
    func write(_ lines: ByteBuffer) {
        isFlushPending = true
        output.write(lines)
    }

    /// Hands what was written to the socket.
    func flush() {
        guard isFlushPending else { return }
        isFlushPending = false
        output.flush()
    }

    /// Says why, and closes the connection once that has left.
    func dismiss(reason: String) {
        write(ByteBuffer(bytes: Bye(reason: reason).line))
        flush()
        output.finish(lingering: false)
    }

    /// Closes the connection at once.
    func abort() {
        output.abort()
    }
}
