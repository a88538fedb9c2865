import Foundation
import JSON

/// Standard output and standard error.
enum Output {
    /// Whether somebody looks at standard output.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes text to standard output.
    ///
    /// - Throws: A ``Failure``; a silent success when the reader has gone (`pixelboop watch | head`).
    static func write(_ text: String) throws {
        try write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes a line to standard output.
    static func line(_ text: String) throws {
        try write(text + "\n")
    }

    /// Writes a value as one line to standard output.
    static func line(_ json: JSONValue) throws {
        try line(json.text)
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        // There is nobody left to tell when this fails.
        try? write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw Failure(.done, "")
            } else if errno != EINTR {
                throw Failure(.refused, "cannot write: \(String(cString: strerror(errno)))")
            }
        }
    }
}
