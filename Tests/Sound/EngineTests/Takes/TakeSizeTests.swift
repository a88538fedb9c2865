import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// How large a take's log becomes.
@Suite struct TakeSizeTests {
    private static let seconds = 60

    /// Bytes a second of a log in periods of 64 frames; what happens before each is up to the caller.
    private func bytesASecond(_ studio: TakeStudio, _ act: (_ period: Int) -> Void = { _ in }) -> Double {
        _ = studio.driver.send(.play)
        studio.render(64, periods: [64])
        let before = studio.takes.first?.log.reduce(0) { $0 + $1.count } ?? 0
        let periods = Self.seconds * 750
        for period in 0..<periods {
            act(period)
            studio.render(64, periods: [64])
        }
        let bytes = studio.takes[0].log.reduce(0) { $0 + $1.count } - before
        #expect(studio.takes.count == 1)
        return Double(bytes) / Double(Self.seconds)
    }

    @Test func `music by our own clock takes a few bytes a second`() {
        let bytes = bytesASecond(TakeStudio(.with([TestNote(track: .bass, note: 0, step: 0)], bpm: 300)))
        Figures.show("take, own clock, bytes a second", bytes)
        #expect(bytes < 10)
    }

    @Test func `4 hours with 2 edits, 4 controller values and 8 keys a second take less than 4 MB`() {
        var score = Score.with([TestNote(track: .bass, note: 0, step: 0)], bpm: 300)
        let studio = TakeStudio(score)
        let bytes = bytesASecond(studio) { period in
            if period.isMultiple(of: 375) {
                score.set(TestNote(track: .bass, note: period % 12, step: period % 32))
                studio.publish(score)
            }
            if period % 187 == 5 {
                studio.driver.receive(
                    MidiEvent(frame: 0, count: 3, 0xb0, 74, UInt8(period & 0x7f)), at: studio.driver.frame + 30)
                score.parameters[.gain] = -Double(period % 20)
                studio.publish(score)
            }
            if period % 93 == 0 || period % 93 == 40 {
                let velocity: UInt8 = period % 93 == 0 ? 100 : 0
                studio.driver.receive(
                    MidiEvent(frame: 0, count: 3, 0x90, 60, velocity), at: studio.driver.frame + Int64(period % 64))
            }
        }
        Figures.show("take, 4 hours, megabytes", bytes * 4 * 3600 / 1e6)
        #expect(bytes * 4 * 3600 < 4_000_000)
    }

    @Test func `a fader that moves all the time takes less than 2 KB a second`() {
        var score = Score.with([TestNote(track: .bass, note: 0, step: 0)], bpm: 300)
        let studio = TakeStudio(score)
        let bytes = bytesASecond(studio) { period in
            // As often as the control thread publishes at most.
            guard period.isMultiple(of: 4) else { return }
            score.parameters[.gain] = -Double(period % 200) / 10
            studio.publish(score)
        }
        Figures.show("take, fader, bytes a second", bytes)
        #expect(bytes < 2000)
    }

    @Test func `a MIDI clock that jitters takes less than 4 KB a second`() {
        var score = Score.with([TestNote(track: .bass, note: 0, step: 0)])
        score.sync.source = .midi
        let studio = TakeStudio(score)
        var clock = MidiClock(studio.driver, bpm: 300)
        clock.jitter = 40
        clock.start()
        let bytes = bytesASecond(studio) { _ in
            while clock.time < Double(studio.driver.frame) + 200 { clock.tick(1) }
        }
        Figures.show("take, MIDI clock, bytes a second", bytes)
        #expect(bytes > 200 && bytes < 4000)
    }

    @Test func `a timeline's times take less than 4 KB a second`() {
        var score = Score.with([TestNote(track: .bass, note: 0, step: 0)])
        score.sync.source = .timeline
        let studio = TakeStudio(score)
        studio.driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 123))
        let bytes = bytesASecond(studio)
        Figures.show("take, timeline, bytes a second", bytes)
        #expect(bytes > 200 && bytes < 4000)
    }

    @Test(arguments: [1920.0, 960, 48]) func `JACK's transport with another master takes less than 4 KB a second`(
        ticks: Double
    ) {
        var score = Score.with([TestNote(track: .bass, note: 0, step: 0)])
        score.sync.source = .jack
        let studio = TakeStudio(score)
        studio.session.transport.master = { .ticking($0, bpm: 123, ticksPerBeat: ticks) }
        studio.session.transport.start()
        let bytes = bytesASecond(studio)
        Figures.show("take, JACK's transport, \(ticks) ticks, bytes a second", bytes)
        #expect(bytes > 50 && bytes < 4000)
    }
}
