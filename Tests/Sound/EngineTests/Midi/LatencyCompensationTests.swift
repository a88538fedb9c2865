import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Notes and clock are delayed so that they are heard with the sound.
@Suite struct LatencyCompensationTests {
    /// Melody on every other step of 5760 frames, to voices and MIDI output, and our clock.
    private func score(isCompensated: Bool = true, offsetOut: Double = 0) -> Score {
        var score = Score.with((0..<16).map { TestNote(track: .melody, note: 0, step: 2 * $0) }, bpm: 125)
        score.send(.melody, target: 2)
        score.sync.leadsMidi = true
        score.sync.offsetOut = offsetOut
        score.sync.compensatesLatency = isCompensated
        return score
    }

    private func driver(_ score: Score, latency: (main: Int, midi: Int, clock: Int) = (3000, 1000, 500))
        -> OfflineDriver
    {
        let driver = OfflineDriver(score)
        driver.playbackLatency = latency.main
        driver.midiOutLatency = latency.midi
        driver.clockOutLatency = latency.clock
        return driver
    }

    private struct Sent: Equatable {
        var frame: Int64
        var bytes: [UInt8]
    }

    private func record(_ driver: OfflineDriver, frames: Int, periods: [Int] = [256]) -> (keys: [Sent], clock: [Sent]) {
        var (keys, clock): ([Sent], [Sent]) = ([], [])
        var faults = SentKeys()
        func sent(_ period: OfflinePeriod, _ port: EnginePort) -> [Sent] {
            period.messages(of: port).map {
                Sent(frame: $0.frame, bytes: [$0.event.status, $0.event.first, $0.event.second])
            }
        }
        driver.render(frames: frames, periods: periods) { period in
            faults.accept(period)
            keys += sent(period, .midiOut)
            clock += sent(period, .clockOut)
        }
        #expect(faults.faults.isEmpty)
        #expect(zip(clock, clock.dropFirst()).allSatisfy { $0.frame <= $1.frame })
        return (keys, clock)
    }

    @Test(arguments: [[16], [64], [256], [1024], [8192], [1, 7, 3000, 64]], [0.0, 0.01, -0.01])
    func `notes and clock are delayed by the main latency minus their port's, and otherwise unchanged`(
        periods: [Int], offsetOut: Double
    ) {
        let plain = driver(score(isCompensated: false, offsetOut: offsetOut))
        let late = driver(score(offsetOut: offsetOut))
        var (expected, got): ([[Sent]], [[Sent]]) = ([[], []], [[], []])
        func go(_ frames: Int) {
            for (index, driver) in [plain, late].enumerated() {
                let sent = record(driver, frames: frames, periods: periods)
                if index == 0 {
                    expected = [expected[0] + sent.keys, expected[1] + sent.clock]
                } else {
                    got = [got[0] + sent.keys, got[1] + sent.clock]
                }
            }
        }
        go(5000)
        for driver in [plain, late] { _ = driver.send(.play) }
        go(100_000)
        for driver in [plain, late] { _ = driver.send(.locate(step: 8)) }
        go(100_000)
        // The sounding notes are released at once, the clock stops later.
        for driver in [plain, late] { _ = driver.send(.stop) }
        go(20_000)
        let end: Int64 = 225_000
        #expect(got[1] == expected[1].map { Sent(frame: $0.frame + 2500, bytes: $0.bytes) }.filter { $0.frame < end })
        let isSilenced: (Sent) -> Bool = { $0.frame == 105_000 || $0.frame == 205_000 }
        let delayed = expected[0].filter { !isSilenced($0) || $0.bytes[0] == 0x90 }
            .map { Sent(frame: $0.frame + 2000, bytes: $0.bytes) }
        #expect(got[0].filter { $0.bytes[0] == 0x90 } == delayed.filter { $0.bytes[0] == 0x90 })
        #expect(got[0].count == expected[0].count)
    }

    @Test func `nothing is sent earlier, and without the setting nothing later`() {
        for (isCompensated, latency) in [(true, (500, 3000, 3000)), (false, (3000, 0, 0))] {
            let driver = driver(score(isCompensated: isCompensated), latency: latency)
            _ = driver.send(.play)
            let sent = record(driver, frames: 10_000)
            #expect(sent.keys.first?.frame == 0 && sent.clock.first == Sent(frame: 0, bytes: [0xfa, 0, 0]))
        }
    }

    @Test func `notes played by hand go through at once, and replace delayed ones`() {
        let driver = driver(score())
        _ = driver.send(.play)
        // Between the step's start and the sending of its note.
        driver.press(60, velocity: 33, at: 500)
        driver.letGo(60, at: 20_000)
        let keys = record(driver, frames: 40_000).keys
        #expect(keys.first == Sent(frame: 500, bytes: [0x90, 60, 33]))
        // The next step, at 11520, takes over the key.
        #expect(keys.dropFirst().prefix(2).map(\.frame) == [13_520, 13_520])
    }

    @Test(arguments: [RtCommand.stop, .pause, .silence])
    func `commands that silence drop delayed notes`(command: RtCommand) {
        let driver = driver(score())
        _ = driver.send(.play)
        driver.schedule(.command(command), at: 1000)
        #expect(record(driver, frames: 30_000).keys.isEmpty)
        let other = self.driver(score())
        _ = other.send(.play)
        other.schedule(.command(command), at: 4000)
        #expect(record(other, frames: 30_000).keys.map(\.frame) == [2000, 4000])
    }

    @Test func `changes on the way leave everything in order`() {
        var random = SeededGenerator(seed: 9)
        let driver = driver(score())
        _ = driver.send(.play)
        var keys = SentKeys()
        for _ in 0..<2000 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: driver.playbackLatency = .random(in: 0...20_000, using: &random)
            case 1: driver.midiOutLatency = .random(in: 0...20_000, using: &random)
            case 2: driver.engine.publish(score(isCompensated: Bool.random(using: &random)))
            case 3: _ = driver.send([RtCommand.play, .stop, .pause].randomElement(using: &random)!)
            case 4: driver.press(60, at: driver.frame + .random(in: 0..<64, using: &random))
            case 5: driver.letGo(60, at: driver.frame + .random(in: 0..<64, using: &random))
            default: break
            }
            driver.render(frames: .random(in: 16...2000, using: &random), periods: [64, 700]) { keys.accept($0) }
        }
        _ = driver.send(.silence)
        driver.render(frames: 64) { keys.accept($0) }
        #expect(keys.faults.isEmpty && keys.down.isEmpty && keys.count > 100)
    }
}
