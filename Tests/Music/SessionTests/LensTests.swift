import Engine
import Gestures
import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// Lenses and FILL as state of the instrument, and what freezing and resetting write.
@Suite struct LensTests {
    private func document(_ value: NoteValue, _ number: Int, on track: Track = .bass) -> Document {
        var notes = SlotNotes()
        for step in 0..<32 { notes[step][whole: 0] = Note(.normal, [value: number]) }
        var document = Document()
        document.apply(.edit([Slot(track, 0): notes]))
        return document
    }

    @Test func `lenses belong to the instrument: a program opens one, and fingers use it`() async throws {
        let instrument = await Instrument(document: document(.chance, 50))
        try await instrument.session.perform(.look(.bass, through: .chance), at: .zero)
        #expect(await instrument.session.lenses[.bass] == .chance)
        try await instrument.tap(4, 17)
        #expect(await instrument.session.document.pattern[.bass][0][whole: 0][.chance] == 25)
        let revision = await instrument.session.stateRevision
        try await instrument.session.perform(.look(.bass, through: nil), at: .zero)
        #expect(await instrument.session.stateRevision > revision)
        #expect(await instrument.session.frame(at: .seconds(2)).value[3, 15] == .background)
    }

    @Test func `labels follow the lens`() async throws {
        let instrument = await Instrument(document: document(.chance, 50))
        #expect(await instrument.session.labels().value[4, 17] == "C")
        try await instrument.session.perform(.look(.bass, through: .chance), at: .zero)
        #expect(await instrument.session.labels().value[4, 17] == "50")
    }

    @Test func `FILL notes sound while a program or a finger holds FILL`() async throws {
        let instrument = await Instrument(document: document(.cycle, 38))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .seconds(1), listening: false)
        #expect(instrument.engine.fetchPeak(track: Track.bass.rawValue) == 0)
        try await instrument.session.perform(.fill(true), at: .seconds(1))
        #expect(await instrument.session.isFilling)
        await instrument.play(from: .seconds(1), to: .seconds(2), listening: false)
        #expect(instrument.engine.fetchPeak(track: Track.bass.rawValue) > 0.01)
        // Also when MIDI connections change meanwhile.
        await instrument.session.audioChanged(
            to: AudioState(status: .running), connections: ["midi_out": ["synth:in"], "midi_in": ["synth:out"]],
            at: .seconds(2))
        await instrument.play(from: .seconds(2), to: .seconds(3), listening: false)
        #expect(instrument.engine.fetchPeak(track: Track.bass.rawValue) > 0.01)

        let down = Touch(id: 1, .down, column: 9, row: 1)
        _ = try await instrument.session.touch(down, by: instrument.finger, at: .seconds(3))
        await instrument.session.advance(to: .milliseconds(3300))
        try await instrument.session.perform(.fill(false), at: .milliseconds(3300))
        #expect(await instrument.session.isFilling)
        await instrument.session.disconnect(instrument.finger, at: .milliseconds(3400))
        #expect(await !instrument.session.isFilling)
    }

    @Test func `freezing keeps the last whole pass, or else the first, as one undo step`() async throws {
        let thirdOfFour = try #require(Cycle.names.firstIndex(of: "3:4"))
        let instrument = await Instrument(document: document(.cycle, thirdOfFour))
        try await instrument.session.perform(.freeze(.bass), at: .zero)
        #expect(await instrument.session.document.pattern[.bass].isEmpty)
        try await instrument.session.perform(.change([.undo]), at: .zero)
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        // In the third pass the second is the last whole one, in the fourth the third.
        for (end, count) in [(9, 0), (13, 32)] {
            await instrument.play(from: .seconds(end == 9 ? 0 : 9), to: .seconds(end))
            try await instrument.session.perform(.freeze(.bass), at: .seconds(end))
            #expect(await instrument.session.document.pattern[.bass].count == count)
            #expect(await instrument.session.document.pattern[.bass][0][whole: 0][.cycle] == 0)
            try await instrument.session.perform(.change([.undo]), at: .seconds(end))
        }
    }

    @Test func `a later pass is not frozen as the first because a new length gives it that number`() async throws {
        let first = try #require(Cycle.names.firstIndex(of: "first"))
        let instrument = await Instrument(document: document(.cycle, first))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .seconds(5))
        // On step 8 of the second pass, which becomes pass 0.
        try await instrument.session.perform(.set(.length, to: 24), at: .seconds(5))
        await instrument.play(from: .seconds(5), to: .seconds(6))
        try await instrument.session.perform(.freeze(.bass), at: .seconds(6))
        // Notes beyond the length stay.
        #expect(await instrument.session.document.pattern[.bass].count == 8)
    }

    @Test func `a lost period changes nothing in which pass is frozen, nor in which is the first`() async throws {
        let first = try #require(Cycle.names.firstIndex(of: "first"))
        let instrument = await Instrument(document: document(.cycle, first))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .seconds(5))
        // One step of the second pass is not heard; it is the last whole one of the third.
        await instrument.play(from: .milliseconds(5200), to: .seconds(9))
        try await instrument.session.perform(.freeze(.bass), at: .seconds(9))
        #expect(await instrument.session.document.pattern[.bass].isEmpty)
    }

    @Test(arguments: [false, true])
    func `after a locate the pass is frozen that a start would play`(isPaused: Bool) async throws {
        var notes = document(.cycle, try #require(Cycle.names.firstIndex(of: "3:4"))).pattern[.bass]
        notes.length = 8
        var document = Document()
        document.apply(.edit([Slot(.bass, 0): notes]))
        let instrument = await Instrument(document: document)
        if isPaused {
            await instrument.startAudio()
            try await instrument.session.perform(.transport(.play), at: .zero)
            await instrument.play(from: .zero, to: .seconds(1))
            try await instrument.session.perform(.transport(.pause), at: .seconds(1))
            await instrument.play(from: .seconds(1), to: .milliseconds(1100))
        }
        // What is beyond the length stays.
        for (step, count) in [(20, 32), (12, 24)] {
            try await instrument.session.perform(.transport(.locate(step)), at: .milliseconds(1100))
            try await instrument.session.perform(.freeze(.bass), at: .milliseconds(1100))
            #expect(await instrument.session.document.pattern[.bass].count == count)
            try await instrument.session.perform(.change([.undo]), at: .milliseconds(1100))
        }
    }

    @Test func `resetting restores a lens's default in the slot`() async throws {
        let instrument = await Instrument(document: document(.ratchet, 4))
        try await instrument.session.perform(.reset(.bass, .chance), at: .zero)
        #expect(await instrument.session.document.history.undoCount == 1)
        try await instrument.session.perform(.reset(.bass, .ratchet), at: .zero)
        let notes = await instrument.session.document.pattern[.bass]
        #expect((0..<32).allSatisfy { notes[$0][whole: 0] == Note(.normal) })
    }
}
