import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// A client's timeline as the source of time, in frames.
@Suite struct TimelineTests {
    private func rig(
        _ source: SyncSource = .timeline, bpm: Double = 99, _ change: (inout SyncSettings) -> Void = { _ in }
    ) -> OfflineDriver {
        var score = Score.with([], bpm: bpm)
        score.sync.source = source
        change(&score.sync)
        return OfflineDriver(score)
    }

    private func words(_ driver: OfflineDriver) -> [String] { driver.fetchNotices().map(JackFollowingTests.words) }

    private func render(_ driver: OfflineDriver, _ frames: Int, period: Int = 256) {
        driver.render(frames: frames, periods: [period]) { _ in }
    }

    /// The frame at which a timeline reaches a song position in steps.
    private func frame(of position: Double, on timeline: Timeline) -> Double {
        (Double(timeline.usecs) + (position / 4 - timeline.beat) * 60e6 / timeline.bpm) * 0.048
    }

    /// How far consecutive steps are from their times on a timeline, in frames.
    private func errors(_ steps: [StartedStep], from first: Int, on timeline: Timeline) -> [Double] {
        steps.enumerated().map { Double($1.frame) - frame(of: Double(first + $0), on: timeline) }
    }

    @Test(arguments: [16, 256, 2048], [61.7, 120, 174.3])
    func `every step is on its frame of the timeline`(period: Int, bpm: Double) {
        let driver = rig()
        let timeline = Timeline(beat: -1.3, usecs: 12_345, bpm: bpm, isPlaying: true)
        driver.engine.follow(timeline)
        render(driver, 960_000, period: period)
        let steps = driver.fetchSteps()
        // The first multiple of four beats after the beginning.
        #expect(steps.first?.step == 0 && steps.count > 60)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        let errors = errors(steps, from: 0, on: timeline)
        Figures.show("a timeline, \(bpm) BPM, period \(period)", errors.map { $0 / 48 })
        #expect(errors.allSatisfy { abs($0) <= 1 })
        #expect(driver.engine.fetchReport()?.bpm == bpm)
    }

    @Test func `in a day of music nothing drifts`() {
        let settings = TransportSettings(
            bpm: 99, swing: 0.5, length: 32, sync: SyncSettings(source: .timeline), sampleRate: 48_000)
        var transport = Transport(settings)
        var news = TimelineNews()
        news.timeline = Timeline(beat: 0, usecs: 0, bpm: 127.3, isPlaying: true)
        transport.timeline.apply(news)
        var (frame, count, worst, isInOrder): (Int64, Int, Double, Bool) = (0, 0, 0, true)
        while frame < 86_400 * 48_000 {
            let usecs = UInt64(Double(frame) / 0.048)
            let end = frame + 8192
            transport.begin(
                RtCycle(
                    frameCount: 8192, startFrame: frame, startUsecs: usecs, usecsPerFrame: 1 / 0.048, nowUsecs: usecs),
                at: frame)
            while frame < end {
                transport.reach(frame)
                if let songStep = transport.nextStep(at: frame) {
                    worst = max(worst, abs(Double(frame) - Double(count) * 48_000 * 15 / 127.3))
                    isInOrder = isInOrder && songStep == Int64(count)
                    count += 1
                }
                frame += Int64(transport.quietFrames(from: frame, atMost: Int(end - frame)))
            }
        }
        Figures.show("a timeline for a day", [worst / 48])
        #expect(isInOrder && count > 733_000 && worst <= 1)
    }

    @Test(arguments: [0.0, 0.4, 3.9])
    func `our play joins on the next multiple of the quantum`(beat: Double) {
        let driver = rig { $0.quantum = 2 }
        driver.engine.follow(Timeline(beat: beat, usecs: 0, bpm: 120))
        render(driver, 256)
        _ = driver.send(.play)
        render(driver, 96_000)
        let target = beat < 0.1 ? 2.0 : (beat / 2).rounded(.up) * 2
        let first = Int64(((target - beat) * 24_000).rounded())
        let notices = words(driver)
        #expect(notices.first == "playing 0")
        #expect(notices.dropFirst().contains("step \(Int(target * 4)) at \(first)"))
        #expect(notices.filter { $0.hasPrefix("step") }.first == "step \(Int(target * 4)) at \(first)")
    }

