import Glibc

/// That the system refused to do something with a file or directory.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried: `create`, `write`, `rename`...
    public let action: String
    /// The file or directory.
    public let path: String
    /// The system's reason, as in `errno`.
    public let code: Int32

    /// An error of the call that was made last, or with the given reason.
    ///
    /// - Parameter code: `errno`, which has to be read before anything else is called.
    public init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The system's reason in words: `No space left on device`.
    public var reason: String { String(cString: strerror(code)) }

    /// `cannot write /home/ada/x.json: No space left on device`
    public var description: String { "cannot \(action) \(path): \(reason)" }
}
