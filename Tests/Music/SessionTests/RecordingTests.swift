import Engine
import Instrument
import Music
import OfflineAudio
import Session
import TestSupport
import Testing

/// What the process callback has recorded is written.
@Suite struct RecordingTests {
    /// An instrument that plays and records, 120 ms a step.
    private func instrument(_ document: Document = Document()) async throws -> Instrument {
        var document = document
        document.set(.tempo, to: 125)
        document.set(.length, to: 16)
        let instrument = await Instrument(document: document)
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.record(true)), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        return instrument
    }

    private func key(_ isOn: Bool, _ key: UInt8, channel: UInt8 = 0) -> MidiEvent {
        MidiEvent(frame: 0, count: 3, (isOn ? 0x90 : 0x80) | channel, key, 100)
    }

    @Test func `the notes of each pass are one undo step`() async throws {
        let instrument = try await instrument()
        // Kick on steps 2 and 5, snare on step 2 of the second pass.
        for (step, drum) in [(2, UInt8(36)), (5, 36), (18, 38)] {
            instrument.receive(key(true, drum, channel: 9), at: .milliseconds(120 * step + 10))
        }
        await instrument.play(from: .zero, to: .seconds(4))
        var document = await instrument.session.document
        #expect(document.history.undoCount == 2)
        #expect(document.pattern[.rhythm, Drum.kick.rawValue, 2] == .accent)
        #expect(document.pattern[.rhythm, Drum.snare.rawValue, 2] == .accent)
        document.apply(.undo)
        #expect(document.pattern.cells.count == 2)
    }

    @Test func `a key that is held across the loop's end makes no further undo steps`() async throws {
        let instrument = try await instrument()
        // Drums on step 2, and on 1 and 4 of the second pass; a key from step 14 to 2 of the second pass.
        for step in [2, 17, 20] { instrument.receive(key(true, 36, channel: 9), at: .milliseconds(120 * step + 10)) }
        instrument.receive(key(true, 60), at: .milliseconds(120 * 14 + 5))
        instrument.receive(key(false, 60), at: .milliseconds(120 * 18 + 5))
        await instrument.play(from: .zero, to: .seconds(3))
        var document = await instrument.session.document
        #expect(document.pattern[.melody, 0, 14] == .accent && document.pattern[.rhythm].count == 3)
        #expect(document.history.undoCount == 2)
        document.apply(.undo)
        #expect(document.pattern[.rhythm].count == 1 && document.pattern[.melody].isEmpty)
    }

    @Test func `after a change of length, too, the notes of each pass are one undo step`() async throws {
        let instrument = try await instrument()
        try await instrument.session.perform(.set(.length, to: 8), at: .zero)
        for (step, drum) in [(26, UInt8(36)), (30, 38), (44, 38)] {
            instrument.receive(key(true, drum, channel: 9), at: .milliseconds(120 * step + 10))
        }
        await instrument.play(from: .zero, to: .milliseconds(120 * 27 + 30))
        // Step 27 of the song stays step 3, so that passes begin with steps 24 and 40.
        try await instrument.session.perform(.set(.length, to: 16), at: .milliseconds(120 * 27 + 30))
        await instrument.play(from: .milliseconds(120 * 27 + 30), to: .milliseconds(120 * 46))
        var document = await instrument.session.document
        #expect(document.history.undoCount == 3)
        document.apply(.undo)
        #expect(document.pattern[.rhythm].count == 2)
    }

    @Test func `a held note has sustain cells, and melody one note a step`() async throws {
        var document = Document()
        var cells = Cells()
        cells[.melody, 9, 6] = .normal
        document.edit(cells)
        let instrument = try await instrument(document)
        instrument.receive(key(true, 60), at: .milliseconds(245))
        instrument.receive(key(false, 60), at: .milliseconds(245 + 120 * 8))
        await instrument.play(from: .zero, to: .seconds(2))
        let written = await instrument.session.document.pattern.cells
        #expect(written[.melody, 0, 2] == .accent)
        // It ends before the note on step 6.
        #expect((3...5).allSatisfy { written[.melody, 0, $0] == .sustain } && written[.melody, 0, 6] == .off)
        #expect(written[.melody, 9, 6] == .normal)
    }

    @Test func `a note at the end of the loop is not prolonged by what a longer loop left at its start`()
        async throws
    {
        var document = Document()
        var cells = Cells()
        cells[.melody, 0, 31] = .accent
        for step in 0...3 { cells[.melody, 0, step] = .sustain }
        document.edit(cells)
        let instrument = try await instrument(document)
        // Steps 14 and 15 of 16.
        instrument.receive(key(true, 60), at: .milliseconds(120 * 14 + 5))
        instrument.receive(key(false, 60), at: .milliseconds(120 * 16 + 5))
        await instrument.play(from: .zero, to: .milliseconds(2200))
        let written = await instrument.session.document.pattern.cells
        #expect(written[.melody, 0, 14] == .accent && written[.melody, 0, 15] == .sustain)
        #expect((0...3).allSatisfy { written[.melody, 0, $0] == .off })
    }

    @Test func `a key is let go, and written, when its keyboard is unplugged`() async throws {
        let instrument = try await instrument()
        let session = instrument.session
        let running = AudioState(status: .running)
        await session.audioChanged(to: running, connections: ["midi_in": ["keys:out", "drums:out"]], at: .zero)
        instrument.receive(key(true, 60), at: .milliseconds(245))
        await instrument.play(from: .zero, to: .milliseconds(600))
        #expect(await session.document.pattern.cells.isEmpty)
        await session.audioChanged(to: running, connections: ["midi_in": ["drums:out"]], at: .milliseconds(600))
        await instrument.play(from: .milliseconds(600), to: .milliseconds(700))
        #expect(await session.document.pattern.cells[.melody, 0, 2] == .accent)
    }

    @Test func `keys are released when the driver is lost, although its keyboard may be back with it`() async throws {
        let instrument = try await instrument()
        let session = instrument.session
        let keys: PortConnections = ["midi_in": ["keys:out"]]
        await session.audioChanged(to: AudioState(status: .running), connections: keys, at: .zero)
        try await session.perform(.transport(.pause), at: .zero)
        instrument.receive(key(true, 60), at: .milliseconds(20))
        await instrument.play(from: .zero, to: .milliseconds(100))
        #expect(instrument.engine.soundingTracks.contains(Track.melody.rawValue))
        await instrument.loseAudio(at: .milliseconds(100))
        await session.audioChanged(to: AudioState(status: .running), connections: keys, at: .milliseconds(200))
        await instrument.play(from: .milliseconds(200), to: .seconds(1))
        #expect(!instrument.engine.soundingTracks.contains(Track.melody.rawValue))
    }

    @Test func `a key that is held while another pattern is loaded is not written into it`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 60), at: .milliseconds(245))
        instrument.receive(key(false, 60), at: .milliseconds(905))
        instrument.receive(key(true, 64), at: .milliseconds(965))
        instrument.receive(key(false, 64), at: .milliseconds(1030))
        await instrument.play(from: .zero, to: .milliseconds(500))
        let loaded = await instrument.session.document.pattern
        try await instrument.session.perform(.change([.replacePattern(loaded)]), at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(940))
        #expect(await instrument.session.document.pattern.cells.isEmpty)
        await instrument.play(from: .milliseconds(940), to: .milliseconds(1200))
        #expect(await instrument.session.document.pattern.cells.count == 1)
    }

    @Test func `the notes of all tracks in a pass are one step`() async throws {
        let instrument = try await instrument()
        for (index, drum) in [UInt8(36), 38, 42].enumerated() {
            instrument.receive(key(true, drum, channel: 9), at: .milliseconds(250 + 240 * index))
        }
        instrument.receive(key(true, 60), at: .milliseconds(370))
        instrument.receive(key(false, 60), at: .milliseconds(430))
        await instrument.play(from: .zero, to: .seconds(1))
        var document = await instrument.session.document
        #expect(document.pattern[.rhythm].count == 3 && document.pattern[.melody].count >= 1)
        #expect(document.history.undoCount == 1)
        document.apply(.undo)
        #expect(document.pattern.filledSlots.isEmpty)
    }

    @Test(arguments: [TransportRequest.stop, .locate(0)])
    func `after a stop or a jump back, the first pass is a new undo step`(
        request: TransportRequest
    ) async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(250))
        // The request ends it, so it belongs to the same pass.
        instrument.receive(key(true, 60), at: .milliseconds(370))
        await instrument.play(from: .zero, to: .milliseconds(500))
        try await instrument.session.perform(.transport(request), at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(600))
        #expect(await instrument.session.document.history.undoCount == 1)
        try await instrument.session.perform(.transport(.play), at: .milliseconds(600))
        instrument.receive(key(true, 38, channel: 9), at: .milliseconds(1210))
        await instrument.play(from: .milliseconds(600), to: .milliseconds(1500))
        let step = request == .stop ? 5 : 6
        var document = await instrument.session.document
        #expect(document.history.undoCount == 2)
        #expect(document.pattern[.rhythm, Drum.snare.rawValue, step] == .accent)
        document.apply(.undo)
        #expect(document.pattern[.rhythm, Drum.kick.rawValue, 2] == .accent)
        #expect(document.pattern[.melody, 0, 3] == .accent)
        #expect(document.pattern[.rhythm].count == 1)
    }

    @Test func `a stop within the first step ends its pass`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(20))
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(100))
        try await instrument.session.perform(.transport(.play), at: .milliseconds(100))
        instrument.receive(key(true, 38, channel: 9), at: .milliseconds(350))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(700))
        #expect(await instrument.session.document.history.undoCount == 2)
    }

    @Test func `an edit in between begins a new undo step`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(250))
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(730))
        await instrument.play(from: .zero, to: .milliseconds(500))
        try await instrument.session.perform(.setNote(.bass, step: 0, note: 0, Note(.normal)), at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(1000))
        #expect(await instrument.session.document.history.undoCount == 3)
    }

    @Test(arguments: [nil, 3])
    func `a note played after a launch is written to the new slot, even before it is heard`(length: Int?)
        async throws
    {
        var document = Document()
        var old = SlotNotes()
        old.length = length
        document.apply(.edit([Slot(.rhythm, 0): old]))
        document.set(.launchQuantum, to: .choice(LaunchQuantum.beat))
        let instrument = try await instrument(document)
        await instrument.session.audioChanged(
            to: AudioState(status: .running), timing: AudioTiming(latency: .milliseconds(100)), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(250))
        try await instrument.session.perform(.launch(.launch(.track(.rhythm), 1, .queued)), at: .milliseconds(250))
        // With step 4, after 480 ms; heard after 580.
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(490))
        await instrument.play(from: .milliseconds(250), to: .milliseconds(560))
        let pattern = await instrument.session.document.pattern
        #expect(pattern.playing[.rhythm].number == 1 && !pattern[Slot(.rhythm, 0)].hasNotes)
        #expect(pattern[Slot(.rhythm, 1)][4][Drum.kick.rawValue] == .accent)
    }

    private func move(_ instrument: Instrument, _ value: Double, at now: Duration) async throws {
        try await instrument.session.perform(.set(.tone, on: .bass, to: .number(value)), at: now)
    }

    private func tones(_ instrument: Instrument) async -> [Motions.Point] {
        await instrument.session.document.pattern[.bass].motions[.tone]
    }

    @Test func `a movement is written on the step that is heard, with a line from a recent one`()
        async throws
    {
        let instrument = try await instrument()
        await instrument.play(from: .zero, to: .milliseconds(250))
        try await move(instrument, 2, at: .milliseconds(250))
        #expect(await tones(instrument) == [.init(step: 2, value: 2)])
        await instrument.play(from: .milliseconds(250), to: .milliseconds(310))
        try await move(instrument, 3, at: .milliseconds(310))
        // 450 ms later, which is on step 6.
        await instrument.play(from: .milliseconds(310), to: .milliseconds(760))
        try await move(instrument, 11, at: .milliseconds(760))
        let line = [(2, 3.0), (3, 5), (4, 7), (5, 9), (6, 11)].map { Motions.Point(step: $0.0, value: $0.1) }
        #expect(await tones(instrument) == line)
        // More than half a second later: only the step itself.
        await instrument.play(from: .milliseconds(760), to: .milliseconds(1330))
        try await move(instrument, -4, at: .milliseconds(1330))
        #expect(await tones(instrument) == line + [.init(step: 11, value: -4)])
        #expect(await instrument.session.document.number(.tone, .bass) == -4)
        #expect(await instrument.session.document.history.undoCount == 1)
    }

    @Test func `movements and notes of one pass are one undo step, and lines continue into the next pass`()
        async throws
    {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(1450))
        await instrument.play(from: .zero, to: .milliseconds(1700))
        try await move(instrument, 2, at: .milliseconds(1700))
        #expect(await instrument.session.document.history.undoCount == 1)
        await instrument.play(from: .milliseconds(1700), to: .milliseconds(2060))
        try await move(instrument, 8, at: .milliseconds(2060))
        #expect(
            await tones(instrument)
                == [(0, 6.0), (1, 8), (14, 2), (15, 4)].map { Motions.Point(step: $0.0, value: $0.1) })
        var document = await instrument.session.document
        #expect(document.history.undoCount == 2)
        document.apply(.undo)
        #expect(document.pattern[.bass].motions[.tone] == [.init(step: 14, value: 2)])
        #expect(document.pattern[.rhythm].count == 1)
    }

    @Test func `no line connects movements at different speeds`() async throws {
        let instrument = try await instrument()
        await instrument.play(from: .zero, to: .milliseconds(250))
        try await move(instrument, 2, at: .milliseconds(250))
        var slot = await instrument.session.document.pattern[.bass]
        slot.speed = .double
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .milliseconds(250))
        await instrument.play(from: .milliseconds(250), to: .milliseconds(500))
        try await move(instrument, 8, at: .milliseconds(500))
        #expect(await tones(instrument) == [.init(step: 2, value: 2), .init(step: 8, value: 8)])
    }

    @Test func `no line connects movements before and after a jump of JACK's transport`() async throws {
        var document = Document()
        document.set(.syncSource, to: .choice(SyncSource.jack))
        let instrument = try await instrument(document)
        let transport = PretendedTransport()
        transport.isRolling = true
        await instrument.play(from: .zero, to: .milliseconds(250), with: transport)
        try await move(instrument, 2, at: .milliseconds(250))
        transport.frame = 10 * 5760
        await instrument.play(from: .milliseconds(250), to: .milliseconds(400), with: transport)
        try await move(instrument, 8, at: .milliseconds(400))
        #expect(await tones(instrument) == [.init(step: 2, value: 2), .init(step: 11, value: 8)])
    }

    @Test func `no motion is written while the track is disarmed, recording is off or the clock is stopped`()
        async throws
    {
        let instrument = try await instrument()
        await instrument.play(from: .zero, to: .milliseconds(250))
        try await instrument.session.perform(.set(.arm, on: .bass, to: false), at: .milliseconds(250))
        try await move(instrument, 2, at: .milliseconds(250))
        try await instrument.session.perform(.set(.arm, on: .bass, to: true), at: .milliseconds(250))
        try await instrument.session.perform(.set(.duck, on: .bass, to: 3), at: .milliseconds(250))
        try await instrument.session.perform(.transport(.record(false)), at: .milliseconds(250))
        try await move(instrument, 3, at: .milliseconds(250))
        try await instrument.session.perform(.transport(.record(true)), at: .milliseconds(250))
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(250))
        try await move(instrument, 4, at: .milliseconds(250))
        let document = await instrument.session.document
        #expect(document.pattern[.bass].motions.isEmpty && document.history.undoCount == 0)
        #expect(document.number(.tone, .bass) == 4)
    }

    @Test func `recording ends on request, and later notes are not written`() async throws {
        let instrument = try await instrument()
        #expect(await instrument.session.transport.record)
        try await instrument.session.perform(.transport(.record(false)), at: .zero)
        #expect(await !instrument.session.transport.record)
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(250))
        await instrument.play(from: .zero, to: .seconds(1))
        #expect(await instrument.session.document.pattern.cells.isEmpty)
    }
}
