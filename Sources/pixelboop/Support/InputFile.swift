import Foundation

/// Files that the command line names.
enum InputFile {
    /// Stands for standard input where a file to read is named.
    static let standardInput = "-"

    /// All bytes of a file.
    ///
    /// - Throws: A ``Failure`` that names the file.
    static func read(_ path: String) throws -> [UInt8] {
        if path == standardInput { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw Failure(.usage, "cannot read \(path): \(error.inWords)")
        }
    }

    /// Writes a file, whole or not at all.
    ///
    /// - Throws: A ``Failure`` that names the file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.usage, "cannot write \(path): \(error.inWords)")
        }
    }
}

extension Error {
    /// Foundation's own sentence about a file is long and names it again: the system's reason is enough.
    fileprivate var inWords: String {
        let underlying = ((self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? self) as NSError
        guard underlying.domain == NSPOSIXErrorDomain else { return underlying.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
