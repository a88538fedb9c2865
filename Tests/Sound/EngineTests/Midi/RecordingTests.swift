import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Notes played while the music runs become steps.
@Suite struct RecordingTests {
    /// 0.12 s, 5760 frames a step.
    private func driver(swing: Double = 0.5, latency: Int = 0, _ cells: [TestNote] = []) -> OfflineDriver {
        let driver = OfflineDriver.playing(.with(cells, bpm: 125, swing: swing, length: 16))
        driver.playbackLatency = latency
        driver.schedule(.command(.record(true)), at: 0)
        return driver
    }

    private func recorded(_ driver: OfflineDriver, frames: Int) -> [RecordedNote] {
        driver.render(frames: frames, periods: [256, 64, 1000]) { _ in }
        return driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
    }

    @Test(arguments: [0.5, 0.62, 0.75], [0, 3000])
    func `drums that are off by less than half a step are on the intended step`(swing: Double, latency: Int) {
        var random = SeededGenerator(seed: UInt64(swing * 100))
        let driver = driver(swing: swing, latency: latency)
        var meant: [Int] = []
        for step in 1..<60 {
            func onset(_ step: Int) -> Double { (Double(step) + (step % 2 == 1 ? 2 * swing - 1 : 0)) * 5760 }
            let before = (onset(step) - onset(step - 1)) / 2
            let after = (onset(step + 1) - onset(step)) / 2
            let frame = onset(step) + .random(in: (1 - before)...(after - 2), using: &random) + Double(latency)
            driver.press(38, channel: 10, at: Int64(frame))
            meant.append(step)
        }
        let notes = recorded(driver, frames: 62 * 5760)
        #expect(notes.map { Int($0.step) } == meant.map { $0 % 16 })
        #expect(notes.map(\.passStart) == meant.map { Int64($0 / 16 * 16) })
        #expect(notes.allSatisfy { $0.note == 3 && $0.isAccent && $0.sustainCount == 0 })
    }

    @Test func `of two steps equally near, the later is recorded`() {
        let driver = driver()
        driver.press(36, channel: 10, at: 5760 + 2880)
        #expect(recorded(driver, frames: 20_000).map(\.step) == [2])
    }

    @Test(arguments: [(0.3, 0), (1.4, 0), (1.6, 1), (4.2, 3), (40, 31)])
    func `a note is as long as it was held`(steps: Double, sustains: Int) {
        let driver = driver()
        driver.press(60, velocity: 50, at: 5760)
        driver.letGo(60, at: 5760 + Int64(steps * 5760))
        let notes = recorded(driver, frames: 42 * 5760)
        #expect(notes.count == 1 && Int(notes[0].sustainCount) == sustains && !notes[0].isAccent)
    }

    @Test func `a note that was played early does not sound a second time on its step`() {
        for (early, count) in [(2000, 1), (-2000, 2)] {
            let driver = driver([TestNote(track: .rhythm, note: 3, step: 4)])
            driver.engine.publish(
                {
                    var score = Score.with([TestNote(track: .rhythm, note: 3, step: 4)], bpm: 125, length: 16)
                    score.send(.rhythm, target: 1)
                    return score
                }())
            driver.press(38, channel: 10, at: Int64(4 * 5760 - early))
            // In the next pass it does.
            let keys = driver.sentKeys(frames: 20 * 5760 - 1)
            #expect(keys.ons.count == count, "\(early) frames early")
            #expect(driver.sentKeys(frames: 5760).ons.count == 1)
        }
    }

    @Test func `a note that was played early silences no step of the same number at another speed`() {
        func score(_ cells: [TestNote], speed: Speed = .normal) -> Score {
            var score = Score.with(cells, bpm: 125, length: 16)
            score.send(.rhythm, target: 1)
            score[playing: Track.rhythm.rawValue].time.speed = speed
            return score
        }
        let kick = TestNote(track: .rhythm, note: 0, step: 12)
        let driver = OfflineDriver.playing(score([]))
        driver.schedule(.command(.record(true)), at: 0)
        // 240 frames before step 12. It is written after the step has begun.
        driver.press(36, channel: 10, at: 68_880)
        driver.schedule(.score(score([kick])), at: 12 * 5760 + 480)
        driver.schedule(.score(score([kick], speed: .half)), at: 14 * 5760)
        // Now step 12 begins with the song's step 24.
        let keys = driver.sentKeys(frames: 25 * 5760)
        #expect(keys.ons.map(\.frame) == [68_880, 138_240])
    }

    @Test func `nothing is recorded while disarmed or stopped`() {
        let stopped = OfflineDriver(.with([]))
        _ = stopped.send(.record(true))
        stopped.press(60, at: 100)
        stopped.letGo(60, at: 2000)
        #expect(recorded(stopped, frames: 5000).isEmpty)
        let disarmed = OfflineDriver.playing(.with([]))
        disarmed.press(60, at: 100)
        disarmed.letGo(60, at: 2000)
        #expect(recorded(disarmed, frames: 5000).isEmpty)
    }

