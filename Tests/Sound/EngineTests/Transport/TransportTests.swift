import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

@Suite struct TransportTests {
    /// The notices, in short.
    private func story(_ driver: OfflineDriver) -> [String] {
        driver.fetchNotices().map { notice in
            switch notice {
            case .step(let step): "step \(step.step) at \(step.frame)"
            case .launch(let track, let launch): "track \(track) slot \(launch.slot) at \(launch.frame)"
            case .transport(let state, let step, _): "\(state) \(step)"
            case .trackStep, .earlyNote, .recorded, .played, .key: "\(notice)"
            }
        }
    }

    private func driver(_ changes: [(Int64, RtCommand)], length: Int = 32) -> OfflineDriver {
        let score = Score.with([], bpm: 150, length: length)
        let driver = OfflineDriver(score)
        for (frame, command) in changes { driver.schedule(.command(command), at: frame) }
        return driver
    }

    // At 150 BPM and 48 kHz a step has 4800 frames.

    @Test func `nothing happens before play`() {
        let driver = driver([])
        _ = driver.record(frames: 10_000)
        #expect(story(driver).isEmpty)
    }

    @Test func `play starts with the first frame of the next period, and play while playing changes nothing`() {
        let driver = driver([(1000, .play), (3000, .play)])
        _ = driver.record(frames: 6000)
        // Each command is answered.
        #expect(story(driver) == ["playing 0", "step 0 at 1000", "playing 0", "step 1 at 5800"])
    }

    @Test func `a command is carried out at the start of a period, not within it`() {
        let driver = driver([])
        driver.render(frames: 3000, periods: [1000]) { period in
            if period.startFrame == 1000 { #expect(driver.send(.play)) }
        }
        #expect(story(driver) == ["playing 0", "step 0 at 2000"])
    }

    @Test func `stop returns to step 0`() {
        let driver = driver([(0, .play), (6000, .stop), (7000, .stop), (8000, .play)])
        _ = driver.record(frames: 9000)
        #expect(
            story(driver) == [
                "playing 0", "step 0 at 0", "step 1 at 4800", "stopped 0", "stopped 0", "playing 0",
                "step 0 at 8000",
            ])
    }

    @Test func `stop returns to the song's start, also from the beginning of a later pass`() {
        let driver = driver([(0, .locate(step: 16)), (200, .stop), (300, .play)])
        driver.schedule(.score(.with([], bpm: 150, length: 16)), at: 100)
        _ = driver.record(frames: 1000)
        let songSteps = driver.fetchNotices().compactMap {
            if case .step(let step) = $0 { step.songStep } else { nil }
        }
        #expect(songSteps == [SongStep(0, in: Loop(length: 16))])
    }

    @Test func `play after pause restarts the step that was cut off`() {
        let driver = driver([(0, .play), (6000, .pause), (6500, .pause), (8000, .play)])
        _ = driver.record(frames: 13_000)
        #expect(
            story(driver) == [
                "playing 0", "step 0 at 0", "step 1 at 4800", "paused 1", "paused 1", "playing 1",
                "step 1 at 8000", "step 2 at 12800",
            ])
    }

    @Test func `pause while stopped changes nothing, and stop while paused goes to step 0`() {
        let driver = driver([(0, .pause), (100, .play), (5000, .pause), (5100, .stop)])
        _ = driver.record(frames: 6000)
        #expect(
            story(driver) == ["stopped 0", "playing 0", "step 0 at 100", "step 1 at 4900", "paused 1", "stopped 0"])
    }

    @Test func `locate while stopped chooses where play starts, modulo the length`() {
        let driver = driver([(0, .locate(step: 17)), (1000, .play)], length: 10)
        _ = driver.record(frames: 6000)
        #expect(story(driver) == ["stopped 7", "playing 7", "step 7 at 1000", "step 8 at 5800"])
    }

    @Test func `locate while playing continues from there at once`() {
        let driver = driver([(0, .play), (2000, .locate(step: 30))])
        _ = driver.record(frames: 12_000)
        #expect(
            story(driver) == [
                "playing 0", "step 0 at 0", "playing 30", "step 30 at 2000", "step 31 at 6800", "step 0 at 11600",
            ])
    }

    @Test func `silence stops`() {
        let driver = driver([(0, .play), (5000, .silence)])
        _ = driver.record(frames: 10_000)
        #expect(story(driver) == ["playing 0", "step 0 at 0", "step 1 at 4800", "stopped 0"])
    }

    @Test func `a change of tempo keeps the position`() {
        let driver = driver([(0, .play)])
        driver.schedule(.score(.with([], bpm: 75)), at: 2400)
        _ = driver.record(frames: 20_000)
        #expect(story(driver) == ["playing 0", "step 0 at 0", "step 1 at 7200", "step 2 at 16800"])
    }

    @Test func `a change of length takes the position modulo the new one and reports it`() {
        let driver = driver([(0, .locate(step: 20)), (0, .play)])
        driver.schedule(.score(.with([], bpm: 150, length: 8)), at: 2400)
        driver.schedule(.score(.with([], bpm: 150, length: 16)), at: 6000)
        _ = driver.record(frames: 20_000)
        #expect(
            story(driver) == [
                "stopped 20", "playing 20", "step 20 at 0", "playing 4", "step 5 at 4800", "step 6 at 9600",
                "step 7 at 14400", "step 8 at 19200",
            ])
    }

    @Test func `a change of length moves a position that waits for play`() {
        let driver = driver([(0, .locate(step: 20))])
        driver.schedule(.score(.with([], length: 8)), at: 100)
        _ = driver.record(frames: 200)
        #expect(story(driver) == ["stopped 20", "stopped 4"])
    }

    @Test func `a score published before a command is applied before it`() {
        let driver = driver([])
        driver.schedule(.score(.with([TestNote(track: .bass, note: 0, step: 0)])), at: 0)
        driver.schedule(.command(.play), at: 0)
        #expect(driver.record(frames: 64, periods: [64])[.track(.bass)].onset == 0)
    }

    @Test func `a new sample rate keeps transport and position`() {
        let driver = driver([(0, .play)])
        _ = driver.record(frames: 4800 + 2400)
        _ = driver.fetchNotices()
        let again = OfflineDriver(driver.engine, sampleRate: 96_000)
        _ = again.record(frames: 10_000)
        // Half of step 1 was over; the other half lasts 4800 frames now.
        #expect(story(again) == ["step 2 at 4800"])
    }
}
