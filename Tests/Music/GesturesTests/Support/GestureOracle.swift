import Music

/// What drags write according to the page on gestures, computed independently: by counting on ladders of pitches and in
/// whole-number fractions.
struct GestureOracle {
    enum Direction: CaseIterable {
        case right
        case left
        case up
        case down
        case upRight
        case upLeft
        case downRight
        case downLeft

        var columns: Int {
            switch self {
            case .right, .upRight, .downRight: 1
            case .left, .upLeft, .downLeft: -1
            case .up, .down: 0
            }
        }

        var rows: Int {
            switch self {
            case .down, .downRight, .downLeft: 1
            case .up, .upRight, .upLeft: -1
            case .right, .left: 0
            }
        }
    }

    struct Drag {
        let track: Track
        let row: Int
        let step: Int
        let direction: Direction
        /// Cells crossed, both ways on a diagonal.
        let distance: Int
        let held: Bool
        /// The steps in the order in which they were touched, if the drag is not straight.
        var path: [Int]?
    }

    typealias Written = [Int: [Int: Velocity]]

    private static let tops: [Track: Int] = [.melody: 2, .chords: 8, .bass: 14, .rhythm: 18]
    private static let heights: [Track: Int] = [.melody: 6, .chords: 6, .bass: 4, .rhythm: 4]
    /// From the top row down.
    private static let primaries: [Track: [Int]] = [
        .melody: [11, 9, 7, 4, 2, 0], .chords: [11, 9, 7, 4, 2, 0], .bass: [9, 7, 4, 0], .rhythm: [9, 7, 3, 0],
    ]
    private static let intervals: [Scale: [Int]] = [
        .major: [0, 2, 4, 5, 7, 9, 11], .minor: [0, 2, 3, 5, 7, 8, 10], .penta: [0, 2, 4, 7, 9],
    ]

    let root: Int
    let scale: Scale

    /// The notes of the scale on the track, from low to high.
    var notes: [Int] { (0..<12).filter { GestureOracle.intervals[scale]!.contains(($0 + 24 - root) % 12) } }

    static func rows(of track: Track) -> [Int] { (0..<heights[track]!).map { tops[track]! + $0 } }

    /// The row's first candidate.
    func note(_ track: Track, row: Int) -> Int {
        let local = row - GestureOracle.tops[track]!
        let primary = GestureOracle.primaries[track]![local]
        if track == .rhythm || notes.contains(primary) { return primary }
        let size = 12 / GestureOracle.heights[track]!
        let lowest = 12 - size * (local + 1)
        return (lowest..<lowest + size).first { notes.contains($0) } ?? nearest(primary, 1)
    }

    /// The note of the scale nearest to a fraction, of two equally near the higher.
    func nearest(_ numerator: Int, _ denominator: Int) -> Int {
        notes.reversed().min { abs($0 * denominator - numerator) < abs($1 * denominator - numerator) }!
    }

    /// The tone this many degrees from a note, on a ladder of seven notes an octave.
    func tone(_ degrees: Int, from note: Int) -> Int {
        let seven = GestureOracle.intervals[scale == .penta ? .major : scale]!
        let ladder = (0..<60).filter { seven.contains(($0 + 60 - root) % 12) }
        let pitch = ladder[ladder.firstIndex(of: note + 24)! + degrees] % 12
        return scale == .penta ? nearest(pitch, 1) : pitch
    }

    func stacked(_ count: Int, on note: Int) -> [Int] {
        (0..<count).map { tone(2 * $0, from: note) }.reduce(into: []) { tones, tone in
            if !tones.contains(tone) { tones.append(tone) }
        }
    }

    func written(by drag: Drag) -> Written {
        let start = note(drag.track, row: drag.row)
        let v: Velocity = drag.held ? .accent : .normal
        if drag.direction.columns == 0 { return [drag.step: upright(drag, start, v)] }

        let steps = drag.path ?? (0...drag.distance).map { drag.step + $0 * drag.direction.columns }
        if drag.held, drag.direction.rows == 0, drag.track != .rhythm { return sustained(drag, start, steps.sorted()) }
        let line = drag.direction.rows == 0 ? level(drag, start, steps.count) : slanted(drag, start, steps.count)
        var written: Written = [:]
        for (index, step) in steps.enumerated() { written[step] = [line[index]: index == 0 ? v : .normal] }
        if drag.track == .rhythm, drag.direction.rows == 0 { written[steps.last!] = [start: v] }
        return written
    }

