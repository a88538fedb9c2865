import Music

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
            guard steps.count <= Cells.stepCount else { return nil }
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
                let steps = (0..<Cells.stepCount).map { self[track, note, $0] }
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
