import NIOCore

/// The way to one client; used on the control event loop only.
package protocol ClientOutput: AnyObject {
    /// Whether something written earlier is still waiting for the socket to take it.
    var isBlocked: Bool { get }
    /// Bytes that were written and that the socket has not taken.
    var unsentBytes: Int { get }

    /// Sends a line, or several; leaves with the next flush.
    func write(_ lines: ByteBuffer)
    /// Sends a line at once; nothing written before is waiting.
    func send(_ line: ByteBuffer)
    /// Hands what was written to the socket.
    func flush()
    /// Lets more input come after ``Conversation/wantsInput`` was false.
    func resumeInput()
    /// Closes the connection once everything written has left.
    ///
    /// - Parameter lingering: Whether to go on reading, and throwing away, what the client still sends, so that it
    ///   sees the last answer rather than a broken pipe.
    func finish(lingering: Bool)
    /// Closes the connection at once.
    func abort()
}
