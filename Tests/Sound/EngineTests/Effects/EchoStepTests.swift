import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// How the delay follows the tempo.
@Suite struct EchoStepTests {
    /// The levels in dB of a held tone's echoes in fifths of a second, while a MIDI clock is followed.
    private func levels(bpm: Double, seed: UInt64, period: Int = 256) -> [Double] {
        var score = Score.with([], bpm: bpm)
        score.sync.source = .midi
        score.parameters[.delay, Track.melody.rawValue] = 0
        let driver = OfflineDriver(score)
        var clock = MidiClock(driver, bpm: bpm)
        clock.jitter = 48
        clock.random = SeededGenerator(seed: seed)
        clock.start()
        driver.press(69, at: 10_000)
        clock.tick(Int(24 * 20 / 60 * bpm))
        // After eight beats the tempo is known, and four seconds later the first echoes are over.
        let start = Int(clock.period * 24 * 8) + 4 * 48_000
        let samples = driver.record(frames: Int(clock.time), periods: [period])[EnginePort.delay[0]]
        return stride(from: start, to: samples.count - 9600, by: 9600).map { decibels(samples[$0..<$0 + 9600].rms) }
    }

    @Test(arguments: [60.0, 90, 120, 174.3], 1...4 as ClosedRange<UInt64>)
    func `a held tone's echo stays as loud while a clock jitters by a millisecond`(bpm: Double, seed: UInt64) {
        let levels = levels(bpm: bpm, seed: seed)
        let range = levels.max()! - levels.min()!
        #expect(levels.count >= 40 && levels.min()! > -40)
        #expect(range < 0.1, "\(range) dB")
    }

    @Test func `echoes while a clock is followed are the same at every period size`() {
        let reference = levels(bpm: 120, seed: 9)
        for period in [16, 64, 1000, 8192] { #expect(levels(bpm: 120, seed: 9, period: period) == reference) }
    }

    @Test func `our own tempo applies at once`() {
        var step = EchoStep(sampleRate: 48_000)
        for seconds in [0.1, 0.100_01, 0.2] {
            #expect(step.follow(seconds, isOwn: true, count: 1) == 0)
            #expect(step.seconds == seconds)
        }
    }

    @Test(arguments: [1, 100, 4799])
    func `a followed tempo applies beyond half a percent, and at most once a second`(count: Int) {
        var step = EchoStep(sampleRate: 48_000)
        _ = step.follow(0.1, isOwn: true, count: 1)
        for _ in 0..<48_000 / count + 1 { _ = step.follow(0.1, isOwn: true, count: count) }
        for seconds in [0.1004, 0.0996] { #expect(step.follow(seconds, isOwn: false, count: count) == nil) }
        #expect(step.seconds == 0.1)
        // A ritardando, from here on 1 % in each tenth of a second.
        var changes: [Int] = []
        for frame in stride(from: 0, to: 4 * 48_000, by: count) {
            let seconds = 0.1 * (1.006 + 0.01 * Double(frame / 4800))
            if let wait = step.follow(seconds, isOwn: false, count: count) { changes.append(frame + wait) }
        }
        #expect(changes.prefix(4) == [0, 48_000, 96_000, 144_000])
    }
}
