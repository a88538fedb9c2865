import Foundation
import Synchronization
import TerminalGrid

/// A terminal for a program under test: tests type keys, move the mouse, and wait for what the program sends or what
/// the screen then shows. Only one wait at a time.
public final class PseudoTerminal: Sendable {
    public let programEnd: FileHandle
    private let descriptor: Int32
    private let output: AsyncStream<[UInt8]>
    private let seen: Mutex<Seen>

    private struct Seen {
        var text: [UInt8] = []
        var model: TerminalModel
    }

    public struct Failure: Error {
        let call: String
    }

    /// What the program never showed before it ended.
    public struct NeverShown: Error, CustomStringConvertible {
        let what: String
        let shown: String

        public var description: String { "never shown: \(what); instead:\n\(shown)" }
    }

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, macros that Swift does not see, as it does not see grantpt(3),
    // unlockpt(3) and ptsname(3), which are made of them.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    public init(columns: Int, rows: Int) throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        var isLocked: Int32 = 0
        guard descriptor >= 0, ioctl(descriptor, PseudoTerminal.unlock, &isLocked) == 0,
            ioctl(descriptor, PseudoTerminal.getNumber, &number) == 0
        else { throw Failure(call: "/dev/ptmx") }
        let program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw Failure(call: "/dev/pts/\(number)") }
        programEnd = FileHandle(fileDescriptor: program, closeOnDealloc: true)
        let stream = AsyncStream<[UInt8]>.makeStream()
        output = stream.stream
        seen = Mutex(Seen(model: TerminalModel(size: TerminalSize(columns: columns, rows: rows))))
        resize(columns: columns, rows: rows)
        Thread.detachNewThread { [descriptor] in
            // Reading ends when the program's end is closed everywhere. Only then is the descriptor closed: otherwise
            // its number could become another terminal's, whose output would be read here.
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                stream.continuation.yield(Array(bytes[..<count]))
            }
            stream.continuation.finish()
        }
    }

    /// Whether it is in a shell's usual mode: lines are edited and echoed, Ctrl-C interrupts.
    public var isCooked: Bool {
        var modes = termios()
        tcgetattr(programEnd.fileDescriptor, &modes)
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return modes.c_lflag & wanted == wanted
    }

    /// Sends a signal to the terminal's foreground process group, if a session has the terminal.
    public func signal(_ number: Int32) {
        let group = tcgetpgrp(descriptor)
        // To kill(2), 0 and -1 mean other processes.
        if group > 1 { kill(-group, number) }
    }

    public var model: TerminalModel { seen.withLock { $0.model } }

    /// Changes the size; the kernel notifies only a session that has the terminal.
    public func resize(columns: Int, rows: Int) {
        let drawn = TerminalSize(columns: columns, rows: rows).drawn
        if model.screen.size != drawn { seen.withLock { $0.model.resize(to: drawn) } }
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Types keys, or moves the mouse.
    public func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Waits until the program has sent a text; forgets what was sent up to its end.
    ///
    /// - Returns: What was sent before it.
    @discardableResult
    public func expect(_ text: String) async throws -> String {
        var before = ""
        try await wait(for: "\(text.debugDescription)") { seen in
            guard let range = seen.text.firstRange(of: Array(text.utf8)) else { return false }
            before = String(decoding: seen.text[..<range.lowerBound], as: UTF8.self)
            seen.text.removeSubrange(..<range.upperBound)
            return true
        }
        return before
    }

    /// Waits until the terminal looks as wanted.
    ///
    /// - Parameter what: In words, for a test that fails.
    public func wait(until what: String, _ condition: (TerminalModel) throws -> Bool) async throws {
        try await wait(for: what) { try condition($0.model) }
    }

    private func wait(for what: String, _ condition: (inout Seen) throws -> Bool) async throws {
        if try seen.withLock({ try condition(&$0) }) { return }
        for await bytes in output {
            let isMet = try seen.withLock { seen in
                seen.text += bytes
                try seen.model.receive(bytes)
                return try condition(&seen)
            }
            if isMet { return }
        }
        let model = model
        throw NeverShown(what: what, shown: (0..<model.screen.size.rows).map(model.line).joined(separator: "\n"))
    }
}
