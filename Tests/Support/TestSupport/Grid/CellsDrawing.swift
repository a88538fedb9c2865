import Music

/// The notes that all tracks play, for tests to write, draw and compare.
public struct Cells: Equatable, Sendable {
    private var slots = [SlotNotes](repeating: SlotNotes(), count: Track.allCases.count)

    /// No notes.
    public init() {}

    /// The notes of a track.
    public subscript(track: Track) -> SlotNotes {
        get { slots[track.rawValue] }
        set { slots[track.rawValue] = newValue }
    }

    /// The notes of a track on a step.
    public subscript(track: Track, step: Int) -> StepNotes {
        get { self[track][step] }
        set { self[track][step] = newValue }
    }

    /// A note of a track on a step.
    public subscript(track: Track, note: Int, step: Int) -> Velocity {
        get { self[track][note, step] }
        set { self[track][note, step] = newValue }
    }

    /// How many notes are not off.
    public var count: Int { slots.reduce(0) { $0 + $1.count } }

    /// Whether all notes are off.
    public var isEmpty: Bool { slots.allSatisfy(\.isEmpty) }
}

extension StepNotes {
    /// Any notes.
    public static func random(using generator: inout some RandomNumberGenerator) -> StepNotes {
        var step = StepNotes()
        for note in 0..<Track.noteCount { step[note] = Velocity.allCases.randomElement(using: &generator)! }
        return step
    }
}

extension Note {
    /// Any note; about half of those that start have values other than the defaults.
    public static func random(using generator: inout some RandomNumberGenerator) -> Note {
        var note = Note(Velocity.allCases.randomElement(using: &generator)!)
        guard Bool.random(using: &generator) else { return note }
        for value in NoteValue.allCases where Bool.random(using: &generator) {
            note[value] = .random(in: value.range, using: &generator)
        }
        return note
    }
}

extension Motions {
    /// Any points, mostly few of few parameters.
    public static func random(using generator: inout some RandomNumberGenerator) -> Motions {
        var motions = Motions()
        for parameter in Parameter.movable where Int.random(in: 0..<3, using: &generator) == 0 {
            guard case .number(let range, _, _, _) = parameter.row.kind() else { continue }
            let most = Int.random(in: 0..<8, using: &generator) == 0 ? 64 : 4
            for _ in 0..<Int.random(in: 1...most, using: &generator) {
                let step = Int.random(in: 0..<SlotNotes.stepCount, using: &generator)
                motions[parameter, step] = .random(in: range, using: &generator)
            }
        }
        return motions
    }
}

extension Pattern {
    /// The playing notes.
    public var cells: Cells {
        get {
            var cells = Cells()
            for track in Track.allCases { cells[track] = self[track] }
            return cells
        }
        set { for track in Track.allCases { self[track] = newValue[track] } }
    }

    /// The playing notes that sound.
    public var soundingCells: Cells {
        var cells = Cells()
        for track in Track.allCases { cells[track] = sounding(track) }
        return cells
    }

    /// The playing slots with other notes.
    public func slots(_ cells: Cells) -> [Slot: SlotNotes] {
        Dictionary(uniqueKeysWithValues: playing.all.map { ($0, cells[$0.track]) })
    }
}

extension Document {
    /// Writes all playing slots as one undo step.
    @discardableResult
    public mutating func edit(_ cells: Cells) -> Bool { apply(.edit(pattern.slots(cells))) }
}

extension Cells {
    private static let symbols: [(character: Character, velocity: Velocity)] = [
        (".", .off), ("o", .normal), ("X", .accent), ("-", .sustain),
    ]

    /// Cells from a drawing: a line for each note that is not off throughout, with the track's name, the note's number
    /// and its steps from 0 on (`.` off, `o` normal, `X` accent, `-` sustain; spaces between them are for the eye).
    ///
    ///     melody 7  o---.... X.o.
    ///     rhythm 0  o...o... o...
    ///
    /// Nil when a line cannot be read.
    public init?(drawnAs text: String) {
        self.init()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, let track = Track(name: String(words[0])), let note = Int(words[1]),
                (0..<Track.noteCount).contains(note)
            else { return nil }
            let steps = words[2...].joined()
            guard steps.count <= SlotNotes.stepCount else { return nil }
            for (step, character) in steps.enumerated() {
                guard let symbol = Cells.symbols.first(where: { $0.character == character }) else { return nil }
                self[track, note, step] = symbol.velocity
            }
        }
    }

    /// The drawing of these cells, from the top of the grid to the bottom, in groups of eight steps.
    public var drawing: String {
        var lines: [String] = []
        for track in Track.allCases {
            for note in (0..<Track.noteCount).reversed() {
                let steps = (0..<SlotNotes.stepCount).map { self[track, note, $0] }
                if steps.contains(where: { $0 != .off }) {
                    lines.append("\(track.name) \(note) \(Cells.drawing(of: steps))")
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func drawing(of steps: [Velocity]) -> String {
        stride(from: 0, to: steps.count, by: 8).map { bar in
            String(steps[bar..<(bar + 8)].map { step in symbols.first { $0.velocity == step }!.character })
        }.joined(separator: " ")
    }
}
