import NIOCore

/// The way to one client; used on the control event loop only.
package protocol ClientOutput: AnyObject {
    /// Whether something written earlier is still waiting for the socket to take it.
    var isBlocked: Bool { get }
    /// Bytes that were sent and that the socket has not taken.
    var unsentBytes: Int { get }

    /// Bytes that were sent and that the client has not read, as far as the system tells.
    var unreadBytes: Int { get }

    /// Hands a line, or several, to the socket; what that does not take waits.
    func send(_ lines: ByteBuffer)
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

extension ClientOutput {
    /// Those that the socket has not taken.
    package var unreadBytes: Int { unsentBytes }
}
