import Gestures
import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// Commands from programs.
struct CommandTests {
    @Test func `a note outside the scale is refused on pitched tracks only`() async throws {
        let instrument = await Instrument()
        await #expect(throws: CommandError.outOfScale(.bass, note: 1)) {
            try await instrument.session.perform(.setNote(.bass, step: 0, note: 1, Note(.normal)), at: .zero)
        }
        try await instrument.session.perform(.setNote(.rhythm, step: 0, note: 1, Note(.normal)), at: .zero)
        try await instrument.session.perform(.setNote(.bass, step: 0, note: 1, Note(.off)), at: .zero)
        #expect(await instrument.session.document.history.undoCount == 1)
    }

    @Test func `a melody note replaces the step's others`() async throws {
        let instrument = await Instrument()
        try await instrument.session.perform(.setNote(.melody, step: 3, note: 0, Note(.normal)), at: .zero)
        try await instrument.session.perform(.setNote(.melody, step: 3, note: 4, Note(.accent)), at: .zero)
        #expect(await instrument.session.document.pattern[.melody, 3] == StepNotes([4], .accent))
    }

    @Test func `turning a melody note off leaves another on the step`() async throws {
        let instrument = await Instrument()
        try await instrument.session.perform(.setNote(.melody, step: 3, note: 0, Note(.normal)), at: .zero)
        try await instrument.session.perform(.setNote(.melody, step: 3, note: 4, Note(.off)), at: .zero)
        #expect(await instrument.session.document.pattern[.melody, 3] == StepNotes([0], .normal))
    }

    @Test func `a note does not revive headless sustain cells`() async throws {
        var document = Document()
        var cells = Cells()
        cells[.melody, 4, 31] = .accent
        for step in 0...3 { cells[.melody, 4, step] = .sustain }
        document.edit(cells)
        document.set(.length, to: 16)
        let instrument = await Instrument(document: document)
        try await instrument.session.perform(.setNote(.melody, step: 15, note: 4, Note(.normal)), at: .zero)
        let written = await instrument.session.document.pattern.cells
        #expect(written[.melody, 4, 15] == .normal)
        #expect((0...3).allSatisfy { written[.melody, 4, $0] == .off })
    }

    @Test func `all clients share one undo history`() async throws {
        let instrument = await Instrument()
        try await instrument.tap(4, 7)
        try await instrument.session.perform(.change([.clear(Pattern())]), at: .seconds(1))
        try await instrument.session.perform(.change([.undo]), at: .seconds(1))
        #expect(await instrument.session.document.pattern[.melody, 0, 0] == .normal)
        try await instrument.session.perform(.change([.undo]), at: .seconds(1))
        #expect(await instrument.session.document.pattern.filledSlots.isEmpty)
        try await instrument.session.perform(.change([.redo]), at: .seconds(1))
        #expect(await instrument.session.document.history.redoCount == 1)
    }

    @Test(arguments: [8, 31])
    func `locating beyond the length is refused`(step: Int) async throws {
        let instrument = await Instrument()
        try await instrument.session.perform(.set(.length, to: 8), at: .zero)
        await #expect(throws: CommandError.beyondLength(step: step, length: 8)) {
            try await instrument.session.perform(.transport(.locate(step)), at: .zero)
        }
        try await instrument.session.perform(.transport(.locate(7)), at: .zero)
        #expect(await instrument.session.transport.step == 7)
    }

    @Test func `ending the solo of a track that is not soloed leaves the others alone`() async throws {
        let instrument = await Instrument()
        try await instrument.session.perform(.set(.solo, on: .bass, to: true), at: .zero)
        try await instrument.session.perform(.set(.solo, on: .melody, to: false), at: .zero)
        #expect(await instrument.session.document.soloedTrack == .bass)
        try await instrument.session.perform(
            .change([.set(.solo, on: .bass, to: false), .set(.gain, on: .bass, to: -6)]), at: .zero)
        #expect(await instrument.session.document.soloedTrack == nil)
        #expect(await instrument.session.document.number(.gain, .bass) == -6)
    }

    @Test func `every change of state is counted`() async throws {
        let instrument = await Instrument()
        let commands: [Command] = [
            .set(.tempo, to: 90), .set(.scale, to: "minor"), .set(.root, to: "A"), .set(.length, to: 16),
            .set(.swing, to: 0.6), .set(.colors, to: "harmonic"), .set(.ghosts, to: false),
            .set(.mute, on: .melody, to: true),
            .change([.setName("x")]), .transport(.stop),
        ]
        var revision = await instrument.session.stateRevision
        for command in commands {
            try await instrument.session.perform(command, at: .zero)
            let next = await instrument.session.stateRevision
            #expect(next > revision, "\(command)")
            revision = next
        }
    }
}
