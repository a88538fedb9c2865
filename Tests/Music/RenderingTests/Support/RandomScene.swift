import Grid
import Music
import Rendering
import TestSupport

/// Scenes in which everything is random.
struct RandomScene {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        now = .nanoseconds(Int64.random(in: 10_000_000_000..<60_000_000_000, using: &generator))
    }

    /// Some time in the first minute; scenes light up shortly before ``now``.
    var moment: Duration { now }
    private let now: Duration

    mutating func scene() -> Scene {
        var scene = Scene(document: document())
        scene.isPlaying = flip()
        if flip(of: 4) {
            let steps = flip() ? nil : Track.allCases.map { _ in int(0...31) }
            scene.playhead = Playhead(
                step: int(0...31), trackSteps: steps, songStep: int(0...999), startedAt: flip() ? recently(200) : nil)
        }
        if flip() {
            let tracks = Track.allCases + Track.allCases
            scene.pulses = tracks.filter { _ in flip(of: 4) }.map { pulse(of: $0, in: scene.document) }
        }
        for _ in 0..<int(0...3) { scene.previews.append((0..<int(0...40)).map { _ in previewCell() }) }
        if flip() { scene.tooltip = (Tooltip(text: text(), row: int(-3...24)), flip() ? recently(1500) : nil) }
        for _ in 0..<int(0...3) { request(&scene) }
        if flip() { scene.pickedUp = [Pad.all[int(0...39)], Pad.all[int(0...39)]] }
        for track in Track.allCases where flip() {
            scene.lenses[track] = Lens.allCases.randomElement(using: &generator)
        }
        scene.isFilling = flip()
        for zone in 0..<4 where flip() {
            scene.punchBars.append(PunchBar(zone: zone, amount: Double(int(0...80)) / 80, isRhythmAlone: flip()))
        }
        if flip() { scene.scrubChanges = int(0...5) }
        scene.canCatch = flip()
        scene.levels = (0..<4).map { _ in flip(of: 5) ? Double(int(-40...3)) : flip() ? -.infinity : .nan }
        return scene
    }

    private mutating func request(_ scene: inout Scene) {
        let bank = SlotBank.all[int(0...4)]
        let request: LaunchRequest =
            flip() ? .launch(bank, int(0...7), .queued) : .chain(bank, [int(0...7), int(0...7), int(0...7)])
        scene.launches.accept(request, playing: scene.document.pattern.playing)
        if flip() { scene.launches.launched(on: Track.allCases[int(0...3)]) }
    }

    private mutating func document() -> Document {
        var document = Document()
        document.set(.launchQuantum, to: .choice(LaunchQuantum.allCases[int(0...3)]))
        for _ in 0..<int(0...5) {
            let slot = Slot(Track.allCases[int(0...3)], int(0...7))
            document.apply(.edit([slot: cells(density: 2)[slot.track]]))
            document.launch(flip() ? [Slot(slot.track, int(0...7))] : Slot.scene(int(0...1)))
        }
        document.set(.length, to: .number(Double(int(8...32))))
        document.set(.root, to: .choice(PitchClass(int(0...11))))
        document.set(.scale, to: .choice(Scale.allCases[int(0...2)]))
        document.set(.tempo, to: .number(Double(int(2000...30000)) / 100))
        document.edit(cells(density: int(0...12)))
        for track in Track.allCases where flip() {
            var slot = document.pattern[track]
            slot.length = flip() ? nil : int(1...32)
            slot.speed = Speed.choices(rows: 4).randomElement(using: &generator)!
            for parameter in Parameter.movable {
                for _ in 0..<int(0...4) {
                    let range = parameter.row.motion!
                    slot.motions[parameter, int(0...31)] = Double.random(in: range, using: &generator)
                }
            }
            document.apply(.edit([document.pattern.playing[track]: slot]))
        }
        if flip() { document.apply(.undo) }
        if flip() { document.apply(.redo) }
        if flip() { document.set(.length, to: .number(Double(int(8...32)))) }
        document.set(.colors, to: .choice(ColorMode.allCases[int(0...2)]))
        document.set(.ghosts, to: .toggle(flip(of: 3)))
        for track in Track.allCases { document.set(.mute, on: track, to: .toggle(!flip(of: 4))) }
        if flip() { document.set(.mutedDrums, on: .rhythm, to: .selection(drums())) }
        if !flip(of: 3) { document.set(.solo, on: Track.allCases[int(0...3)], to: true) }
        return document
    }

    private mutating func drums() -> [String] { Drum.allCases.filter { _ in flip() }.map(\.name) }

    private mutating func cells(density: Int) -> Cells {
        var cells = Cells()
        for track in Track.allCases {
            for note in 0..<12 where int(0...12) < density {
                for step in 0..<32 {
                    // Long runs of sustain are as likely as single notes.
                    let previous = cells[track, note, (step + 31) % 32]
                    cells[track, note, step] =
                        flip() && previous != .off ? .sustain : flip() ? .off : Velocity.allCases[int(0...3)]
                    for value in NoteValue.allCases where flip() {
                        cells[track][step][whole: note][value] = value.row.choices.randomElement(using: &generator)!
                    }
                }
            }
        }
        return cells
    }

    private mutating func pulse(of track: Track, in document: Document) -> Pulse {
        let step = int(0...31)
        // Notes may be removed after they have started.
        var notes = flip(of: 4) ? document.pattern[track, step] : StepNotes(.all, flip() ? .normal : .accent)
        for note in notes.notes where notes[note] == .sustain { notes[note] = .off }
        return Pulse(track, step: step, notes: notes, startedAt: recently(200) + .milliseconds(80))
    }

    private mutating func previewCell() -> PreviewCell {
        PreviewCell(
            track: Track.allCases[int(0...3)], note: int(0...11), step: int(0...31),
            velocity: [.normal, .accent, .sustain][int(0...2)])
    }

    private mutating func text() -> String {
        let characters = Array("ABCXYZ019 .#~%!é")
        return String((0..<int(0...14)).map { _ in characters[int(0...(characters.count - 1))] })
    }

    private mutating func recently(_ milliseconds: Int) -> Duration {
        now - .microseconds(int(0...(1000 * milliseconds)))
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// True in all but one of this many cases; in half of them by default.
    private mutating func flip(of cases: Int = 2) -> Bool { int(1...cases) > 1 }
}

extension Pulse {
    /// A pulse of each track on the same step.
    static func all(step: Int, notes: [StepNotes], startedAt: Duration) -> [Pulse] {
        zip(Track.allCases, notes).map { Pulse($0, step: step, notes: $1, startedAt: startedAt) }
    }
}