    @Test func `what is not recorded is reported as it would be recorded`() {
        func notes(armed: Bool) -> [RtNotice] {
            let driver = driver(swing: 0.6)
            if !armed { driver.schedule(.command(.record(false)), at: 0) }
            driver.press(60, velocity: 50, at: 5760)
            driver.letGo(60, at: 5760 * 3)
            driver.press(38, channel: 10, at: 5760 * 5 + 100)
            driver.render(frames: 5760 * 8, periods: [256]) { _ in }
            return driver.fetchNotices()
        }
        let recorded = notes(armed: true).compactMap { if case .recorded(let note) = $0 { note } else { nil } }
        let played = notes(armed: false).compactMap { if case .played(let note) = $0 { note } else { nil } }
        #expect(recorded.count == 2 && played == recorded)
        #expect(notes(armed: true).allSatisfy { if case .played = $0 { false } else { true } })
        #expect(notes(armed: false).allSatisfy { if case .recorded = $0 { false } else { true } })
    }

    @Test func `while the music stands still, keys are reported with the times at which they go down and up`() {
        let driver = OfflineDriver(.with([]))
        driver.press(60, velocity: 100, at: 4800)
        driver.press(38, velocity: 20, channel: 10, at: 9600)
        driver.letGo(60, at: 14_400)
        driver.letGo(38, channel: 10, at: 15_000)
        driver.render(frames: 24_000, periods: [1000, 64]) { _ in }
        let keys = driver.fetchNotices().compactMap { if case .key(let key) = $0 { key } else { nil } }
        #expect(keys.map(\.isDown) == [true, true, false])
        #expect(keys.map(\.track) == [0, 3, 0] && keys.map(\.isHeld) == [true, false, true])
        #expect(keys.map(\.isAccent) == [true, false, false])
        #expect(keys.map(\.usecs) == [100_000, 200_000, 300_000])
    }

    @Test func `a track that is not armed is heard, but not recorded`() {
        var score = Score.with([], bpm: 125, length: 16)
        score.parameters[.arm, Track.melody.rawValue] = 0
        let driver = OfflineDriver.playing(score)
        driver.schedule(.command(.record(true)), at: 0)
        for channel in [1, 2] {
            driver.press(60, channel: channel, at: 5760)
            driver.letGo(60, channel: channel, at: 2 * 5760)
        }
        let recording = driver.record(frames: 3 * 5760)
        #expect(recording[.track(.melody)].onset == 5760 && recording[.track(.chords)].onset == 5760)
        let written = driver.fetchNotices().compactMap {
            if case .recorded(let note) = $0 { Int(note.track) } else { nil }
        }
        #expect(written == [Track.chords.rawValue])
    }

    @Test(arguments: [("hard", 95, false), ("hard", 96, true), ("all", 1, true), ("none", 127, false)])
    func `each track decides which keys are accents, both heard and recorded`(
        accents: String, velocity: Int, isAccent: Bool
    ) {
        func play(_ accents: String, velocity: Int) -> (samples: [Float], notes: [RecordedNote]) {
            var document = Document()
            document.set(.accents, on: .bass, to: .choice(accents))
            let driver = OfflineDriver.playing(Score(document))
            driver.schedule(.command(.record(true)), at: 0)
            driver.press(36, velocity: velocity, channel: 3, at: 6000)
            driver.letGo(36, channel: 3, at: 12_000)
            let samples = driver.record(frames: 24_000)[.track(.bass)]
            return (
                samples, driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
            )
        }
        let (samples, notes) = play(accents, velocity: velocity)
        #expect(notes.map(\.isAccent) == [isAccent])
        #expect(samples.peak > 0 && samples == play("hard", velocity: isAccent ? 96 : 95).samples)
    }

    @Test(arguments: [48_000.0, 96_000])
    func `a key that is held when the driver is lost is recorded`(rate: Double) {
        let driver = driver()
        driver.press(60, at: 5760)
        driver.render(frames: 4 * 5760, periods: [256]) { _ in }
        _ = driver.fetchNotices()
        let notes = recorded(OfflineDriver(driver.engine, sampleRate: rate), frames: 5760)
        #expect(notes.map { [$0.step, $0.sustainCount] } == [[1, 2]])
    }

    @Test(arguments: [RtCommand.stop, .pause, .record(false)])
    func `stop, pause and disarming release the keys, which records them`(command: RtCommand) {
        let driver = driver()
        driver.press(60, at: 5760)
        driver.schedule(.command(command), at: 4 * 5760)
        let notes = recorded(driver, frames: 6 * 5760)
        #expect(notes.map { [$0.step, $0.sustainCount] } == [[1, 2]])
        #expect(driver.record(frames: 20_000)[.track(.melody)].suffix(5000).allSatisfy { $0 == 0 })
    }
}
