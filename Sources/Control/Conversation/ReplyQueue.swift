import NIOCore

/// Puts the answers of one client into the order of its questions, whichever is ready first.
struct ReplyQueue {
    /// Where an answer belongs.
    struct Ticket: Equatable {
        /// Numbers the lines that are answered, from 0.
        fileprivate(set) var line: Int
        /// Place in the line's batch, 0 outside batches.
        fileprivate(set) var place: Int
    }

    /// An answer line whose turn it is.
    struct Reply: Equatable {
        /// See ``Ticket/line``.
        var line: Int
        /// The line, its newline included.
        var bytes: [UInt8]
    }

    private struct Line {
        var answers: [[UInt8]]
        var missing: Int
        var isBatch: Bool
    }

    private var lines = CircularBuffer<Line>()
    private var firstLine = 0

    /// Bytes of answers that wait for earlier ones.
    private(set) var heldBytes = 0

    /// Whether every question was answered and taken.
    var isEmpty: Bool { lines.isEmpty }

    /// Opens the place of one answer.
    mutating func open() -> Ticket {
        lines.append(Line(answers: [[]], missing: 1, isBatch: false))
        return Ticket(line: firstLine + lines.count - 1, place: 0)
    }

    /// Opens the places of a batch's answers, one or more.
    mutating func openBatch(of count: Int) -> [Ticket] {
        lines.append(Line(answers: Array(repeating: [], count: count), missing: count, isBatch: true))
        let line = firstLine + lines.count - 1
        return (0..<count).map { Ticket(line: line, place: $0) }
    }

    /// Puts an answer, without newline, into its place.
    mutating func fill(_ ticket: Ticket, with answer: [UInt8]) {
        let index = lines.index(lines.startIndex, offsetBy: ticket.line - firstLine)
        precondition(lines[index].missing > 0, "answered more often than asked")
        lines[index].answers[ticket.place] = answer
        lines[index].missing -= 1
        heldBytes += answer.count
    }

    /// Takes the next answer if it is complete.
    mutating func next() -> Reply? {
        guard let first = lines.first, first.missing == 0 else { return nil }
        lines.removeFirst()
        lines.releaseIfEmpty()
        defer { firstLine += 1 }
        heldBytes -= first.answers.reduce(0) { $0 + $1.count }
        var bytes = first.isBatch ? ReplyQueue.array(of: first.answers) : first.answers[0]
        bytes.append(UInt8(ascii: "\n"))
        return Reply(line: firstLine, bytes: bytes)
    }

    private static func array(of answers: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        bytes.reserveCapacity(answers.reduce(3) { $0 + $1.count + 1 })
        bytes.append(contentsOf: answers.joined(separator: [UInt8(ascii: ",")]))
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}