    @Test(arguments: [RtCommand.stop, .pause, .suspend, .finish, .silence])
    func `a stop in the same cycle in which the music would join is a stop`(command: RtCommand) {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120))
        render(driver, 256)
        _ = driver.send(.play)
        // The multiple is at frame 84000, in the middle of the next cycle.
        render(driver, 327 * 256)
        #expect(words(driver) == ["playing 0"])
        _ = driver.send(command)
        render(driver, 100_000)
        #expect(driver.fetchSteps().isEmpty && driver.engine.fetchReport()?.state != .playing)
    }

    @Test func `the timeline's own quantum overrides ours`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120, isPlaying: true, quantum: 3))
        render(driver, 96_000)
        #expect(driver.fetchSteps().first == StartedStep(step: 12, frame: 60_000))
    }

    @Test func `a start in the future begins on its multiple, and a stop ends the music`() {
        let driver = rig()
        // Beat 8 is at 4 s; the time was rounded down.
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
        render(driver, 24_000)
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true, playingUsecs: 4_000_001))
        render(driver, 24_000 * 8)
        #expect(driver.engine.fetchReport()?.state == .playing)
        #expect(driver.fetchSteps().first == StartedStep(step: 0, frame: 192_000))
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: false, playingUsecs: 5_000_000))
        render(driver, 48_000)
        #expect(words(driver).last == "stopped 0")
        #expect(driver.engine.fetchReport()?.lossCount == 0)
    }

    @Test func `a repeated timeline orders nothing again`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true))
        render(driver, 48_000)
        _ = driver.send(.stop)
        render(driver, 256)
        _ = driver.fetchNotices()
        driver.engine.follow(Timeline(beat: 2, usecs: 1_000_000, bpm: 120, isPlaying: true))
        render(driver, 144_000)
        #expect(words(driver).isEmpty && driver.engine.fetchReport()?.state == .stopped)
    }

    @Test func `a stop is obeyed even if the start before it was missed`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: false))
        render(driver, 1000)
        driver.schedule(.command(.play), at: driver.frame)
        render(driver, 100_000)
        _ = driver.fetchNotices()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: false), orderCount: 0)
        render(driver, 1000)
        #expect(!words(driver).contains("stopped 0"))
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: false), orderCount: 2)
        render(driver, 1000)
        #expect(words(driver).contains("stopped 0"))
    }

    @Test func `a first timeline that is stopped does not stop the music`() {
        let driver = rig(.automatic, bpm: 120)
        _ = driver.send(.play)
        render(driver, 10_000)
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: false))
        render(driver, 86_000)
        #expect(driver.engine.fetchReport()?.following == .timeline)
        #expect(driver.engine.fetchReport() == nil)
        #expect(driver.fetchSteps().map(\.step) == Array(0..<16))
    }

    @Test func `starts and stops that are not shared are our own`() {
        let driver = rig { $0.followsStarts = false }
        driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120, isPlaying: true))
        render(driver, 96_000)
        #expect(words(driver).isEmpty)
        _ = driver.send(.play)
        render(driver, 96_000)
        driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120, isPlaying: false))
        render(driver, 9600)
        #expect(driver.engine.fetchReport()?.state == .playing)
    }

    @Test func `pause stays, and play joins again`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true))
        render(driver, 50_000)
        _ = driver.send(.pause)
        render(driver, 10_000)
        #expect(words(driver).last == "paused 8")
        _ = driver.send(.locate(step: 3))
        _ = driver.send(.play)
        render(driver, 48_000)
        #expect(words(driver) == ["paused 8", "playing 8", "playing 16", "step 16 at 96000", "step 17 at 102000"])
    }

    @Test func `another tempo is followed without a jump, and a jump of the timeline is followed at once`() {
        let driver = rig()
        var timeline = Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true)
        driver.engine.follow(timeline)
        render(driver, 48_000)
        // At beat 2.
        timeline = Timeline(beat: 2, usecs: 1_000_000, bpm: 150)
        driver.engine.follow(timeline)
        render(driver, 48_000)
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == Array(0..<18))
        #expect(errors(Array(steps.dropFirst(8)), from: 8, on: timeline).allSatisfy { abs($0) <= 1 })
        driver.engine.follow(Timeline(beat: 7.25, usecs: 2_000_000, bpm: 150))
        render(driver, 9600)
        #expect(words(driver) == ["playing 29", "step 29 at 96000", "step 30 at 100800"])
    }

    @Test func `a timeline that is released is a loss, and the music continues alone at its tempo`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true))
        render(driver, 40_000)
        driver.engine.follow(nil)
        render(driver, 56_000)
        let report = driver.engine.fetchReport()
        #expect(report?.lossCount == 1 && report?.keptBpm == 150 && report?.following == .own)
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == Array(0..<20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { abs($1.frame - $0.frame - 4800) <= 1 })
    }

    @Test func `play that waited for the timeline plays at once when it is released`() {
        let driver = rig(bpm: 150)
        driver.engine.follow(Timeline(beat: 0.1, usecs: 0, bpm: 120))
        render(driver, 256)
        _ = driver.send(.play)
        render(driver, 4096)
        #expect(words(driver) == ["playing 0"])
        driver.engine.follow(nil)
        render(driver, 24_000)
        #expect(driver.fetchSteps() == (0..<4).map { StartedStep(step: $0, frame: 4352 + 6000 * Int64($0)) })
    }

    @Test func `play that waited for ticks plays at once when we no longer follow a source`() {
        let driver = rig(.midi, bpm: 150)
        render(driver, 256)
        _ = driver.send(.play)
        render(driver, 48_000 - 256)
        driver.engine.publish(.with([], bpm: 150))
        render(driver, 9600, period: 100)
        #expect(driver.fetchSteps() == [0, 1].map { StartedStep(step: $0, frame: 48_000 + 4800 * Int64($0)) })
    }

    @Test func `without a timeline we play at once`() {
        let driver = rig(bpm: 150)
        _ = driver.send(.play)
        render(driver, 9600)
        #expect(driver.fetchSteps() == [0, 1].map { StartedStep(step: $0, frame: 4800 * Int64($0)) })
        #expect(driver.engine.fetchReport()?.following == .own)
    }

    @Test func `automatic follows a timeline from its next beat, and a better source in its place`() {
        let driver = rig(.automatic, bpm: 150)
        _ = driver.send(.play)
        render(driver, 2560)
        driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120))
        render(driver, 48_000 - 2560)
        let steps = driver.fetchSteps()
        // Beat 1 is on frame 12000.
        #expect(
            steps.prefix(5) == [
                StartedStep(step: 0, frame: 0), StartedStep(step: 1, frame: 4800), StartedStep(step: 2, frame: 9600),
                StartedStep(step: 4, frame: 12_000), StartedStep(step: 5, frame: 18_000),
            ])
        let transport = SharedTransportModel(driver)
        transport.master = { .ticking($0, bpm: 150) }
        transport.roll(from: 100_000)
        render(driver, 48_000)
        #expect(driver.engine.fetchReport()?.following == .jack)
    }

    @Test(arguments: [RtCommand.pause, .stop])
    func `a start that was ordered before our stop starts nothing when automatic then follows the timeline`(
        command: RtCommand
    ) {
        let driver = rig(.automatic, bpm: 150)
        let transport = SharedTransportModel(driver)
        transport.roll()
        render(driver, 2560)
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true))
        render(driver, 9600)
        #expect(driver.engine.fetchReport()?.following == .jack)
        _ = driver.send(command)
        render(driver, 1024)
        _ = driver.fetchNotices()
        render(driver, 192_000)
        #expect(words(driver).isEmpty && driver.engine.fetchReport()?.following == .timeline)
        // The next one does.
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true), orderCount: 1)
        render(driver, 96_000)
        #expect(driver.fetchSteps().first?.step.isMultiple(of: 16) == true)
    }

    @Test(arguments: [false, true])
    func `a start that was ordered before a MIDI clock's Stop starts nothing when its ticks end, a later one does`(
        isLater: Bool
    ) {
        let driver = rig(.automatic, bpm: 150)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24)
        clock.stop()
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true)
        render(driver, 9600)
        if !isLater { driver.engine.follow(timeline) }
        render(driver, 14_400)
        if isLater { driver.engine.follow(timeline) }
        _ = driver.fetchNotices()
        render(driver, 192_000)
        #expect(driver.engine.fetchReport()?.following == .timeline)
        #expect(driver.fetchSteps().isEmpty != isLater)
    }

    @Test func `the driver's loss pauses, and its return joins again`() {
        let driver = rig()
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true))
        render(driver, 20_000)
        _ = driver.send(.suspend)
        _ = driver.send(.restore(.playing, SongStep(3, in: Loop(length: 32))))
        render(driver, 100_000)
        let steps = driver.fetchSteps()
        #expect(steps[3].step == 3 && steps[4] == StartedStep(step: 16, frame: 96_000))
    }

    @Test(arguments: [-0.05, -0.004, 0.05])
    func `an offset moves what is heard, and no first step is lost`(offset: Double) {
        let driver = rig { $0.offsetIn = offset }
        let timeline = Timeline(beat: -0.5, usecs: 0, bpm: 120, isPlaying: true)
        driver.engine.follow(timeline)
        render(driver, 96_000)
        let steps = driver.fetchSteps()
        #expect(steps.first?.step == 0 && steps.count > 10)
        #expect(errors(steps, from: 0, on: timeline).allSatisfy { abs($0 - offset * 48_000) <= 1 })
    }

    @Test func `an early offset plays the first step of a starting transport late, but plays it`() {
        var score = Score.with([], bpm: 120)
        score.sync = SyncSettings(source: .jack, offsetIn: -0.05)
        let driver = OfflineDriver(score)
        let transport = SharedTransportModel(driver)
        render(driver, 512)
        transport.roll()
        render(driver, 24_000)
        #expect(driver.fetchSteps().prefix(3).map(\.frame) == [512, 4112, 10_112])
        transport.stop()
        render(driver, 1024)
        transport.locate(0)
        render(driver, 1024)
        #expect(driver.engine.fetchReport()?.state == .stopped)
    }

    @Test(arguments: [(0.2, 0.5), (0.1, 0.75)])
    func `a late offset plays nothing from before the start of a transport or a MIDI clock`(
        offset: Double, swing: Double
    ) {
        var score = Score.with([], bpm: 120, swing: swing)
        (score.sync.source, score.sync.offsetIn) = (.jack, offset)
        let led = OfflineDriver(score)
        let transport = SharedTransportModel(led)
        render(led, 512)
        transport.start()
        transport.locate(8 * 6000)
        render(led, 48_000)
        let start = transport.rolled[0].cycle + Int64(offset * 48_000)
        #expect(led.fetchSteps().first == StartedStep(step: 8, frame: start))

        score.sync.source = .midi
        let driver = OfflineDriver(score)
        var clock = MidiClock(driver, bpm: 120)
        clock.start()
        let tick = clock.tick(48)
        render(driver, 48_000)
        #expect(driver.fetchSteps().first == StartedStep(step: 0, frame: Int64(tick + offset * 48_000)))
    }

    @Test(arguments: [-0.02, 0.02])
    func `an offset moves the sent clock, and never its count`(offset: Double) {
        let driver = rig(.own, bpm: 150) { ($0.leadsMidi, $0.offsetOut) = (true, offset) }
        var (ticks, others): ([Int64], [UInt8]) = ([], [])
        _ = driver.send(.play)
        driver.render(frames: 48_000, periods: [256]) { period in
            for (frame, event) in period.messages(of: .clockOut) {
                if event.status == 0xf8 { ticks.append(frame) } else { others.append(event.status) }
            }
        }
        #expect(others == [0xfa])
        let expected = (0..<ticks.count).map { max(0, Int64($0) * 800 + Int64(offset * 48_000)) }
        #expect(zip(ticks, expected).dropFirst().allSatisfy { abs($0 - $1) <= 1 } && ticks.count >= 58)
        #expect(ticks[0] == expected[0])
    }

    @Test func `whatever timelines say, nothing gets stuck`() {
        let driver = rig()
        var random = SeededGenerator(seed: 9)
        let extremes = [-1e9, 1e9, 0, 0.5, -4, 1e-9]
        for _ in 0..<400 {
            let beat =
                Bool.random(using: &random)
                ? extremes.randomElement(using: &random)! : .random(in: -9...9, using: &random)
            let usecs =
                Bool.random(using: &random)
                ? Int64(driver.frame) * 125 / 6 : Int64.random(in: 0...(1 << 53), using: &random)
            let isPlaying = [true, false, nil].randomElement(using: &random)!
            driver.engine.follow(
                Timeline(
                    beat: beat, usecs: usecs, bpm: .random(in: 10...1000, using: &random), isPlaying: isPlaying,
                    playingUsecs: .random(in: 0...(1 << 53), using: &random),
                    quantum: .random(in: 1...64, using: &random)))
            if Bool.random(using: &random) {
                _ = driver.send([RtCommand.play, .stop, .pause, .locate(step: 5)].randomElement(using: &random)!)
            }
            render(driver, .random(in: 1...2000, using: &random))
        }
        _ = driver.send(.stop)
        driver.engine.follow(nil)
        render(driver, 1024)
        _ = driver.fetchNotices()
        _ = driver.send(.play)
        let start = driver.frame
        render(driver, 48_000)
        let steps = driver.fetchSteps()
        #expect(steps.first == StartedStep(step: 0, frame: start) && steps.count >= 2)
    }
}
