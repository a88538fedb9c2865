import FoundationEssentials
import Glibc
import JSON
import SystemSupport

/// Standard output and standard error.
enum Output {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Reports at once that nothing can be written to standard output, as when it was closed (`>&-`): for commands that
    /// may have nothing to write for some time.
    static func check() throws(FileError) {
        let flags = fcntl(STDOUT_FILENO, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { return }
        throw FileError("write", "the output", code: EBADF)
    }

    /// Writes text to standard output.
    ///
    /// - Throws: A ``Failure``; a silent success if the reader has gone (`pixelboop watch | head`).
    static func write(_ text: String) throws {
        try write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes text as a line to standard output. It may contain names from other clients, so characters that could
    /// control a terminal are replaced.
    static func line(_ text: String) throws {
        try write(text.withoutControlCharacters + "\n")
    }

    /// Writes a value as one line to standard output.
    static func line(_ json: JSONValue) throws {
        try write(json.text.escapingControlCharacters + "\n")
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        // If this fails, there is nowhere to report it.
        try? write(Array((text.withoutControlCharacters + "\n").utf8), to: STDERR_FILENO)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        do throws(FileError) {
            try writeAll(bytes, to: descriptor, of: "the output")
        } catch {
            if error.code == EPIPE { throw Failure(.done, "") }
            throw error
        }
    }
}

extension String {
    /// With a replacement character for each control character (C0 except tab and line feed, DEL, C1) and each
    /// character that overrides the direction of writing.
    var withoutControlCharacters: String {
        var scalars = unicodeScalars
        for index in scalars.indices.reversed() where scalars[index].steersTerminals && !scalars[index].isLayout {
            scalars.replaceSubrange(index...index, with: CollectionOfOne("\u{fffd}"))
        }
        return String(scalars)
    }

    /// JSON with escapes for the control characters that JSON allows unescaped.
    var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.steersTerminals {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLayout: Bool { self == "\n" || self == "\t" }

    /// Whether terminals obey it: control characters, and those that override the direction of writing.
    fileprivate var steersTerminals: Bool {
        properties.generalCategory == .control || ("\u{202a}"..."\u{202e}").contains(self)
            || ("\u{2066}"..."\u{2069}").contains(self)
    }
}
