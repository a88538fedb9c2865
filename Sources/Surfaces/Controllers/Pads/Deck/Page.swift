import Grid
import Instrument
import Music

/// A pad of a controller: column 0 on the left, row 0 on top.
public struct PadPosition: Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// Whether another pad is one of the eight around this one.
    func isBeside(_ other: PadPosition) -> Bool {
        self != other && abs(column - other.column) <= 1 && abs(row - other.row) <= 1
    }
}

public struct PadCell: Hashable, Sendable {
    /// 0 to 43.
    public var column: Int
    /// 0 to 23.
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// How many pads of a controller are used: 8 by 8, 16 by 8 or 16 by 16.
public struct PadField: Hashable, Sendable {
    /// Pads in a row: 8 or 16.
    public let columns: Int
    /// Rows: 8 or 16.
    public let rows: Int

    /// Launchpads, and the smallest monome.
    public static let eight = PadField(columns: 8, rows: 8)

    /// The part that is used of a controller with this many pads.
    public init(columns: Int, rows: Int) {
        self.columns = columns >= 16 ? 16 : 8
        self.rows = rows >= 16 ? 16 : 8
    }

    /// Tracks that are shown at once, eight rows for each.
    var blocks: Int { rows / Page.blockRows }

    /// The row of the scenes, the last one.
    var sceneRow: Int { rows - 1 }
}

/// The part of the grid that a controller shows: one or two blocks, and eight or sixteen steps. A block is a track, or one
/// of the two rows of the overview, with its four zones one below the other.
public struct Page: Hashable, Sendable {
    /// Rows for a block: a track's notes, its slots, and the scenes or nothing.
    static let blockRows = 8
    /// The tracks, then the rows of the overview.
    private static let blockCount = Track.allCases.count + Layout.overviewRows.count
    private static let zoneCount = 4
    /// The row of a block with the track's slots.
    static let slotRow = 6
    private static let stepCount = 32

    /// The first block that is shown.
    private var block = 0
    public private(set) var firstStep = 0
    let field: PadField

    public init(_ field: PadField) { self.field = field }

    /// The first track that is shown, rhythm where there is none.
    public var track: Track { Track(rawValue: block) ?? .rhythm }

    /// The cell of a pad, nil for a dark pad.
    public func cell(of pad: PadPosition) -> PadCell? {
        guard (0..<field.columns).contains(pad.column), (0..<field.rows).contains(pad.row) else { return nil }
        let (block, row) = pad.row.quotientAndRemainder(dividingBy: Self.blockRows)
        if pad.row == field.sceneRow { return Self.slot(pad.column, of: .scenes) }
        guard let track = Track(rawValue: self.block + block) else {
            return zoneCell(column: pad.column, row: row, ofOverview: self.block + block - Track.allCases.count)
        }
        guard row <= Self.slotRow else { return nil }
        let rows = Layout.rows(of: track)
        if row == Self.slotRow { return Self.slot(pad.column, of: .track(track)) }
        guard row < rows.count else { return nil }
        return PadCell(column: Layout.column(ofStep: firstStep + pad.column), row: rows.lowerBound + row)
    }

    /// A cell of a zone; where there is room zones stand side by side.
    private func zoneCell(column: Int, row: Int, ofOverview index: Int) -> PadCell? {
        let zone = row * field.columns / Layout.stepsPerBar + column / Layout.stepsPerBar
        guard zone < Self.zoneCount, (0..<Layout.overviewRows.count).contains(index) else {
            return nil
        }
        let columns = Layout.columns(ofZone: zone)
        return PadCell(
            column: columns.lowerBound + column % Layout.stepsPerBar, row: Layout.overviewRows.lowerBound + index)
    }

    /// Whether a finger may move from one cell to another: not out of a zone of the overview.
    static func connects(_ cell: PadCell, _ other: PadCell) -> Bool {
        func zone(_ cell: PadCell) -> PadCell? {
            guard Layout.overviewRows.contains(cell.row) else { return nil }
            return Layout.zone(atColumn: cell.column).map { PadCell(column: $0, row: cell.row) }
        }
        return zone(cell) == zone(other)
    }

    /// The upper cell of a slot's or scene's pad on the grid.
    private static func slot(_ index: Int, of bank: SlotBank) -> PadCell? {
        guard index < Slot.count else { return nil }
        let pad = Pad(bank, index)
        return PadCell(column: Layout.column(of: pad), row: Layout.rows(of: pad).lowerBound)
    }

    /// Whether there are steps this many pages to the right, or to the left if negative.
    public func canTurn(steps: Int) -> Bool { (0...Self.stepCount - field.columns).contains(firstStep + steps * 8) }

    /// Whether there is a track, or a row of the overview, this far below, or above if negative.
    public func canTurn(tracks: Int) -> Bool {
        (0...Self.blockCount - field.blocks).contains(block + tracks)
    }

    /// Moves right by a number of pages of eight steps, if there are steps.
    mutating func turn(steps: Int) {
        if canTurn(steps: steps) { firstStep += steps * 8 }
    }

    /// Goes to another track, or to the overview, which is below them.
    mutating func turn(tracks: Int) {
        if canTurn(tracks: tracks) { block += tracks }
    }

    /// Turns to the playing step of its track, of the upper one if it has two.
    mutating func follow(_ event: StepEvent) {
        let step = event.tracks[track] ?? event.step
        guard (0..<Self.stepCount).contains(step), !(firstStep..<firstStep + field.columns).contains(step) else {
            return
        }
        firstStep = step / field.columns * field.columns
    }
}
