import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// Our timebase as other clients read it, and `auto`.
@Suite struct JackLeadingTests {
    private func score(bpm: Double = 150, source: SyncSource = .own, leadsJack: Bool = true) -> Score {
        var score = Score.with([], bpm: bpm)
        score.sync = SyncSettings(source: source, leadsJack: leadsJack)
        return score
    }

    private func place(_ bar: BarPosition) -> Double {
        (Double(bar.bar - 1) * 4 + Double(bar.beat - 1) + bar.tick / bar.ticksPerBeat) * 4
    }

    @Test func `the timebase continues through changes of tempo, and restarts after a relocation`() {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        var random = SeededGenerator(seed: 3)
        var (bpm, expected) = (150.0, 0.0)
        for _ in 0..<500 {
            driver.render(frames: 256, periods: [256]) { _ in }
            expected += 256 / (48_000 * 15 / bpm)
            let bar = driver.engine.realtime.publishBar(at: transport.frame)
            #expect(abs(place(bar) - expected) < 1e-6 && bar.bpm == bpm)
            #expect((1...4).contains(bar.beat) && bar.tick >= 0 && bar.tick < 1920)
            bpm = Double.random(in: 20...300, using: &random)
            driver.engine.publish(score(bpm: bpm))
        }
        let steps = driver.fetchSteps()
        #expect(steps.count == Int(expected) + 1)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        // What it publishes at a relocation that it has not seen yet.
        driver.engine.publish(score(bpm: 75))
        driver.render(frames: 256, periods: [256]) { _ in }
        #expect(place(driver.engine.realtime.publishBar(at: 96_000)) == 10)
    }

