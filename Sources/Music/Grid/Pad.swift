import Music

/// A pad on the right of the grid, which launches a slot or a scene.
public struct Pad: Hashable, Sendable {
    /// The track whose slot it launches, or the scenes.
    public var bank: SlotBank
    /// The slot's or scene's index, 0 to 7.
    public var index: Int

    /// The pad of a slot or scene, index 0 to 7.
    public init(_ bank: SlotBank, _ index: Int) {
        self.bank = bank
        self.index = index
    }

    public static let all = SlotBank.all.flatMap { bank in (0..<Slot.count).map { Pad(bank, $0) } }
}

extension Layout {
    /// Columns of the pads; the first four pads of a bank are above the others.
    public static let padColumns = 40...43

    public static func rows(of bank: SlotBank) -> ClosedRange<Int> {
        switch bank {
        case .track(let track): rows(of: track)
        case .scenes: overviewRows
        }
    }

    public static func rows(of pad: Pad) -> ClosedRange<Int> {
        let rows = rows(of: pad.bank)
        let middle = rows.lowerBound + rows.count / 2
        return pad.index < padColumns.count ? rows.lowerBound...(middle - 1) : middle...rows.upperBound
    }

    public static func column(of pad: Pad) -> Int { padColumns.lowerBound + pad.index % padColumns.count }

    /// The pad at a place, nil where there is none.
    public static func pad(atColumn column: Int, row: Int) -> Pad? {
        guard padColumns.contains(column), let bank = SlotBank.all.first(where: { rows(of: $0).contains(row) })
        else { return nil }
        return pad(of: bank, nearestColumn: column, row: row)
    }

    /// The pad of a bank that is nearest to a place.
    public static func pad(of bank: SlotBank, nearestColumn column: Int, row: Int) -> Pad {
        let rows = rows(of: bank)
        let isUpper = row < rows.lowerBound + rows.count / 2
        let place = max(padColumns.lowerBound, min(column, padColumns.upperBound)) - padColumns.lowerBound
        return Pad(bank, place + (isUpper ? 0 : padColumns.count))
    }
}
