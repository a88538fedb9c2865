import Grid
import Music

/// What a tooltip belongs to, which decides its place.
enum TooltipAnchor {
    /// A control: right below the controls and the step markers.
    case control
    /// A gesture: above the finger where there is room, else below, so that the finger covers none of it.
    case finger(Place)

    /// First row of the text.
    var row: Int {
        switch self {
        case .control: return Layout.trackRows.lowerBound
        case .finger(let place):
            let above = place.row - 7
            return above >= Layout.trackRows.lowerBound ? above : place.row + 3
        }
    }
}

extension Track {
    /// The name of a note or drum: `E4`, `CLOSED HAT`.
    func title(of note: Int) -> String {
        guard isPitched else { return Drum.allCases[note].title }
        let pitch = midiPitch(of: note)
        return "\(PitchClass(pitch).name)\(pitch / 12 - 1)"
    }
}

extension Named {
    /// The name in upper case.
    var title: String { name.uppercased() }
}

extension Lens {
    /// The name in upper case, a motion's as on a slider: `LFO DEPTH`.
    var title: String {
        if case .motion(let parameter) = kind { parameter.row.title.uppercased() } else { name.uppercased() }
    }
}

extension Parameter {
    /// A value of a motion: `-6 DB`, `PAN 0.6`, `TONE -12`, `LFO 1`.
    func title(of value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let number =
            tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        if case .number(_, .decibels, _, _) = row.kind() { return "\(number) DB" }
        return "\(row.title.prefix { $0 != " " }.uppercased()) \(number)"
    }
}

extension SlotNotes {
    /// A slot's own length, `12 STEPS`, or that it has none.
    static func title(ofLength length: Int?) -> String { length.map { "\($0) STEPS" } ?? "FOLLOWS" }
}

extension Key {
    /// `C# MAJOR`.
    var title: String { "\(root.name) \(scale.name.uppercased())" }
}
