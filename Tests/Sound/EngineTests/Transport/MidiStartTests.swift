import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// How a MIDI clock, and our own play and stop, start and stop the music, in frames.
@Suite struct MidiStartTests {
    private func rig(_ source: SyncSource = .midi, bpm: Double = 99) -> OfflineDriver {
        var score = Score.with([], bpm: bpm)
        score.sync.source = source
        return OfflineDriver(score)
    }

    private func words(_ driver: OfflineDriver) -> [String] { driver.fetchNotices().map(JackFollowingTests.words) }

    @Test func `a stop is a stop also when the ticks end with it`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(28)
        clock.stop()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.lossCount == 0)
        #expect(words(driver).last == "paused 4")
        clock.time = 100_000
        clock.proceed()
        clock.tick(24)
        driver.render(frames: 19_200, periods: [256]) { _ in }
        // Tick 28 is two thirds of step 4: the next step comes two ticks later.
        #expect(words(driver).contains("step 5 at 101600"))
    }

    @Test func `a stop long after the last tick is before the next one`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(28)
        clock.stop()
        clock.time += 14_400
        clock.stop()
        driver.render(frames: 48_000, periods: [256]) { _ in }
        #expect(words(driver).last == "paused 4")
    }

    @Test func `a start and a stop long after ticks that moved nothing leave the music at its beginning`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.tick(24)
        clock.time += 480_000
        clock.start()
        clock.stop()
        driver.render(frames: 528_000, periods: [256]) { _ in }
        #expect(words(driver) == ["playing 0", "stopped 0"])
    }

    @Test func `stop while the ticks go on, and continue where it left`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24)
        clock.stop()
        clock.tick(17)
        clock.proceed()
        let again = clock.tick(24)
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == Array(0..<8))
        #expect(steps[4].frame == Int64(again))
    }

    @Test func `a song position pointer is gone to`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.tick(24)
        clock.point(at: 37)
        clock.proceed()
        let first = clock.tick(24)
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == [5, 6, 7, 8] && steps[0].frame == Int64(first))
    }

    @Test func `our play waits for a start where there are no ticks`() {
        let driver = rig()
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(words(driver) == ["playing 0"])
        let report = driver.engine.fetchReport()
        #expect(report?.isWaiting == true && report?.position == 0)
        var clock = MidiClock(driver, from: 10_000, bpm: 150)
        clock.start()
        clock.tick(13)
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(words(driver).filter { $0.hasPrefix("step") } == ["step 0 at 10000", "step 1 at 14800"])
    }

    @Test func `our play counts ticks without a start from the next one`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.tick(48)
        driver.render(frames: 9000, periods: [250]) { _ in }
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [250]) { _ in }
        // The ticks are on 100, 900, ... 9700.
        #expect(driver.fetchSteps() == [0, 1].map { StartedStep(step: $0, frame: 9700 + 4800 * Int64($0)) })
    }

    @Test(arguments: [(RtCommand.pause, "paused 4"), (.stop, "stopped 0")])
    func `our stop is ours alone, and our play joins on the next beat`(command: RtCommand, told: String) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 6)
        driver.render(frames: 24_000, periods: [250]) { _ in }
        _ = driver.send(command)
        driver.render(frames: 24_000, periods: [250]) { _ in }
        #expect(words(driver).last == told)
        _ = driver.send(.play)
        driver.render(frames: 24_000, periods: [250]) { _ in }
        // 48000 frames are 9.98 steps; the next beat is step 12.
        #expect(driver.fetchSteps().first == StartedStep(step: 12, frame: 100 + 12 * 4800))
    }

    @Test(arguments: [false, true])
    func `after our stop play begins anew with a clock that gave no Start, or has stopped`(isStarted: Bool) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        if isStarted { clock.start() }
        clock.tick(28)
        if isStarted { clock.stop() }
        clock.tick(200)
        driver.render(frames: 9000, periods: [250]) { _ in }
        if !isStarted { _ = driver.send(.play) }
        driver.render(frames: 21_000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().count >= 4)
        _ = driver.send(.stop)
        driver.render(frames: 3000, periods: [250]) { _ in }
        _ = driver.fetchNotices()
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [250]) { _ in }
        // With the next of the ticks, which are on 100, 900, ... 33700.
        #expect(driver.fetchSteps() == [0, 1].map { StartedStep(step: $0, frame: 33_700 + 4800 * Int64($0)) })
    }

    @Test func `automatic takes ticks up on their next beat, and goes on alone after them`() {
        let driver = rig(.automatic, bpm: 150)
        _ = driver.send(.play)
        driver.render(frames: 2500, periods: [250]) { _ in }
        var clock = MidiClock(driver, from: 3000, bpm: 150)
        clock.start()
        clock.tick(24 * 3)
        driver.render(frames: 96_000, periods: [250]) { _ in }
        let steps = driver.fetchSteps()
        // Its second beat is on 22200; the ticks end on 60600.
        let before = steps.filter { $0.frame < 22_200 }
        #expect(before.map(\.frame) == [0, 4800, 9600, 14_400, 19_200])
        let after = steps.filter { $0.frame >= 22_200 }
        #expect(after.first == StartedStep(step: 4, frame: 22_200))
        #expect(zip(after, after.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        #expect(zip(after, after.dropFirst()).allSatisfy { abs($1.frame - $0.frame - 4800) <= 2 })
        #expect(driver.engine.fetchReport()?.lossCount == 1)
    }

    @Test(arguments: [0, 37], [false, true])
    func `automatic starts with the first tick of a clock that ticks only while it plays`(
        place: Int, hasTimeline: Bool
    ) {
        let driver = rig(.automatic)
        if hasTimeline { driver.engine.follow(Timeline(beat: 0.5, usecs: 0, bpm: 120)) }
        driver.render(frames: 5120, periods: [256]) { _ in }
        var clock = MidiClock(driver, from: 6000, bpm: 150)
        if place == 0 {
            clock.start()
        } else {
            clock.point(at: place)
            clock.proceed()
        }
        clock.tick(24 * 2)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == (0..<5).map { (place + $0) % 32 })
        #expect(steps.prefix(2).map(\.frame) == [6000, 10_800])
        let report = driver.engine.fetchReport()
        #expect(report?.following == .midi && report?.lossCount == 0)
    }

    @Test func `under automatic a Start without ticks is waited for, and starts nothing`() {
        let driver = rig(.automatic)
        MidiClock(driver, from: 3000, bpm: 150).start()
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.isWaiting == true)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(words(driver) == ["playing 0", "stopped 0"])
        #expect(driver.engine.fetchReport()?.following == .own)
    }

    @Test func `a better source starts the music on its beat while a clock that was started anew is silent`() {
        let driver = rig(.automatic, bpm: 150)
        let transport = SharedTransportModel(driver)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(31)
        driver.render(frames: 24_576, periods: [8192]) { _ in }
        #expect(driver.fetchSteps().last?.step == 5)
        // JACK's next beat is 4000 frames away, the Start comes before it, and no tick after that.
        transport.master = { .ticking($0, bpm: 150) }
        transport.roll(from: 15_200)
        driver.receive(MidiEvent(frame: 0, 0xfa), at: 25_576)
        driver.render(frames: 24_576, periods: [8192]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.first == StartedStep(step: 4, frame: 28_576) && steps.count == 5)
        #expect(driver.engine.fetchReport()?.following == .jack)
    }

    private func follow(_ source: SyncSource, _ driver: OfflineDriver) {
        var score = Score.with([], bpm: 99)
        score.sync.source = source
        driver.engine.publish(score)
    }

    @Test(arguments: [SyncSource.midi, .automatic], [0, 24])
    func `a clock that ended without a Stop while nobody followed it moves nothing when it is chosen`(
        source: SyncSource, ticks: Int
    ) {
        let driver = rig(.own)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(ticks)
        driver.render(frames: 48_000, periods: [256]) { _ in }
        follow(source, driver)
        driver.render(frames: 9600, periods: [256]) { _ in }
        // Nor do ticks that come again without a Start.
        clock.time = 60_000
        clock.tick(24)
        driver.render(frames: 38_400, periods: [256]) { _ in }
        #expect(words(driver).isEmpty && driver.engine.fetchReport()?.state == .stopped)
    }

    @Test(arguments: [SyncSource.midi, .automatic])
    func `choosing a clock that runs starts the music, also after our own stop`(source: SyncSource) {
        let driver = rig(.own, bpm: 150)
        _ = driver.send(.play)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 4)
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.send(.stop)
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.fetchNotices()
        follow(source, driver)
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(!driver.fetchSteps().isEmpty && driver.engine.fetchReport()?.following == .midi)
    }

    // Among the frames are some with which the transport stops in the same cycle in which the clock's next beat comes. The
    // clock's beats have 19 200 frames.
    @Test(
        arguments: [(.pause, .paused), (.stop, .stopped), (nil, .paused)] as [(RtCommand?, PlayState)],
        (0..<8).map { 24_000 + 2400 * $0 })
    func `a stop of JACK's transport is not undone by a clock that runs, but our play joins that`(
        stop: (RtCommand?, PlayState), frames: Int
    ) {
        let driver = rig(.automatic, bpm: 150)
        let transport = SharedTransportModel(driver)
        transport.roll()
        var clock = MidiClock(driver, from: 3000, bpm: 150)
        clock.start()
        clock.tick(24 * 8)
        driver.render(frames: frames, periods: [4096]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .jack)
        if let command = stop.0 { _ = driver.send(command) } else { transport.stop() }
        driver.render(frames: 8192, periods: [4096]) { _ in }
        _ = driver.fetchNotices()
        driver.render(frames: 24_000, periods: [4096]) { _ in }
        let report = driver.engine.fetchReport()
        #expect(driver.fetchNotices().isEmpty && report?.state == stop.1 && report?.following == .midi)
        _ = driver.send(.play)
        driver.render(frames: 24_000, periods: [4096]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.first?.step.isMultiple(of: 4) == true && driver.engine.fetchReport()?.following == .midi)
    }

    @Test func `after a stop of JACK's transport a clock's next Start starts the music`() {
        let driver = rig(.automatic, bpm: 150)
        let transport = SharedTransportModel(driver)
        transport.roll()
        var clock = MidiClock(driver, from: 3000, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        driver.render(frames: 9600, periods: [256]) { _ in }
        transport.stop()
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.fetchNotices()
        clock.start()
        let first = clock.tick(24)
        driver.render(frames: 38_400, periods: [256]) { _ in }
        #expect(driver.fetchSteps().first == StartedStep(step: 0, frame: Int64(first)))
    }

    @Test func `a clock that is chosen between its Start and its first tick begins with that`() {
        let driver = rig(.own)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        driver.render(frames: 2560, periods: [256]) { _ in }
        follow(.midi, driver)
        clock.time = 17_000
        clock.tick(24)
        driver.render(frames: 19_200, periods: [256]) { _ in }
        #expect(driver.fetchSteps().first == StartedStep(step: 0, frame: 17_000))
    }
}
