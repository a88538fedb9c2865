import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// A MIDI clock that ends, or whose ticks are missed, in frames.
@Suite struct MidiLossTests {
    private func rig() -> OfflineDriver {
        var score = Score.with([], bpm: 99)
        score.sync.source = .midi
        return OfflineDriver(score)
    }

    private func words(_ driver: OfflineDriver) -> [String] { driver.fetchNotices().map(JackFollowingTests.words) }

    @Test func `ticks that stop in mid-music are a loss, and the music goes on alone`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 2 + 3)
        driver.render(frames: 96_000, periods: [256]) { _ in }
        let report = driver.engine.fetchReport()
        #expect(report?.lossCount == 1 && abs((report?.keptBpm ?? 0) - 150) < 0.1)
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == Array(0..<20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { abs($1.frame - $0.frame - 4800) <= 3 })
        // Until it starts anew.
        clock.time = 100_000
        clock.tick(24)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(driver.fetchSteps().map(\.step) == Array(20..<25))
        clock.time = 121_000
        clock.start()
        clock.tick(24)
        driver.render(frames: 19_200, periods: [256]) { _ in }
        #expect(words(driver).contains("step 0 at 121000"))
    }

    @Test func `after a loss, too, the clock's stop is obeyed`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        clock.time += 28_800
        clock.tick(24)
        clock.stop()
        clock.tick(24)
        // The stop comes on 86440, before the end of step 17.
        driver.render(frames: 84_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.lossCount == 1 && driver.fetchSteps().last?.step == 17)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(words(driver) == ["paused 17"])
    }

    @Test func `after a loss, too, a change of length continues the present step`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        // To the middle of step 40 of the song, which is step 8.
        driver.render(frames: 100 + 40 * 4800 + 2400, periods: [256]) { _ in }
        #expect(driver.fetchSteps().last?.step == 8)
        var score = Score.with([], bpm: 99, length: 12)
        score.sync.source = .midi
        driver.engine.publish(score)
        driver.render(frames: 4 * 4800, periods: [256]) { _ in }
        #expect(driver.fetchSteps().map(\.step) == [9, 10, 11, 0])
    }

    @Test(arguments: [0.0, 48], [false, true])
    func `however often frames are lost, the music is where the clock is, whether their ticks are lost or come late`(
        jitter: Double, areLate: Bool
    ) {
        var random = SeededGenerator(seed: 7)
        let (bpm, period) = (127.0, 48_000 * 2.5 / 127)
        for gaps in [1...100, 500...3000, 20_000...48_000] {
            let driver = rig()
            var clock = MidiClock(driver, bpm: bpm)
            clock.jitter = jitter
            clock.start()
            let first = clock.tick(24 * 8)
            var steps: [StartedStep] = []
            for _ in 0..<20 {
                clock.tick(24 * 2 + Int.random(in: 0..<24, using: &random))
                let way = Double.random(in: jitter + 1...period - jitter - 1, using: &random)
                driver.render(frames: Int(clock.time - way) - Int(driver.frame), periods: [256]) { _ in }
                steps += driver.fetchSteps()
                let gap = Int.random(in: gaps, using: &random)
                while clock.time <= Double(driver.frame) + Double(gap) + jitter {
                    if areLate { clock.tick(1) } else { clock.time += period }
                }
                driver.skip(gap)
            }
            clock.tick(24 * 2)
            driver.render(frames: Int(clock.time) - Int(driver.frame), periods: [256]) { _ in }
            steps += driver.fetchSteps()
            let places = steps.map { (Double($0.frame) - first) * bpm / 15 / 48_000 }
            #expect(steps.map(\.step) == places.map { Int($0.rounded()) % 32 })
            let errors = places.map { ($0 - $0.rounded()) * 15_000 / bpm }
            Figures.show("MIDI clock, gaps of \(gaps) frames, ticks \(areLate ? "late" : "lost")", errors.dropFirst(16))
            // In a second without ticks the tempo is as exact as the jitter of those before lets it be known.
            #expect(errors.dropFirst(16).allSatisfy { abs($0) <= (jitter == 0 ? 0.25 : 2.5) })
            #expect(driver.engine.fetchReport()?.lossCount == 0)
        }
    }

    @Test func `ticks that end in lost frames are a loss half a second after them`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(48)
        driver.render(frames: 38_400, periods: [256]) { _ in }
        driver.skip(40_000)
        driver.render(frames: 22_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.lossCount == 0)
        driver.render(frames: 4000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.lossCount == 1)
    }

    /// Misses ticks in some way, after which they go on: that is a loss.
    private func expectLoss(_ miss: (OfflineDriver) -> OfflineDriver) {
        let before = rig()
        var clock = MidiClock(before, bpm: 150)
        clock.start()
        clock.tick(24 * 2 + 3)
        before.render(frames: 41_000, periods: [250]) { _ in }
        let driver = miss(before)
        _ = before.fetchSteps()
        clock = MidiClock(driver, from: driver.frame + 300, bpm: 150)
        clock.tick(24 * 2)
        driver.render(frames: 38_400, periods: [250]) { _ in }
        let report = driver.engine.fetchReport()
        #expect(report?.lossCount == 1 && report?.isLocked == false && report?.state == .playing)
        #expect(abs((report?.keptBpm ?? 0) - 150) < 0.1)
        // Alone, at the clock's tempo, until it starts anew.
        let steps = driver.fetchSteps()
        let stepFrames = driver.sampleRate / 10
        #expect(steps.count >= 7 && steps.first?.step == 9)
        for (last, next) in zip(steps, steps.dropFirst()) {
            #expect(next.step == last.step + 1 && abs(Double(next.frame - last.frame) - stepFrames) <= 4)
        }
        clock.start()
        let first = clock.tick(24)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().contains(StartedStep(step: 0, frame: Int64(first))))
        #expect(driver.engine.fetchReport()?.isLocked == true)
    }

    @Test(arguments: [48_000.0, 44_100])
    func `a driver that comes anew has missed ticks, which is a loss`(rate: Double) {
        expectLoss { OfflineDriver($0.engine, sampleRate: rate) }
    }

    @Test func `more than a second without frames is a loss`() {
        expectLoss { driver in
            driver.skip(48_001)
            return driver
        }
    }

    /// A driver that comes anew while a MIDI clock's music plays.
    private func newDriver() -> OfflineDriver {
        let before = rig()
        var clock = MidiClock(before, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        before.render(frames: 36_000, periods: [250]) { _ in }
        _ = before.fetchNotices()
        return OfflineDriver(before.engine)
    }

    @Test(arguments: [(PlayState.playing, [7, 8, 9]), (.paused, []), (.stopped, [])])
    func `after a driver's return the music of a MIDI clock plays on alone, unless somebody has stopped it`(
        state: PlayState, steps: [Int]
    ) {
        let driver = newDriver()
        _ = driver.send(.suspend)
        driver.render(frames: 12_000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().isEmpty)
        _ = driver.send(.restore(state, SongStep(7, in: Loop(length: 32))))
        driver.render(frames: 12_000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().map(\.step) == steps)
        #expect(driver.engine.fetchReport()?.state == state)
    }

    @Test func `a play that waits for a MIDI clock can be stopped while there is no driver`() {
        let before = rig()
        _ = before.send(.play)
        before.render(frames: 9600, periods: [256]) { _ in }
        let driver = OfflineDriver(before.engine)
        _ = driver.send(.suspend)
        _ = driver.send(.restore(.stopped, SongStep(0, in: Loop(length: 32))))
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.state == .stopped)
    }

    @Test func `what was missed while we paused is not counted when we play again`() {
        let before = rig()
        var clock = MidiClock(before, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        before.render(frames: 36_000, periods: [250]) { _ in }
        _ = before.send(.pause)
        before.render(frames: 2500, periods: [250]) { _ in }
        let driver = OfflineDriver(before.engine)
        clock = MidiClock(driver, bpm: 150)
        clock.tick(24)
        driver.render(frames: 5000, periods: [250]) { _ in }
        _ = driver.fetchSteps()
        _ = driver.send(.play)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        // From the next tick, on 5700, and not from a beat of which nobody knows where it is.
        #expect(driver.fetchSteps().first?.frame == 5700)
    }
}
