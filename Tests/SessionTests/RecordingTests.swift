import Engine
import Music
import OfflineAudio
import Session
import TestSupport
import Testing

/// What the process callback heard being played is written.
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

    @Test func `the notes of one pass are one undo step, those of the next another`() async throws {
        let instrument = try await instrument()
        // Kick on steps 2 and 5, snare on 18, that is 2 of the second pass.
        for (step, drum) in [(2, UInt8(36)), (5, 36), (18, 38)] {
            instrument.receive(key(true, drum, channel: 9), at: .milliseconds(120 * step + 10))
        }
        await instrument.play(from: .zero, to: .seconds(4))
        var document = await instrument.session.document
        #expect(document.history.undoCount == 2)
        #expect(document.pattern[.rhythm, Drum.kick.rawValue, 2] == .accent)
        #expect(document.pattern[.rhythm, Drum.snare.rawValue, 2] == .accent)
        document.undo()
        #expect(document.pattern.cells.count == 2)
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
        document.undo()
        #expect(document.pattern.filledSlots.isEmpty)
    }

    @Test func `an edit in between begins another step`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(250))
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(730))
        await instrument.play(from: .zero, to: .milliseconds(500))
        try await instrument.session.perform(.setNote(.bass, step: 0, note: 0, Note(.normal)), at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(1000))
        #expect(await instrument.session.document.history.undoCount == 3)
    }

    @Test func `recording is told, and ends when it is told to`() async throws {
        let instrument = try await instrument()
        #expect(await instrument.session.transport.record)
        try await instrument.session.perform(.transport(.record(false)), at: .zero)
        #expect(await !instrument.session.transport.record)
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(250))
        await instrument.play(from: .zero, to: .seconds(1))
        #expect(await instrument.session.document.pattern.cells.isEmpty)
    }
}