    /// The text that a drag shows.
    func text(of drag: Drag, named name: (_ note: Int) -> String) -> String {
        switch (drag.direction.columns, drag.direction.rows, drag.track) {
        case (_, 0, .rhythm): "ROLL"
        case (_, 0, _) where drag.held: "SUSTAIN"
        case (_, 0, .bass): "WALK"
        case (_, 0, _): "ARPEGGIO"
        case (0, _, .melody): name(note(.melody, row: fingerRow(drag)))
        case (0, _, .chords): "CHORD"
        case (0, _, .bass): "ROOT+5"
        case (0, _, .rhythm): "MULTI"
        case (_, _, .melody), (_, _, .chords): "PHRASE"
        default: "FILL"
        }
    }

    /// A diagonal drag's note on each touched step, wherever the finger went: on the line from the start's note to the
    /// finger's; the start's behind the start, and the finger's beyond the finger.
    func phrase(
        on track: Track, from start: (step: Int, row: Int), to finger: (step: Int, row: Int), touching steps: [Int]
    ) -> [Int: Int] {
        let rows = GestureOracle.rows(of: track)
        let first = note(track, row: start.row)
        let last = note(track, row: min(max(finger.row, rows.first!), rows.last!))
        let whole = abs(finger.step - start.step)
        let direction = (finger.step - start.step).signum()
        return Dictionary(
            uniqueKeysWithValues: steps.map { step in
                // If the finger is back on the start's step, all others lie beyond it.
                let part = whole == 0 ? abs(step - start.step) : direction * (step - start.step)
                if part <= 0 { return (step, first) }
                if part >= whole { return (step, last) }
                let numerator = first * whole + (last - first) * part
                return (step, track == .rhythm ? (2 * numerator + whole) / (2 * whole) : nearest(numerator, whole))
            })
    }

    private func level(_ drag: Drag, _ start: Int, _ count: Int) -> [Int] {
        let leftwards = drag.direction == .left
        switch drag.track {
        case .melody:
            // Up and down the scale repeatedly, without repeating the ends.
            let there = leftwards ? Array(notes.reversed()) : notes
            let andBack = there + there.dropFirst().dropLast().reversed()
            let begin = there.firstIndex(of: start)!
            return (0..<count).map { andBack[(begin + $0) % andBack.count] }
        case .chords:
            let tones = stacked(4, on: start)
            let turns = leftwards ? Array(tones.reversed()) : tones
            return (0..<count).map { turns[$0 % turns.count] }
        case .bass:
            let fifth = tone(4, from: start)
            return (0..<count).map { $0 % 4 == 0 ? start : $0 % 4 == 2 ? tone(2, from: start) : fifth }
        case .rhythm:
            return Array(repeating: start, count: count)
        }
    }

    private func slanted(_ drag: Drag, _ start: Int, _ count: Int) -> [Int] {
        let end = note(drag.track, row: fingerRow(drag))
        return (0..<count).map { index in
            let numerator = start * drag.distance + (end - start) * index
            if drag.track != .rhythm { return nearest(numerator, drag.distance) }
            return (2 * numerator + drag.distance) / (2 * drag.distance)
        }
    }

    private func upright(_ drag: Drag, _ start: Int, _ v: Velocity) -> [Int: Velocity] {
        let (row, finger) = (drag.row, fingerRow(drag))
        switch drag.track {
        case .melody: return [note(.melody, row: finger): v]
        case .chords:
            let tones = stacked(4, on: start).prefix(max(2, min(4, abs(row - finger) + 1)))
            return Dictionary(uniqueKeysWithValues: tones.map { ($0, v) })
        case .bass: return [start: v, tone(drag.direction == .down ? -4 : 4, from: start): .normal]
        case .rhythm:
            let rows = GestureOracle.rows(of: .rhythm).filter { min(row, finger) <= $0 && $0 <= max(row, finger) }
            return Dictionary(uniqueKeysWithValues: rows.map { (note(.rhythm, row: $0), v) })
        }
    }

    private func sustained(_ drag: Drag, _ start: Int, _ steps: [Int]) -> Written {
        let tones: [Int]
        switch drag.track {
        case .chords: tones = stacked(3, on: start)
        case .bass: tones = [start, tone(4, from: start)]
        default: tones = [start]
        }
        var written: Written = [:]
        for step in steps {
            for tone in tones { written[step, default: [:]][tone] = .sustain }
        }
        for tone in tones {
            written[steps[0]]![tone] = drag.track == .bass && tone != start ? .normal : .accent
        }
        return written
    }

    private func fingerRow(_ drag: Drag) -> Int {
        let rows = GestureOracle.rows(of: drag.track)
        return max(rows.first!, min(rows.last!, drag.row + drag.distance * drag.direction.rows))
    }
}
