import Glibc

/// That something could not be done with a file or directory.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried: `create`, `write`, `rename`...
    public let action: String
    /// The file or directory.
    public let path: String
    /// The system's reason, as in `errno`.
    public let code: Int32
    /// Why the file is not touched, where the system would have allowed it.
    private let objection: String?

    /// An error of the call that was made last, or with the given reason.
    ///
    /// - Parameter code: `errno`, which has to be read before anything else is called.
    public init(_ action: String, _ path: String, code: Int32 = errno) {
        self.init(action, path, code: code, objection: nil)
    }

    /// A refusal.
    ///
    /// - Parameters:
    ///   - code: The `errno` that comes nearest.
    ///   - objection: What is wrong and what is allowed, in words.
    package init(_ action: String, _ path: String, code: Int32, objection: String?) {
        self.action = action
        self.path = path
        self.code = code
        self.objection = objection
    }

    /// The reason in words: `No space left on device`.
    public var reason: String { objection ?? String(cString: strerror(code)) }

    /// `cannot write /home/ada/x.json: No space left on device`
    public var description: String { "cannot \(action) \(path): \(reason)" }
}
