import Grid
import Music

/// Where a tap was, as far as double taps care.
enum TapSpot: Equatable, Sendable {
    /// A step of the slot that was shown.
    case step(Slot, step: Int, row: Int)
    case pad(Pad)
    /// Rows 1, 22 and 23.
    case outside(column: Int, row: Int)

    /// Whether a second tap there makes a double tap: on tracks at most one row away on the same step and slot, on pads
    /// on the same pad, elsewhere at most one cell away.
    func pairs(with other: TapSpot) -> Bool {
        switch (self, other) {
        case (.step(let slot, let step, let row), .step(let otherSlot, let otherStep, let otherRow)):
            slot == otherSlot && step == otherStep && abs(row - otherRow) <= 1
        case (.pad(let pad), .pad(let otherPad)): pad == otherPad
        case (.outside(let column, let row), .outside(let otherColumn, let otherRow)):
            abs(column - otherColumn) <= 1 && abs(row - otherRow) <= 1
        default: false
        }
    }
}

/// A tap that another may follow soon.
struct QuickTap: Equatable, Sendable {
    let client: ClientID
    let spot: TapSpot
    let downAt: TouchMoment
    /// Whether a second tap completes a pair; not in a run of taps that began on an empty step.
    let isHalfAPair: Bool
    /// The history's revision after the tap's edit, nil when it made none.
    let revision: Int?
}

/// Each client's taps in the quarter of a second before its last touch.
struct QuickTaps: Sendable {
    private var taps: [QuickTap] = []

    /// Keeps a tap that just ended.
    mutating func remember(_ tap: QuickTap) { taps.append(tap) }

    /// Removes and returns the tap that a `down` makes a pair with, if there is one.
    mutating func claim(_ spot: TapSpot, by client: ClientID, at now: TouchMoment) -> QuickTap? {
        taps.removeAll { $0.client == client && now.elapsed(since: $0.downAt) > Threshold.doubleTap }
        guard let index = taps.lastIndex(where: { $0.client == client && $0.spot.pairs(with: spot) }) else {
            return nil
        }
        return taps.remove(at: index)
    }

    mutating func forget(_ client: ClientID) { taps.removeAll { $0.client == client } }
}
