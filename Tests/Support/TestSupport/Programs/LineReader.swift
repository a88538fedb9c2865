import Foundation
import Synchronization

extension FileHandle {
    /// Reads lines on a thread of its own, which passes nil at the end and keeps the descriptor open at least until
    /// then.
    fileprivate func readLines(closing closes: Bool, _ body: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread { [self] in
            var rest = Data()
            while case let chunk = availableData, !chunk.isEmpty {
                rest += chunk
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    body(String(decoding: rest[..<newline], as: UTF8.self))
                    rest = Data(rest[(newline + 1)...])
                }
            }
            if closes, self !== FileHandle.nullDevice { try? close() }
            body(nil)
        }
    }
}

/// Reads lines from a descriptor on a thread of its own, until its end.
public final class LineReader: Sendable {
    private let lines: AsyncStream<String>

    /// Reads from a descriptor that the handle keeps open.
    ///
    /// - Parameter closes: Whether the descriptor is closed at the end.
    public init(_ handle: FileHandle, closing closes: Bool = false) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        handle.readLines(closing: closes) { line in
            guard let line else { return continuation.finish() }
            continuation.yield(line)
        }
    }

    /// The next line, nil at the end; for one reader at a time.
    public func next() async -> String? {
        for await line in lines { return line }
        return nil
    }
}

/// All lines from a descriptor, which is closed at its end, kept for any number of readers.
final class KeptLines: Sendable {
    private struct State {
        var lines: [String] = []
        var isOver = false
        var waiters: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    init(_ handle: FileHandle) {
        handle.readLines(closing: true) { [self] line in
            let waiters = state.withLock { state in
                if let line { state.lines.append(line) } else { state.isOver = true }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.finish() }
        }
    }

    /// The lines so far.
    var all: [String] { state.withLock(\.lines) }

    /// A line by its number from 0, once it has arrived; nil if there is none, or the task is cancelled.
    func line(_ number: Int) async -> String? {
        while !Task.isCancelled {
            let (change, waiter) = AsyncStream<Never>.makeStream()
            let (line, isOver) = state.withLock { state in
                let line = number < state.lines.count ? state.lines[number] : nil
                if line == nil { state.waiters.append(waiter) }
                return (line, state.isOver)
            }
            if line != nil || isOver { return line }
            for await _ in change {}
        }
        return nil
    }
}
