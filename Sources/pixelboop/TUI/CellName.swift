import Grid
import Music

extension Layout {
    /// A cell in words, as the page has them: "Melody, C or C sharp, step 5", or with its label "Melody, C, step 5"; "nothing"
    /// where nothing is.
    static func name(ofColumn column: Int, row: Int, label: String = "") -> String {
        let name = part(atColumn: column, row: row, label: label) ?? "nothing"
        return name == "nothing" ? name : name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func part(atColumn column: Int, row: Int, label: String) -> String? {
        let step = isSeparator(column: column) ? nil : step(atColumn: column).map { "step \($0 + 1)" }
        if row == controlRow { return ControlCell.at(column: column)?.words }
        if row == markerRow { return step }
        if let pad = pad(atColumn: column, row: row) { return pad.words }
        guard let track = track(atRow: row) else { return step.map { "overview, \($0)" } }
        switch column {
        case muteColumn: return "\(track.name), mute"
        case soloColumn: return "\(track.name), solo"
        case meterColumn: return "\(track.name), sound and level"
        default: return step.map { "\(track.name), \(notes(of: track, row: row, label: label)), \($0)" }
        }
    }

    /// The note that the label names; without one all that the row covers.
    private static func notes(of track: Track, row: Int, label: String) -> String {
        if let note = (0..<Track.noteCount).first(where: { track.label(of: $0) == label }) {
            return track.word(for: note)
        }
        return notes(of: track, row: row).map(track.word).joined(separator: " or ")
    }
}

extension Track {
    fileprivate func label(of note: Int) -> String {
        isPitched ? PitchClass(note).name : Drum.allCases[note].abbreviation
    }

    fileprivate func word(for note: Int) -> String {
        isPitched ? PitchClass(note).words : Drum.allCases[note].title.lowercased().replacing("2", with: " 2")
    }
}

extension PitchClass {
    fileprivate var words: String { name.replacing("#", with: " sharp") }
}

extension Pad {
    fileprivate var words: String {
        switch bank {
        case .track(let track): "\(track.name), slot \(index + 1)"
        case .scenes: "scene \(index + 1)"
        }
    }
}

extension ControlCell {
    fileprivate var words: String {
        switch self {
        case .musicKey: "play or stop; hold: colours"
        case .playStop: "play or stop; hold: record"
        case .undo: "undo"
        case .redo: "redo"
        case .scale(.penta): "pentatonic"
        case .scale(let scale): scale.name
        case .root(let root): "key of \(root.words)"
        case .ghosts: "ghosts of other tracks"
        case .tempoDown: "slower"
        case .tempo: "tempo; hold: sync"
        case .tempoUp: "faster"
        case .lengthDown: "shorter"
        case .length: "length"
        case .lengthUp: "longer"
        case .scrub: "scrub indicator"
        case .clear: "clear: hold"
        }
    }
}
