import Grid
import Instrument
import Music

extension Layout {
    /// The name of a cell, the same as on the page: "Melody, C or C sharp, step 5", or with its label "Melody, C, step
    /// 5"; "nothing" for an unused cell. With a lens: "Melody, C or C sharp, step 5, chance 50 percent".
    static func name(
        ofColumn column: Int, row: Int, label: String = "", lenses: OpenLenses = OpenLenses()
    ) -> String {
        let name = part(atColumn: column, row: row, label: label, lenses) ?? "nothing"
        return name == "nothing" ? name : name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func part(atColumn column: Int, row: Int, label: String, _ lenses: OpenLenses) -> String? {
        let step = isSeparator(column: column) ? nil : step(atColumn: column).map { "step \($0 + 1)" }
        if row == controlRow { return ControlCell.at(column: column)?.words }
        if row == markerRow { return step.map { "\($0); hold: fill" } }
        if let pad = pad(atColumn: column, row: row) { return pad.words }
        guard let track = track(atRow: row) else {
            let tracks = row == overviewRows.lowerBound ? "" : " on rhythm"
            let effect = zone(atColumn: column).flatMap(PunchEffect.init(rawValue:))
            return step.flatMap { step in effect.map { "overview, \(step); hold: \($0.name)\(tracks)" } }
        }
        switch column {
        case muteColumn: return "\(track.name), mute"
        case soloColumn: return "\(track.name), solo"
        case meterColumn: return "\(track.name), sound and level; hold: lens"
        case lensColumn: return lenses[track].map { "\(track.name), lens: \($0.name)" }
        default:
            if let lens = lenses[track] {
                let value = label.isEmpty ? "" : ", \(lens.name) \(lens.words(for: label))"
                return step.map { "\(track.name), \(notes(of: track, row: row, label: "")), \($0)\(value)" }
            }
            return step.map { "\(track.name), \(notes(of: track, row: row, label: label)), \($0)" }
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

extension Lens {
    fileprivate func words(for label: String) -> String {
        switch self {
        case .level: "minus \(label.filter(\.isNumber)) decibels"
        case .chance: "\(label) percent"
        case .cycle:
            ["1F": "first", "N1": "not first", "F": "fill", "NF": "not fill"][label]
                ?? label.map(String.init).joined(separator: " of ")
        case .ratchet: "\(label.filter(\.isNumber)) times"
        case .nudge: "\(nudge(of: label)) percent"
        case .length, .speed, .gain, .pan, .tone, .reverb, .delay, .width, .filter, .drive, .lfoDepth: label
        }
    }

    /// The nudge that a label abbreviates to tens: +25 for +2.
    private func nudge(of label: String) -> String {
        let row = NoteValue.nudge.row
        return row.choices.first { row.label($0) == label }.map { $0 > 0 ? "+\($0)" : "\($0)" } ?? label
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
        case .scrub: "scrub indicator; hold: catch"
        case .clear: "clear: hold"
        }
    }
}
