import Music
import Testing

@Suite struct KeyTests {
    private static let keys = Scale.allCases.flatMap { scale in
        PitchClass.allCases.map { Key(root: $0, scale: scale) }
    }

    private func key(_ root: String, _ scale: Scale) -> Key { Key(root: PitchClass(name: root)!, scale: scale) }

    @Test(arguments: [
        ("C", Scale.major, [0, 2, 4, 5, 7, 9, 11]), ("A", .minor, [0, 2, 4, 5, 7, 9, 11]),
        ("C", .minor, [0, 2, 3, 5, 7, 8, 10]), ("F#", .major, [1, 3, 5, 6, 8, 10, 11]),
        ("C", .penta, [0, 2, 4, 7, 9]), ("A#", .penta, [0, 2, 5, 7, 10]), ("B", .penta, [1, 3, 6, 8, 11]),
    ])
    func `a key's notes wrap into the track`(root: String, scale: Scale, notes: [Int]) {
        #expect(Array(key(root, scale).notes) == notes)
        #expect((0..<12).filter { key(root, scale).contains($0) } == notes)
    }

    @Test(arguments: [
        // place, in C major, in C penta
        (0.0, 0, 0), (1, 2, 2), (3, 4, 4), (5.5, 5, 7), (5.49, 5, 4), (6, 7, 7), (10, 11, 9), (11, 11, 9), (4.5, 5, 4),
        (0.99, 0, 0), (1.01, 2, 2),
    ])
    func `snap finds the nearest note, of two equally near the higher`(place: Double, major: Int, penta: Int) {
        #expect(key("C", .major).snap(place) == major)
        #expect(key("C", .penta).snap(place) == penta)
    }

    @Test func `snap stays within the track`() {
        // D penta: 2 4 6 9 11. Below D there is nothing, though B lies one below C in another octave.
        #expect(key("D", .penta).snap(0) == 2)
        #expect(key("C", .penta).snap(11) == 9)
    }

    @Test(arguments: keys)
    func `snap keeps notes of the scale, and gives no others`(key: Key) {
        for note in 0..<12 {
            #expect(key.contains(key.snap(note)))
            if key.contains(note) { #expect(key.snap(note) == note) }
        }
    }

    @Test(arguments: [
        ("C", Scale.major, 0, [0, 4, 7, 11]), ("C", .major, 2, [2, 5, 9, 0]), ("C", .major, 7, [7, 11, 2, 5]),
        ("C", .major, 11, [11, 2, 5, 9]), ("A", .minor, 9, [9, 0, 4, 7]), ("C", .minor, 0, [0, 3, 7, 10]),
        ("F#", .major, 6, [6, 10, 1, 5]), ("D", .major, 1, [1, 4, 7, 11]),
        // penta, on the parent major scale: D F A C with F snapped to E; G B D F with B to A, F to E
        ("C", .penta, 2, [2, 4, 9, 0]), ("C", .penta, 7, [7, 9, 2, 4]), ("C", .penta, 4, [4, 7, 9, 2]),
        // C E G B, where B snaps to A
        ("C", .penta, 0, [0, 4, 7, 9]),
        // G B D F#, where F# snaps back to G and counts once
        ("G", .penta, 7, [7, 11, 2]),
    ])
    func `seventh chords are stacked in thirds`(root: String, scale: Scale, note: Int, tones: [Int]) {
        #expect(key(root, scale).seventhChord(on: note) == tones)
        #expect(key(root, scale).triad(on: note) == Array(tones.prefix(3)))
    }

    @Test(arguments: keys)
    func `every chord is in the key and on its root`(key: Key) {
        for note in key.notes {
            let chord = key.seventhChord(on: note)
            #expect(chord.first == note)
            #expect((3...4).contains(chord.count))
            #expect(Set(chord).count == chord.count)
            #expect(chord.allSatisfy { key.contains($0) })
            #expect(key.triad(on: note) == [note, key.third(above: note), key.fifth(above: note)])
        }
    }

    @Test(arguments: [
        ("C", Scale.major, 0, 7, 5), ("C", .major, 4, 11, 9), ("C", .major, 11, 5, 4), ("C", .major, 5, 0, 11),
        ("A", .minor, 9, 4, 2), ("C", .penta, 4, 9, 9), ("C", .penta, 0, 7, 4),
    ])
    func `fifths are diatonic and wrapped`(root: String, scale: Scale, note: Int, above: Int, below: Int) {
        #expect(key(root, scale).fifth(above: note) == above)
        #expect(key(root, scale).fifth(below: note) == below)
    }
}

@Suite struct NameTests {
    @Test func `pitch classes are named with sharps and wrap`() {
        #expect(PitchClass.allCases.map(\.name).joined(separator: " ") == "C C# D D# E F F# G G# A A# B")
        #expect(PitchClass.allCases.allSatisfy { PitchClass(name: $0.name) == $0 })
        #expect(PitchClass(-1).name == "B")
        #expect(PitchClass(69).name == "A")
        #expect(PitchClass(name: "Db") == nil)
    }

