import Engine
import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// Punch-ins from the finger to what is heard.
@Suite struct PunchSoundTests {
    private func document() -> Document {
        var notes = SlotNotes()
        for step in 0..<32 { notes[step][whole: 0] = Note(.normal) }
        var document = Document()
        document.apply(.edit([Slot(.bass, 0): notes]))
        document.apply(.edit([Slot(.rhythm, 0): notes]))
        return document
    }

    /// The highest sample of a track in the second half of a stretch of time.
    private func peak(
        of track: Track, _ instrument: Instrument, from start: Duration, to end: Duration
    ) async -> Float {
        await instrument.play(from: start, to: (start + end) / 2, listening: false)
        _ = instrument.engine.fetchPeak(track: track.rawValue)
        await instrument.play(from: (start + end) / 2, to: end, listening: false)
        return instrument.engine.fetchPeak(track: track.rawValue)
    }

    @Test(arguments: [(22, Track.bass), (23, .rhythm)])
    func `a finger on BRAKE silences its tracks, and lets them play on when it is lifted`(
        row: Int, track: Track
    ) async throws {
        let instrument = await Instrument(document: document())
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        #expect(await peak(of: track, instrument, from: .zero, to: .seconds(1)) > 0.01)
        // A third of a beat.
        let down = Touch(id: 1, .down, column: 22, row: row)
        _ = try await instrument.session.touch(down, by: instrument.finger, at: .seconds(1))
        await instrument.session.advance(to: .milliseconds(1200))
        #expect(await peak(of: track, instrument, from: .seconds(1), to: .seconds(3)) == 0)
        let other: Track = row == 22 ? .rhythm : .bass
        #expect(await (peak(of: other, instrument, from: .seconds(3), to: .seconds(4)) > 0.01) == (row == 23))
        let up = Touch(id: 1, .up, column: 22, row: row)
        _ = try await instrument.session.touch(up, by: instrument.finger, at: .seconds(4))
        #expect(await peak(of: track, instrument, from: .seconds(4), to: .seconds(5)) > 0.01)
    }
}
