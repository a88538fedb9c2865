import Foundation
import Media
import Music
import TestSupport
import Testing

@Suite struct MIDIFileTests {
    /// Ticks per step, at 960 per quarter note.
    private let step = 240

    private func read(_ pattern: Pattern, loops: Int = 1) throws -> MIDIReader {
        try MIDIReader(MIDIFile.bytes(of: pattern, loops: loops))
    }

    @Test func `the file has a track for the tempo and a named one for each pattern track`() throws {
        var pattern = Pattern()
        pattern.name = "Übung"
        let file = try read(pattern)
        #expect(file.format == 1 && file.ticksPerBeat == 960)
        #expect(file.tracks.map(\.name) == ["Übung", "melody", "chords", "bass", "rhythm"])
        #expect(file.tracks.allSatisfy { $0.end == 32 * step && $0.notes.isEmpty })
    }

    @Test(arguments: [(20.0, 3_000_000), (120, 500_000), (127.31, 471_291), (300, 200_000)])
    func `the tempo is in microseconds per quarter, the time signature 4/4`(bpm: Double, microseconds: Int) throws {
        var pattern = Pattern()
        pattern.bpm = bpm
        let conductor = try read(pattern).tracks[0]
        #expect(conductor.content(of: 0x51)?.reduce(0) { $0 << 8 | Int($1) } == microseconds)
        #expect(conductor.content(of: 0x58) == [4, 2, 24, 8])
    }

    static let keys: [(String, Scale, Int, UInt8)] = [
        ("C", .major, 0, 0), ("G", .major, 1, 0), ("F", .major, -1, 0), ("A#", .penta, -2, 0), ("F#", .major, 6, 0),
        ("C#", .major, -5, 0), ("A", .minor, 0, 1), ("C", .minor, -3, 1), ("E", .minor, 1, 1), ("B", .minor, 2, 1),
    ]

    @Test(arguments: keys)
    func `the key signature is the key's`(root: String, scale: Scale, sharps: Int, minor: UInt8) throws {
        var pattern = Pattern()
        pattern.key = Key(root: try #require(PitchClass(name: root)), scale: scale)
        #expect(try read(pattern).tracks[0].content(of: 0x59) == [UInt8(truncatingIfNeeded: sharps), minor])
    }

    @Test func `notes have their pitch, velocity and channel, drums as in General MIDI`() throws {
        var pattern = Pattern()
        pattern[.melody, 9, 4] = .accent
        pattern[.chords, 0, 0] = .normal
        pattern[.bass, 11, 31] = .normal
        pattern[.rhythm, Drum.cowbell.rawValue, 2] = .accent
        let notes = try read(pattern).tracks.flatMap(\.notes)
        #expect(
            notes == [
                .init(channel: 0, key: 69, velocity: 127, start: 4 * step, end: 5 * step),
                .init(channel: 1, key: 48, velocity: 80, start: 0, end: step),
                .init(channel: 2, key: 47, velocity: 80, start: 31 * step, end: 32 * step),
                .init(channel: 9, key: 56, velocity: 127, start: 2 * step, end: 3 * step),
            ])
    }