    @Test func `each name leads back to its value`() {
        #expect(Scale.allCases.allSatisfy { Scale(name: $0.name) == $0 })
        #expect(Track.allCases.allSatisfy { Track(name: $0.name) == $0 })
        #expect(Velocity.allCases.allSatisfy { Velocity(name: $0.name) == $0 })
        #expect(ColorMode.allCases.allSatisfy { ColorMode(name: $0.name) == $0 })
        #expect(Scale(name: "Major") == nil && Track(name: "") == nil && Velocity(name: "loud") == nil)
    }

    @Test(arguments: [(Track.melody, 60), (.chords, 48), (.bass, 36)])
    func `pitched tracks span an octave`(track: Track, lowest: Int) {
        #expect((0..<12).map { track.midiPitch(of: $0) } == Array(lowest..<lowest + 12))
        #expect((lowest..<lowest + 12).map { track.note(atMIDIPitch: $0) } == (0..<12).map { $0 })
        #expect(track.note(atMIDIPitch: lowest - 1) == nil && track.note(atMIDIPitch: lowest + 12) == nil)
    }

    @Test func `drums have their General MIDI keys both ways`() {
        #expect(Drum.allCases.map(\.generalMIDIKey) == [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56])
        for note in 0..<12 { #expect(Track.rhythm.note(atMIDIPitch: Track.rhythm.midiPitch(of: note)) == note) }
        #expect(Track.rhythm.note(atMIDIPitch: 60) == nil)
    }
}

@Suite struct TempoTests {
    @Test(
        arguments: [
            (20, 20), (300, 300), (120.004, 120), (120.005, 120.01), (99.999, 100), (127.3, 127.3),
        ] as [(ParameterValue, ParameterValue)])
    func `tempi are kept to two decimals`(bpm: ParameterValue, kept: ParameterValue) {
        #expect(Parameter.tempo.row.kind().checked(bpm) == kept)
    }

    @Test(arguments: [19.99, 300.01, -1, .number(.nan), .number(.infinity)] as [ParameterValue])
    func `tempi out of range are refused`(bpm: ParameterValue) {
        #expect(Parameter.tempo.row.kind().checked(bpm) == nil)
    }

    @Test func `every tempo with two decimals stays as it is`() {
        var pattern = Pattern()
        for hundredths in 2000...30_000 {
            pattern.bpm = Double(hundredths) / 100
            #expect(pattern.bpm == Double(hundredths) / 100)
        }
    }
}

@Suite struct MixTests {
    @Test func `a soloed track sounds even if muted and the others are silent`() {
        var document = Document()
        #expect(Track.allCases.filter(document.isSilent) == [])
        document.set(.mute, on: .bass, to: true)
        #expect(Track.allCases.filter(document.isSilent) == [.bass])
        document.set(.solo, on: .bass, to: true)
        #expect(Track.allCases.filter(document.isSilent) == [.melody, .chords, .rhythm])
        document.set(.solo, on: .melody, to: true)
        #expect(Track.allCases.filter(document.isSilent) == [.chords, .bass, .rhythm])
        document.set(.solo, on: .melody, to: false)
        #expect(Track.allCases.filter(document.isSilent) == [.bass])
    }
}
