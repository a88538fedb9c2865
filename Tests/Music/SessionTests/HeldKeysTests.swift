import Engine
import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// The keys that clients hold.
@Suite struct HeldKeysTests {
    /// An instrument with a driver, and a client on another machine.
    private func instrument() async -> (Instrument, remote: ClientID) {
        let instrument = await Instrument()
        await instrument.startAudio()
        let remote = await instrument.session.connect()
        var surface = TouchSurface()
        surface.isRemote = true
        await instrument.session.declare(surface, of: remote)
        return (instrument, remote)
    }

    /// Whether the melody sounds at the end of the given time.
    private func sounds(_ instrument: Instrument, from start: Duration, to end: Duration) async -> Bool {
        await instrument.play(from: start, to: end)
        _ = instrument.engine.fetchPeak(track: 0)
        await instrument.play(from: end, to: end + .milliseconds(10), listening: false)
        return instrument.engine.fetchPeak(track: 0) > 0
    }

    @Test func `a key sounds until it is released`() async throws {
        let (instrument, _) = await instrument()
        let key = PlayedKey(.melody, note: 0)
        try await instrument.session.press(key, velocity: 64, by: instrument.finger, at: .zero)
        #expect(await sounds(instrument, from: .zero, to: .seconds(5)))
        try await instrument.session.release(key, by: instrument.finger, at: .seconds(5))
        #expect(await !sounds(instrument, from: .milliseconds(5010), to: .seconds(6)))
    }

    @Test func `velocity 0 releases a key`() async throws {
        let (instrument, _) = await instrument()
        let key = PlayedKey(.melody, note: 0)
        try await instrument.session.press(key, velocity: 64, by: instrument.finger, at: .zero)
        try await instrument.session.press(key, velocity: 0, by: instrument.finger, at: .zero)
        #expect(await !sounds(instrument, from: .zero, to: .seconds(1)))
    }

    @Test func `the end of its connection releases a key`() async throws {
        let (instrument, _) = await instrument()
        try await instrument.session.press(
            PlayedKey(.melody, note: 0), velocity: 64, by: instrument.finger, at: .zero)
        await instrument.session.disconnect(instrument.finger, at: .seconds(1))
        #expect(await !sounds(instrument, from: .seconds(1), to: .seconds(2)))
    }

    @Test func `a remote client's keys are released 2 s after its last word`() async throws {
        let (instrument, remote) = await instrument()
        try await instrument.session.press(PlayedKey(.melody, note: 0), velocity: 64, by: remote, at: .zero)
        await instrument.session.hear(remote, at: .seconds(1))
        #expect(await instrument.session.nextWake.map { $0 <= .seconds(3) } == true)
        #expect(await sounds(instrument, from: .zero, to: .milliseconds(2980)))
        #expect(await !sounds(instrument, from: .milliseconds(2990), to: .milliseconds(3300)))
        // The same from a client of this machine stays.
        try await instrument.session.press(
            PlayedKey(.melody, note: 0), velocity: 64, by: instrument.finger, at: .milliseconds(3310))
        #expect(await sounds(instrument, from: .milliseconds(3310), to: .seconds(7)))
    }

    @Test func `a client holds at most 16 keys, and may strike them again`() async throws {
        let (instrument, _) = await instrument()
        let keys = (40..<57).compactMap { PlayedKey(.bass, key: $0) }
        for key in keys.dropLast() {
            try await instrument.session.press(key, velocity: 64, by: instrument.finger, at: .zero)
        }
        await #expect(throws: CommandError.tooManyKeys(limit: 16)) {
            try await instrument.session.press(keys[16], velocity: 64, by: instrument.finger, at: .zero)
        }
        try await instrument.session.press(keys[3], velocity: 64, by: instrument.finger, at: .zero)
        try await instrument.session.release(keys[3], by: instrument.finger, at: .zero)
        try await instrument.session.press(keys[16], velocity: 64, by: instrument.finger, at: .zero)
    }

    @Test func `a full queue refuses presses, but never releases`() async throws {
        let (instrument, _) = await instrument()
        let key = PlayedKey(.melody, note: 0)
        var count = 0
        await #expect(throws: CommandError.noAudio("the audio driver hangs")) {
            while count < 5000 {
                try await instrument.session.press(key, velocity: 64, by: instrument.finger, at: .zero)
                count += 1
            }
        }
        #expect(count > 500)
        try await instrument.session.release(key, by: instrument.finger, at: .zero)
        #expect(await !sounds(instrument, from: .zero, to: .seconds(1)))
    }

    @Test func `without a driver there are no keys, and those held are released with it`() async throws {
        let (instrument, _) = await instrument()
        let key = PlayedKey(.melody, note: 0)
        try await instrument.session.press(key, velocity: 64, by: instrument.finger, at: .zero)
        await instrument.loseAudio()
        for velocity in [64, 0] {
            await #expect(throws: CommandError.noAudio("the server died")) {
                try await instrument.session.press(key, velocity: velocity, by: instrument.finger, at: .zero)
            }
        }
        await instrument.startAudio()
        #expect(await !sounds(instrument, from: .zero, to: .seconds(1)))
    }

    @Test func `what is played while the music is recorded is written`() async throws {
        let (instrument, _) = await instrument()
        try await instrument.session.perform(.transport(.record(true)), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        // Steps last 125 ms; this is step 4.
        await instrument.play(from: .zero, to: .milliseconds(500))
        let drum = PlayedKey(.rhythm, note: Drum.clap.rawValue)
        try await instrument.session.press(drum, velocity: 112, by: instrument.finger, at: .milliseconds(500))
        try await instrument.session.release(drum, by: instrument.finger, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .seconds(1))
        let pattern = await instrument.session.document.pattern
        #expect(pattern[.rhythm, Drum.clap.rawValue, 4] == .accent && pattern.cells.count == 1)
    }
}