    @Test func `motions are controllers, sent when they change and at most 100 a second`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern.bpm = 120
        pattern[.bass].motions[.gain, 0] = -24
        pattern[.bass].motions[.gain, 4] = 6
        pattern[.bass].motions[.pan, 3] = 0.5
        pattern[.bass].motions[.reverb, 3] = -6
        let track = try read(pattern, loops: 2).tracks[3]
        #expect(track.controllers.allSatisfy { $0.channel == 2 })
        #expect(Set(track.controllers.map(\.number)) == [7, 10])
        #expect(track.controllers.filter { $0.number == 10 }.map { [$0.tick, $0.value] } == [[0, 95]])
        let gains = track.controllers.filter { $0.number == 7 }
        for (event, next) in zip(gains, gains.dropFirst()) {
            // 10 ms are 19.2 ticks.
            #expect(next.tick - event.tick >= 20 && next.value != event.value)
        }
        for event in gains {
            let place = Double(event.tick).truncatingRemainder(dividingBy: 1920) / 960
            let decibels = place < 1 ? -24 + 30 * place : 6 - 30 * (place - 1)
            #expect(Double(event.value) == min(127, (127 * pow(10, decibels / 40)).rounded()))
        }
        #expect(gains.map(\.value).max() == 127 && gains.count > 50)
    }

    @Test func `a scene without motions has the mixer's values`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.melody].motions[.tone, 0] = -24
        let bytes = try MIDIFile.bytes(of: pattern.scenes([1, 0, 1])) { parameter, _ in
            parameter == .tone ? 24 : 0
        } isAudible: { _ in
            true
        }
        let sent = try MIDIReader(bytes).tracks[1].controllers
        #expect(sent.map { [$0.number, $0.value] } == [[74, 0], [74, 127]])
        #expect(sent.map { $0.tick / (8 * step) } == [1, 2])
    }

    @Test func `muted drums are not in the file`() throws {
        var pattern = Pattern()
        pattern[.rhythm, Drum.kick.rawValue, 0] = .accent
        pattern[.rhythm, Drum.clap.rawValue, 4] = .normal
        let bytes = try MIDIFile.bytes(of: [pattern], muted: { $0 == .rhythm ? [Drum.kick.rawValue] : [] })
        #expect(try MIDIReader(bytes).tracks[4].notes.map(\.key) == [39])
    }

    @Test func `scenes follow each other, a loop each; sustained notes end where another slot begins`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.melody, 9, 7] = .accent
        pattern[.melody, 9, 0] = .sustain
        pattern[Slot(.bass, 2)] = {
            var notes = SlotNotes()
            notes[1][0] = .normal
            return notes
        }()
        let file = try MIDIReader(MIDIFile.bytes(of: pattern.scenes([0, 0, 2]), loops: 2))
        let loop = 8 * step
        #expect(file.tracks.allSatisfy { $0.end == 6 * loop })
        #expect(
            file.tracks[1].notes
                == [(0, 9), (1, 8), (3, 9), (4, 8)].map { start, end in
                    .init(
                        channel: 0, key: 69, velocity: 127, start: start * loop + 7 * step,
                        end: start * loop + end * step)
                })
        #expect(file.tracks[3].notes.map(\.start) == [2 * loop + step, 5 * loop + step])
    }

    @Test func `cycles count the file's loops, the cycle first those of a slot`() throws {
        var pattern = Pattern()
        pattern.length = 8
        for (slot, cycle) in [(0, "2:3"), (1, "first")] {
            pattern[Slot(.bass, slot)][0][whole: 0] = Note(
                .accent, [.cycle: NoteValue.cycle.number(of: .choice(cycle))!])
        }
        let file = try MIDIReader(MIDIFile.bytes(of: pattern.scenes([0, 0, 1, 1]), loops: 2))
        #expect(file.tracks[3].notes.map(\.start) == [1, 2, 4, 6].map { $0 * 8 * step })
    }

    /// Starts and ends of the bass, in ticks.
    private func bass(_ pattern: Pattern, loops: Int = 1) throws -> [[Int]] {
        try read(pattern, loops: loops).tracks[3].notes.map { [$0.start, $0.end] }
    }

    @Test func `ratchets divide their step, and the last lasts to the note's end`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 2][whole: 0] = Note(.accent, [.ratchet: 3])
        pattern[.bass, 0, 3] = .sustain
        pattern[.bass, 5][whole: 0] = Note(.accent, [.ratchet: 2, .nudge: 25])
        #expect(try bass(pattern) == [[480, 552], [560, 632], [640, 960], [1260, 1368], [1380, 1500]])
        pattern.bpm = 300
        pattern[.bass, 2][whole: 0] = Note(.accent, [.ratchet: 8])
        #expect(try bass(pattern).count == 10)
    }

    @Test func `early notes of the first step sound at the start, later ones before their loop`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 0][whole: 0] = Note(.accent, [.nudge: -50])
        pattern[.bass, 7][whole: 1] = Note(.accent, [.nudge: 50])
        let loop = 8 * step
        #expect(
            try bass(pattern, loops: 2) == [
                [0, 120], [7 * step + 120, 8 * step + 120], [loop - 120, loop + 120], [2 * loop - 120, 2 * loop + 120],
            ])
    }

    @Test func `a start exactly on the end is left out, however its place is computed`() throws {
        var pattern = Pattern()
        pattern.length = 16
        pattern[.bass].speed = .triple
        // Its second start in the last pass is 144 thirds of a step after the song's.
        pattern[.bass, 15][whole: 0] = Note(.accent, [.nudge: 50, .ratchet: 2])
        for notes in [
            try MIDIReader(MIDIFile.bytes(of: pattern.scenes([0, 0, 0, 1]))).tracks[3].notes,
            try read(pattern, loops: 3).tracks[3].notes,
        ] {
            #expect(notes.count == 17 && notes.last?.start == 48 * step - 40)
        }
    }

    @Test func `a start less than a tick before its slot's end is not empty`() throws {
        var pattern = Pattern()
        (pattern.length, pattern.bpm) = (8, 60)
        pattern[.bass].speed = .quadruple
        // Its sixth start is 0.005 of 60 ticks before the next step of the track.
        pattern[.bass, 7][whole: 0] = Note(.accent, [.nudge: 37, .ratchet: 8])
        let notes = try MIDIReader(MIDIFile.bytes(of: pattern.scenes([0, 1]))).tracks[3].notes
        #expect(notes.count == 3 * 8 + 6)
        #expect(notes.last.map { [$0.start, $0.end] } == [8 * step - 1, 8 * step])
    }

    @Test func `a nudged note ends where the next one of its key starts`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 2][whole: 0] = Note(.accent, [.nudge: 50])
        pattern[.bass, 0, 3] = .normal
        #expect(try bass(pattern) == [[600, 720], [720, 960]])
    }

    @Test func `a note's level is in its velocity, which is never 0`() throws {
        var pattern = Pattern()
        pattern[.melody, 0][whole: 0] = Note(.accent, [.level: -6])
        pattern[.melody, 1][whole: 0] = Note(.normal, [.level: -24])
        pattern[.melody, 2][whole: 0] = Note(.normal)
        #expect(try read(pattern, loops: 1).tracks[1].notes.map(\.velocity) == [90, 20, 80])
    }

    @Test func `sustains lengthen a note, even across the end and in the last loop`() throws {
        var pattern = Pattern()
        pattern.length = 16
        for step in [15, 2] { pattern[.bass, 0, step] = .normal }
        for step in [0, 1, 3] { pattern[.bass, 0, step] = .sustain }
        let bass = try read(pattern, loops: 2).tracks[3]
        #expect(bass.notes.map(\.start) == [2, 15, 18, 31].map { $0 * step })
        #expect(bass.notes.map(\.end) == [4, 18, 20, 34].map { $0 * step })
        #expect(bass.end == 34 * step)
    }

    @Test func `a note sustained through the whole loop ends where it starts again`() throws {
        var pattern = Pattern()
        pattern.length = 8
        for step in 0..<8 { pattern[.chords, 5, step] = step == 3 ? .accent : .sustain }
        let notes = try read(pattern, loops: 3).tracks[2].notes
        #expect(notes.map(\.start) == [3, 11, 19].map { $0 * step })
        #expect(notes.map(\.end) == [11, 19, 27].map { $0 * step })
    }

    @Test func `swing moves the odd steps, and the ends of the notes before them`() throws {
        var pattern = Pattern()
        pattern.length = 9
        pattern.swing = 0.625
        for step in [0, 1, 7, 8] { pattern[.melody, 0, step] = .normal }
        let melody = try read(pattern, loops: 2).tracks[1]
        #expect(melody.notes.map(\.start) == [0, 300, 1740, 1920, 2160, 2460, 3900, 4080])
        #expect(melody.notes.map(\.end) == [300, 480, 1920, 2160, 2460, 2640, 4080, 4320])
        #expect(melody.end == 2 * 9 * step)
    }

    @Test func `only sounding notes are in the file`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 0, 8] = .normal
        pattern[.bass, 1, 7] = .normal
        pattern[.bass, 2, 0] = .sustain
        pattern[.bass, 2, 31] = .normal
        pattern[.rhythm, 0, 0] = .normal
        #expect(try read(pattern).tracks[3].notes.map(\.key) == [37])
        let file = try MIDIReader(MIDIFile.bytes(of: pattern) { $0 != .bass })
        #expect(file.tracks.map(\.notes.count) == [0, 0, 0, 0, 1])
        #expect(file.tracks.map(\.name) == ["", "melody", "chords", "bass", "rhythm"])
    }

    @Test func `long files have long deltas`() throws {
        var pattern = Pattern()
        pattern[.rhythm, 0, 0] = .normal
        let file = try read(pattern, loops: 1000)
        #expect(file.tracks[0].end == 1000 * 32 * step)
        #expect(file.tracks[4].notes.last?.start == 999 * 32 * step)
    }

    @Test func `more notes than a file may have are refused`() {
        var pattern = Pattern()
        for step in 0..<SlotNotes.stepCount {
            for drum in 0..<Track.noteCount { pattern[.rhythm, step][whole: drum] = Note(.accent, [.ratchet: 8]) }
        }
        #expect(throws: MIDIFileError.tooManyMessages) { try MIDIFile.bytes(of: pattern, loops: 100) }
    }

    @Test func `more controller changes than a file may have are refused`() {
        var pattern = Pattern()
        pattern.bpm = 20
        for step in 0..<SlotNotes.stepCount {
            pattern[.bass].motions[.gain, step] = step.isMultiple(of: 2) ? -24 : 0
        }
        #expect(throws: MIDIFileError.tooManyMessages) { try MIDIFile.bytes(of: pattern, loops: 300) }
    }

    @Test func `cancelling the task cancels the file`() async {
        let (beginnings, begin) = AsyncStream.makeStream(of: Void.self)
        let file = Task {
            for await _ in beginnings {}
            return try MIDIFile.bytes(of: Pattern())
        }
        file.cancel()
        begin.finish()
        await #expect(throws: CancellationError.self) { try await file.value }
    }
}
