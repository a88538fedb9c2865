import Foundation

/// Reads lines from a descriptor on a thread of its own, until its end.
public final class LineReader: Sendable {
    private let lines: AsyncStream<String>

    /// Reads from a descriptor that the handle keeps open.
    public init(_ handle: FileHandle) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var rest = Data()
            while case let chunk = handle.availableData, !chunk.isEmpty {
                rest += chunk
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<newline], as: UTF8.self))
                    rest = Data(rest[(newline + 1)...])
                }
            }
            continuation.finish()
        }
    }

    /// The next line, nil at the end; for one reader at a time.
    public func next() async -> String? {
        for await line in lines { return line }
        return nil
    }
}