    @Test func `leading leaves starts and stops to the transport, and the tempo to us`() {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        _ = driver.send(.play)
        driver.render(frames: 5120, periods: [256]) { _ in }
        #expect(driver.fetchSteps() == [StartedStep(step: 0, frame: 512)])
        let report = driver.engine.fetchReport()
        #expect(report?.leadsJack == true && report?.following == .own)
        driver.engine.publish(score(bpm: 75))
        driver.render(frames: 5120, periods: [256]) { _ in }
        // 4608 of 4800 frames had passed; the other 192 last twice as long.
        #expect(driver.fetchSteps() == [StartedStep(step: 1, frame: 5120 + 384)])
        transport.stop()
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["paused 1"])
    }

    @Test func `taking the timebase while the music plays starts the transport too`() {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        _ = driver.send(.play)
        driver.render(frames: 96_000, periods: [256]) { _ in }
        transport.isOurs = true
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(transport.isRolling)
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == (0..<40).map { $0 % 32 })
        // The transport began to roll where the music was two cycles before; it has caught up since.
        #expect(driver.engine.fetchReport()?.isLocked == true)
    }

    @Test(arguments: [RtCommand.pause, .stop])
    func `music that waits for the transport to roll can be stopped`(command: RtCommand) {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [256]) { _ in }
        transport.isOurs = true
        driver.render(frames: 256, periods: [256]) { _ in }
        _ = driver.send(command)
        driver.render(frames: 2560, periods: [256]) { _ in }
        #expect(!transport.isRolling)
        #expect(driver.engine.fetchReport()?.state != .playing)
    }

    @Test func `a play just before the timebase is released is ours`() {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        driver.render(frames: 2560, periods: [256]) { _ in }
        driver.engine.publish(Score.with([], bpm: 150))
        _ = driver.send(.play)
        driver.render(frames: 512, periods: [256]) { _ in }
        transport.isOurs = false
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(
            driver.fetchSteps() == [
                StartedStep(step: 0, frame: 2560), StartedStep(step: 1, frame: 7360),
                StartedStep(step: 2, frame: 12_160),
            ])
    }

    @Test func `a command that changes nothing is still answered`() {
        var score = score(source: .midi)
        score.sync.leadsJack = false
        let driver = OfflineDriver(score)
        for command in [RtCommand.restore(.playing, SongStep(3, in: Loop(length: 32))), .locate(step: 5), .suspend] {
            _ = driver.send(command)
            driver.render(frames: 256, periods: [256]) { _ in }
            #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["stopped 0"])
        }
    }

    @Test func `a locate is carried out, too, where its target is the transport's present frame`() {
        let driver = OfflineDriver(score(bpm: 120))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        _ = driver.send(.locate(step: 8))
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(transport.frame == 48_000)
        driver.engine.publish(score(bpm: 60))
        driver.render(frames: 1024, periods: [256]) { _ in }
        #expect(driver.fetchNotices().last.map(JackFollowingTests.words) == "paused 8")
        _ = driver.send(.locate(step: 4))
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(transport.frame == 48_000)
        #expect(driver.fetchNotices().last.map(JackFollowingTests.words) == "paused 4")
        #expect(place(driver.engine.realtime.publishBar(at: transport.frame)) == 4)
    }

    @Test func `a new tempo is published while the transport is stopped`() {
        let driver = OfflineDriver(score())
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        driver.render(frames: 256, periods: [256]) { _ in }
        var told: [Double] = []
        driver.onRequest = { request in
            #expect(request.frame == 0 && !request.start && !request.stop)
            told.append(request.bar?.bpm ?? 0)
        }
        driver.engine.publish(score(bpm: 75))
        driver.render(frames: 1024, periods: [256]) { _ in }
        #expect(told == [75])
    }

    @Test func `a rolling transport is followed from its next beat, and after it the music plays alone`() {
        let driver = OfflineDriver(score(source: .automatic, leadsJack: false))
        let transport = SharedTransportModel(driver)
        _ = driver.send(.play)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().count == 3)
        // In the middle of the transport's step 6; its next beat is step 8, 7200 frames later.
        transport.roll(from: 6 * 4800 + 2400)
        driver.render(frames: 20_000, periods: [250]) { _ in }
        #expect(
            driver.fetchSteps() == [
                StartedStep(step: 3, frame: 14_400), StartedStep(step: 8, frame: 17_200),
                StartedStep(step: 9, frame: 22_000), StartedStep(step: 10, frame: 26_800),
            ])
        transport.stop()
        driver.render(frames: 500, periods: [250]) { _ in }
        #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["paused 10"])
        #expect(driver.engine.fetchReport()?.lossCount == 0)
        _ = driver.send(.play)
        driver.render(frames: 500, periods: [250]) { _ in }
        #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["playing 10", "step 10 at 30500"])
    }

    @Test(arguments: [false, true])
    func `music that we stop before it joins a rolling transport stays stopped, until we play or that starts anew`(
        plays: Bool
    ) {
        let driver = OfflineDriver(score(source: .automatic, leadsJack: false))
        let transport = SharedTransportModel(driver)
        _ = driver.send(.play)
        driver.render(frames: 2560, periods: [256]) { _ in }
        transport.roll(from: 4800)
        driver.render(frames: 256, periods: [256]) { _ in }
        _ = driver.send(.stop)
        driver.render(frames: 256, periods: [256]) { _ in }
        _ = driver.fetchNotices()
        driver.render(frames: 48_000, periods: [256]) { _ in }
        #expect(driver.fetchNotices().isEmpty && transport.isRolling)
        if plays {
            _ = driver.send(.play)
        } else {
            transport.stop()
            driver.render(frames: 512, periods: [256]) { _ in }
            transport.start()
        }
        driver.render(frames: 9600, periods: [256]) { _ in }
        // The transport was in the middle of step 11.
        #expect(driver.fetchSteps().map(\.step).starts(with: [12]))
    }

    @Test(arguments: [SyncSource.automatic, .own])
    func `getting the timebase back does not start music that we stopped, though the transport rolls`(
        source: SyncSource
    ) {
        let driver = OfflineDriver(score(source: .automatic))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        driver.render(frames: 9600, periods: [256]) { _ in }
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .timeline)
        transport.isOurs = false
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.send(.stop)
        driver.render(frames: 9600, periods: [256]) { _ in }
        driver.engine.publish(score(source: source))
        driver.engine.follow(nil)
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.fetchNotices()
        transport.isOurs = true
        driver.render(frames: 48_000, periods: [256]) { _ in }
        #expect(driver.fetchNotices().isEmpty && transport.isRolling)
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(!driver.fetchSteps().isEmpty && transport.isRolling)
    }

    // A master counts as gone after publishing nothing for a tenth of a second, 4800 frames; JACK's beats have
    // 19 200.
    @Test(arguments: (0..<8).map { 96_000 + 2400 * $0 })
    func `a timeline that is followed in place of our timebase stays when that is released`(frames: Int) {
        let driver = OfflineDriver(score(source: .automatic))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        driver.render(frames: 9600, periods: [256]) { _ in }
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
        driver.render(frames: frames, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .timeline)
        _ = driver.fetchNotices()
        // The transport rolls on, and for some cycles publishes what we published.
        transport.isOurs = false
        driver.render(frames: 96_000, periods: [256]) { _ in
            #expect(driver.engine.fetchReport()?.following == .timeline)
        }
        #expect(transport.isRolling)
        let steps = driver.fetchSteps().map(\.step)
        #expect((15...17).contains(steps.count) && zip(steps, steps.dropFirst()).allSatisfy { ($0 + 1) % 32 == $1 })
    }

    @Test(arguments: [SyncSource.own, .automatic, .jack])
    func `releasing the timebase while the transport rolls is no loss`(source: SyncSource) {
        let driver = OfflineDriver(score(source: source))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        driver.engine.publish(score(source: source, leadsJack: false))
        driver.render(frames: 512, periods: [256]) { _ in }
        transport.isOurs = false
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.lossCount == 0)
    }

    @Test(arguments: [true, false])
    func `missed cycles are no relocation`(isOurs: Bool) {
        let driver = OfflineDriver(score(bpm: 75, source: isOurs ? .own : .jack, leadsJack: isOurs))
        let transport = SharedTransportModel(driver)
        transport.isOurs = isOurs
        transport.roll()
        driver.render(frames: 9600 * 5, periods: [256]) { _ in }
        // From here on, while we lead, the position is no longer the frame at the current tempo.
        driver.engine.publish(score(bpm: 150, source: isOurs ? .own : .jack, leadsJack: isOurs))
        driver.render(frames: 9600 * 2, periods: [256]) { _ in }
        let before = driver.fetchSteps().count
        driver.skip(512)
        transport.skip(512)
        driver.render(frames: 48_000, periods: [256]) { _ in }
        let words = driver.fetchNotices().map(JackFollowingTests.words).map { $0.split(separator: " ") }
        #expect(words.allSatisfy { $0[0] == "step" }, "the music jumped")
        let steps = words.compactMap { Int($0[1]) }
        #expect(before > 0 && zip(steps, steps.dropFirst()).allSatisfy { ($0 + 1) % 32 == $1 })
        #expect((10...11).contains(steps.count) && driver.engine.fetchReport()?.isLocked == true)
    }

    @Test func `a master that publishes what we published, but long after us, is followed`() {
        let driver = OfflineDriver(score(source: .automatic))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        driver.render(frames: 9600, periods: [256]) { _ in }
        transport.stop()
        driver.render(frames: 512, periods: [256]) { _ in }
        let ours = driver.engine.realtime.publishBar(at: transport.frame)
        transport.isOurs = false
        for isLong in [false, true] {
            driver.render(frames: isLong ? 9600 : 1024, periods: [256]) { _ in }
            transport.master = { _ in ours }
            driver.render(frames: 512, periods: [256]) { _ in }
            #expect((driver.engine.fetchReport()?.following == .jack) == isLong)
            transport.master = nil
        }
    }

    @Test func `a master that takes the timebase from us is followed at once`() {
        let driver = OfflineDriver(score(source: .automatic))
        let transport = SharedTransportModel(driver)
        transport.isOurs = true
        transport.roll()
        driver.render(frames: 9600, periods: [256]) { _ in }
        transport.master = { .ticking($0, bpm: 99) }
        transport.isOurs = false
        driver.render(frames: 256, periods: [256]) { _ in }
        let report = driver.engine.fetchReport()
        #expect(report?.following == .jack && report?.bpm == 99)
    }

    @Test func `playing music under auto starts the transport, too, when it takes the timebase`() {
        let driver = OfflineDriver(score(source: .automatic))
        let transport = SharedTransportModel(driver)
        _ = driver.send(.play)
        driver.render(frames: 96_000, periods: [256]) { _ in }
        transport.isOurs = true
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(transport.isRolling && driver.fetchSteps().map(\.step) == (0..<40).map { $0 % 32 })
    }

    @Test func `a stopped source leaves playing music to a running one, until it runs itself`() {
        let driver = OfflineDriver(score(source: .automatic, leadsJack: false))
        let transport = SharedTransportModel(driver)
        transport.master = { .ticking($0, bpm: 99) }
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
        driver.render(frames: 2560, periods: [256]) { _ in }
        // At rest it is the master whose transport our play would start.
        #expect(driver.engine.fetchReport()?.following == .jack)
        transport.master = nil
        driver.render(frames: 9600, periods: [256]) { _ in }
        _ = driver.send(.play)
        driver.render(frames: 96_000, periods: [256]) { _ in }
        driver.engine.follow(nil)
        driver.render(frames: 2560, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .own)
        transport.master = { .ticking($0, bpm: 99) }
        driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
        driver.render(frames: 48_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .timeline)
        transport.start()
        driver.render(frames: 48_000, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.following == .jack)
        // It stops the music that it drives.
        transport.stop()
        driver.render(frames: 2560, periods: [256]) { _ in }
        let report = driver.engine.fetchReport()
        #expect(report?.following == .jack && report?.state == .paused)
    }

    @Test func `stopped music follows a source at once, and a stopped master does not stop playing music`() {
        let driver = OfflineDriver(score(source: .automatic, leadsJack: false))
        let transport = SharedTransportModel(driver)
        transport.roll(from: 6 * 4800 + 2400)
        driver.render(frames: 2560, periods: [256]) { _ in }
        #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["playing 6", "step 7 at 2400"])
        let alone = OfflineDriver(score(source: .automatic, leadsJack: false))
        let standing = SharedTransportModel(alone)
        _ = alone.send(.play)
        alone.render(frames: 2560, periods: [256]) { _ in }
        standing.master = { .ticking($0, bpm: 99) }
        alone.render(frames: 25_600, periods: [256]) { _ in }
        #expect(alone.fetchSteps().count == 6)
    }

    @Test func `the program's end stops the music, but not the transport`() {
        let driver = OfflineDriver(score(source: .jack))
        let transport = SharedTransportModel(driver)
        transport.roll()
        driver.render(frames: 2560, periods: [256]) { _ in }
        _ = driver.send(.silence)
        driver.render(frames: 25_600, periods: [256]) { _ in }
        #expect(transport.isRolling)
        #expect(driver.fetchSteps() == [StartedStep(step: 0, frame: 0)])
    }

    @Test(arguments: [SyncSource.own, .jack, .midi])
    func `nothing starts music that has ended`(source: SyncSource) {
        let driver = OfflineDriver(score(source: source))
        let transport = SharedTransportModel(driver)
        _ = driver.send(.silence)
        _ = driver.send(.play)
        _ = driver.send(.restore(.playing, SongStep(3, in: Loop(length: 32))))
        transport.roll()
        MidiClock(driver, bpm: 120).start()
        driver.render(frames: 25_600, periods: [256]) { _ in }
        #expect(driver.fetchSteps().isEmpty && driver.engine.fetchReport()?.state == .stopped)
    }

    @Test func `restoring after a driver's return requests nothing from a followed transport`() {
        let driver = OfflineDriver(score(source: .jack))
        let transport = SharedTransportModel(driver)
        transport.roll()
        _ = driver.send(.suspend)
        _ = driver.send(.restore(.stopped, SongStep(0, in: Loop(length: 32))))
        driver.render(frames: 10_240, periods: [256]) { _ in }
        #expect(transport.isRolling && driver.fetchSteps().count == 3)
    }
}
