import Foundation
import Synchronization
import TerminalGrid

/// A terminal for a program under test: what it shows can be waited for, and keys can be typed.
final class PseudoTerminal: Sendable {
    /// The end that the program gets.
    let programEnd: FileHandle
    private let descriptor: Int32
    private let output: AsyncStream<String>
    private let seen = Mutex("")

    struct Failure: Error {
        let call: String
    }

    /// What the program never did before it ended.
    struct NeverShown: Error {
        let text: String
        let shown: String
    }

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, macros that Swift does not see, as it does not see grantpt(3),
    // unlockpt(3) and ptsname(3), which are made of them.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    init(columns: Int, rows: Int) throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        var isLocked: Int32 = 0
        guard descriptor >= 0, ioctl(descriptor, PseudoTerminal.unlock, &isLocked) == 0,
            ioctl(descriptor, PseudoTerminal.getNumber, &number) == 0
        else { throw Failure(call: "/dev/ptmx") }
        let program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw Failure(call: "/dev/pts/\(number)") }
        programEnd = FileHandle(fileDescriptor: program, closeOnDealloc: true)
        let stream = AsyncStream<String>.makeStream()
        output = stream.stream
        resize(columns: columns, rows: rows)
        Thread.detachNewThread { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                stream.continuation.yield(String(decoding: bytes[..<count], as: UTF8.self))
            }
            stream.continuation.finish()
        }
    }

    deinit { close(descriptor) }

    /// The terminal's modes.
    var modes: termios {
        var modes = termios()
        tcgetattr(programEnd.fileDescriptor, &modes)
        return modes
    }

    /// Changes the size, without telling the program.
    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Types keys, or moves the mouse.
    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Waits until the program has shown a text; forgets what was shown up to its end.
    func expect(_ text: String) async throws {
        if forget(through: text) { return }
        for await piece in output {
            seen.withLock { $0 += piece }
            if forget(through: text) { return }
        }
        throw NeverShown(text: text, shown: seen.withLock { $0 })
    }

    private func forget(through text: String) -> Bool {
        seen.withLock { seen in
            guard let range = seen.range(of: text) else { return false }
            seen.removeSubrange(..<range.upperBound)
            return true
        }
    }
}
