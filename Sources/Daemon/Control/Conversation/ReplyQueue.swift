import NIOCore

/// Sends a client's answers in the order of its requests, in whatever order they become ready.
struct ReplyQueue {
    /// Where an answer belongs.
    struct Ticket: Equatable {
        /// The number of the answered line, from 0.
        fileprivate(set) var line: Int
        /// Place in the line's batch, 0 outside batches.
        fileprivate(set) var place: Int
    }

    /// An answer line that is next.
    struct Reply: Equatable {
        /// See ``Ticket/line``.
        var line: Int
        /// The line, its newline included.
        var bytes: [UInt8]
    }

    private enum Line {
        /// Nil until answered.
        case single([UInt8]?)
        case batch(BatchReply)
    }

    private var lines = CircularBuffer<Line>()
    private var firstLine = 0

    /// Bytes of answers held back by earlier ones.
    private(set) var heldBytes = 0

    /// Reserves the place of one answer.
    mutating func open() -> Ticket {
        lines.append(.single(nil))
        return Ticket(line: firstLine + lines.count - 1, place: 0)
    }

    /// Reserves the places of a batch's answers, one or more.
    mutating func openBatch(of count: Int) -> [Ticket] {
        lines.append(.batch(BatchReply(of: count)))
        let line = firstLine + lines.count - 1
        return (0..<count).map { Ticket(line: line, place: $0) }
    }

    /// Puts an answer, without newline, into its place.
    mutating func fill(_ ticket: Ticket, with answer: [UInt8]) {
        let index = lines.index(lines.startIndex, offsetBy: ticket.line - firstLine)
        switch lines[index] {
        case .single(let earlier):
            precondition(earlier == nil, "answered twice")
            lines[index] = .single(answer)
        case .batch(let batch): batch.fill(ticket.place, with: answer)
        }
        heldBytes += answer.count
    }

    /// Removes and returns the next answer if it is complete.
    mutating func next() -> Reply? {
        var bytes: [UInt8]
        switch lines.first {
        case .single(let answer?):
            heldBytes -= answer.count
            bytes = answer
        case .batch(let batch) where batch.isComplete:
            heldBytes -= batch.size
            bytes = batch.array
        case .single, .batch, nil: return nil
        }
        lines.removeFirst()
        lines.releaseIfEmpty()
        defer { firstLine += 1 }
        bytes.append(UInt8(ascii: "\n"))
        return Reply(line: firstLine, bytes: bytes)
    }
}

/// The answers of one batch. A class, because changing an element of a `CircularBuffer` copies it first: each answer of
/// a large batch would copy all earlier ones.
private final class BatchReply {
    private var answers: [[UInt8]]
    private var missing: Int
    /// Bytes of the answers.
    private(set) var size = 0

    init(of count: Int) {
        answers = Array(repeating: [], count: count)
        missing = count
    }

    var isComplete: Bool { missing == 0 }

    func fill(_ place: Int, with answer: [UInt8]) {
        precondition(missing > 0, "answered twice")
        answers[place] = answer
        missing -= 1
        size += answer.count
    }

    /// The answers as a JSON array.
    var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + answers.count + 2)
        bytes.append(UInt8(ascii: "["))
        for (place, answer) in answers.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: answer)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}
