import Grid
import NIOCore
import Wire

/// A connected client; used on the control event loop only.
package final class Client {
    /// Its number in the session.
    package let id: ClientID
    /// The name it chose, empty for none.
    var name = ""
    /// Whether it is on another machine, so that it may not name files on this one.
    var isRemote = false
    /// Whether it stands for the controllers at the MIDI input, whose movements are no undo steps.
    var isController = false
    /// Whether its pictures include tooltips.
    var showsTooltips = true
    /// Whether a part of a render is on its way to it.
    var isFetching = false
    var subscriptions = Subscriptions()
    /// Pictures sent to it and dropped.
    var frames = DeliveryCounts()

    private let output: any ClientOutput
    private let flushes: PendingFlushes
    /// Output written since the last flush.
    private var unflushed = ByteBuffer()

    init(id: ClientID, output: any ClientOutput, flushes: PendingFlushes) {
        self.id = id
        self.output = output
        self.flushes = flushes
    }

    /// Whether notifications must wait because earlier bytes are still unsent.
    var isBlocked: Bool { output.isBlocked }

    /// When the next picture may be sent; nil while none can be, or none is wanted.
    var frameDue: Duration? {
        guard !output.isBlocked, let frame = subscriptions.frame, frame.unansweredLine == nil else { return nil }
        return frame.schedule.due
    }

    /// Whether a state patch can be sent, and is wanted.
    var acceptsState: Bool {
        guard !output.isBlocked, let state = subscriptions.state else { return false }
        return state.unansweredLine == nil
    }

    /// Bytes written but not yet in the socket.
    var unsentBytes: Int { unflushed.readableBytes + output.unsentBytes }

    /// Bytes that were sent and not yet read, as far as the system knows.
    var unreadBytes: Int { output.unreadBytes }

    /// Queues one or more lines for the next flush.
    func write(_ lines: ByteBuffer) {
        if unflushed.readableBytes == 0 {
            unflushed = lines
            flushes.clients.append(self)
        } else {
            unflushed.writeImmutableBuffer(lines)
        }
    }

    /// Sends a line at once, unless earlier ones still wait for the next flush.
    func send(_ line: ByteBuffer) {
        if unflushed.readableBytes > 0 {
            write(line)
        } else {
            output.send(line)
        }
    }

    /// Passes what was written to the socket.
    func flush() {
        guard unflushed.readableBytes > 0 else { return }
        let lines = unflushed
        unflushed = ByteBuffer()
        output.send(lines)
    }

    /// Sends `bye` with a reason, then closes the connection.
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

/// The clients with output that has not been flushed.
final class PendingFlushes {
    fileprivate(set) var clients: [Client] = []

    /// Passes everything that was written to the sockets.
    func flush() {
        let pending = clients
        clients.removeAll(keepingCapacity: true)
        for client in pending { client.flush() }
    }
}

/// The connection to one client; used on the control event loop only.
package protocol ClientOutput: AnyObject {
    /// Whether earlier output still waits for room in the socket.
    var isBlocked: Bool { get }
    /// Bytes sent but not yet in the socket.
    var unsentBytes: Int { get }

    /// Bytes that were sent and that the client has not read, as far as the system knows.
    var unreadBytes: Int { get }

    /// Writes one or more lines to the socket; what it has no room for waits.
    func send(_ lines: ByteBuffer)
    /// Resumes reading after ``Conversation/wantsInput`` was false.
    func resumeInput()
    /// Closes the connection once everything is sent.
    ///
    /// - Parameter lingering: Whether to read and discard input for a while, so that the client sees the last answer
    ///   and not a broken pipe.
    func finish(lingering: Bool)
    /// Closes the connection at once.
    func abort()
}

extension ClientOutput {
    package var unreadBytes: Int { unsentBytes }
}
