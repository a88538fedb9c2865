import Gestures
import Glibc
import Grid
import JSON
import Music
import Wire

/// Touches of a finger, in a loop, one every 5 ms.
struct TimedFinger {
    private struct Touch {
        let line: [UInt8]
        /// The index of a cell that it changes, nil if it changes none.
        let changes: Int?
    }

    private let touches: [Touch]

    /// Seconds from one touch to the next.
    static let pace = 0.005
    /// The row of the closed hat: the demo has none, so that a preview is always seen.
    private static let row = Layout.row(of: .rhythm, note: 7)

    private static let cancel = touch(.cancel, step: SlotNotes.stepCount - 1)

    /// How many touches of one round change the picture.
    var round: Int { touches.count { $0.changes != nil } }

    /// Draws a roll across all steps, step by step, and cancels it.
    static let drags = TimedFinger(
        touches: [touch(.down, step: 0, changes: false)] + (1..<SlotNotes.stepCount).map { touch(.move, step: $0) }
            + [cancel])

    /// Taps each step in turn, on one step slower than a double tap, until all are empty again: through the row's three
    /// drums, where down already shows the result of up, and a removal, which up shows.
    static let taps = TimedFinger(
        touches: (0...3).flatMap { tap in
            (0..<SlotNotes.stepCount).flatMap { step in
                [touch(.down, step: step, changes: tap < 3), touch(.up, step: step)]
            }
        })

    private static func touch(_ phase: TouchPhase, step: Int, changes: Bool = true) -> Touch {
        let column = Layout.column(ofStep: step)
        let parameters: JSONObject = [
            "touch": 1, "phase": .string(phase.rawValue), "x": .number(Double(column) + 0.5),
            "y": .number(Double(row) + 0.5),
        ]
        let line = Request(id: nil, method: "touch", parameters: .byName(parameters)).line
        return Touch(line: line, changes: changes ? row * Frame.columns + column : nil)
    }

    /// Sends touches at a constant pace.
    ///
    /// - Parameter awaiting: Returns when the touch's effect has arrived: a change of the picture that includes the
    ///   given cell, nil for no effect.
    /// - Returns: How long that took in seconds, for the requested number of touches that change the picture.
    func times(of count: Int, on socket: some LineChannel, awaiting: (Int?) throws -> Void) throws -> [Double] {
        // Cancels what the last turn left pending, so that its change does not mix with the first of this turn.
        try socket.send(Self.cancel.line)
        try awaiting(nil)
        var times: [Double] = []
        var next = monotonicSeconds() + 10 * Self.pace
        var index = 0
        while times.count < count {
            let touch = touches[index % touches.count]
            index += 1
            next = max(next + Self.pace, monotonicSeconds())
            sleep(untilMonotonic: next)
            let start = monotonicSeconds()
            try socket.send(touch.line)
            try awaiting(touch.changes)
            if touch.changes != nil { times.append(monotonicSeconds() - start) }
        }
        return times
    }
}

extension LineChannel {
    /// Reads until a change of the picture that includes a cell; nil reads nothing.
    func awaitChange(of cell: Int?) throws {
        let deadline = monotonicSeconds() + 10
        while let cell {
            guard monotonicSeconds() < deadline else {
                throw BenchmarkRig.Failure(description: "a touch did not change the cell \(cell)")
            }
            let line = try line()
            if FrameLine.changes(cell, in: line) { return }
        }
    }
}

/// The daemon's `frame` notification, examined without parsing JSON, which would take longer than the rest.
private enum FrameLine {
    /// Whether a line lists a cell, in its only array: index and colour alternate.
    static func changes(_ cell: Int, in line: UnsafeRawBufferPointer) -> Bool {
        guard let start = memchr(line.baseAddress!, CInt(UInt8(ascii: "[")), line.count) else { return false }
        var (number, isIndex) = (0, true)
        for byte in line[(line.baseAddress!.distance(to: start) + 1)...] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = 10 * number + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ","):
                if isIndex, number == cell { return true }
                (number, isIndex) = (0, !isIndex)
            default: return false
            }
        }
        return false
    }
}
