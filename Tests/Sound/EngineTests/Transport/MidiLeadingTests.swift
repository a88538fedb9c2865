import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// The clock that we send, in frames.
@Suite struct MidiLeadingTests {
    private func score(bpm: Double = 150, length: Int = 32, swing: Double = 0.5) -> Score {
        var score = Score.with([], bpm: bpm, swing: swing, length: length)
        score.sync.leadsMidi = true
        return score
    }

    /// The sent messages: frames of ticks, and the others in words.
    private struct Sent {
        var ticks: [Int64] = []
        var others: [(frame: Int64, text: String, tick: Int)] = []

        var words: [String] { others.map { "\($0.text) at \($0.frame)" } }

        mutating func accept(_ period: OfflinePeriod) {
            for (frame, event) in period.messages(of: .clockOut) {
                switch event.status {
                case 0xf8: ticks.append(frame)
                case 0xfa: others.append((frame, "start", ticks.count))
                case 0xfb: others.append((frame, "continue", ticks.count))
                case 0xfc: others.append((frame, "stop", ticks.count))
                case 0xf2: others.append((frame, "position \(Int(event.first) | Int(event.second) << 7)", ticks.count))
                default: others.append((frame, "unknown \(event.status)", ticks.count))
                }
            }
        }
    }

    private func render(_ driver: OfflineDriver, _ frames: Int, _ sent: inout Sent, period: Int = 256) {
        var taken = sent
        driver.render(frames: frames, periods: [period]) { taken.accept($0) }
        sent = taken
    }

    @Test(arguments: [16, 256, 2048], [61.7, 127.3])
    func `ticks are on the frames of the formula, whatever the swing`(period: Int, bpm: Double) {
        let driver = OfflineDriver(score(bpm: bpm, swing: 0.7))
        _ = driver.send(.play)
        var sent = Sent()
        render(driver, 480_000, &sent, period: period)
        #expect(sent.words == ["start at 0"] && sent.others[0].tick == 0)
        #expect(
            sent.ticks.enumerated().allSatisfy { abs(Double($1) - Double($0) * 48_000 * 2.5 / bpm) <= 1 })
        #expect(sent.ticks.count == Int(480_000 / (48_000 * 2.5 / bpm)) + 1)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>, [256, 1024])
    func `while a timeline's tempo jumps, twelve ticks lie between every second step`(seed: UInt64, period: Int) {
        var random = SeededGenerator(seed: seed)
        var score = score()
        score.sync.source = .timeline
        let driver = OfflineDriver(score)
        driver.playbackLatency = 2 * period
        var (sent, steps): (Sent, [StartedStep]) = (Sent(), [])
        var timeline = Timeline(beat: 0, usecs: 0, bpm: 120, isPlaying: true)
        for _ in 0..<30 {
            driver.engine.follow(timeline)
            render(driver, Int.random(in: 24_000...144_000, using: &random), &sent, period: period)
            steps += driver.fetchSteps()
            // The change arrives up to 60 ms late.
            let usecs = Int64(Double(driver.frame) / 0.048) - Int64.random(in: 0...60_000, using: &random)
            timeline = Timeline(
                beat: timeline.beat + Double(usecs - timeline.usecs) * timeline.bpm / 60e6, usecs: usecs,
                bpm: Double.random(in: 60...200, using: &random), isPlaying: true)
        }
        var pairs = 0
        for (first, last) in zip(steps, steps.dropFirst(2)) where first.step % 2 == 0 {
            let time = first.frame..<last.frame
            if sent.others.contains(where: { time.contains($0.frame) }) || last.step != (first.step + 2) % 32 {
                continue
            }
            #expect(sent.ticks.count { time.contains($0) } == 12, "from \(first) to \(last)")
            pairs += 1
        }
        #expect(pairs > 100)
    }

    @Test func `ticks continue while stopped, and stop and continue are sent with their place`() {
        let driver = OfflineDriver(score())
        var sent = Sent()
        render(driver, 9600, &sent)
        #expect(sent.ticks == (0..<12).map { Int64($0) * 800 } && sent.others.isEmpty)
        _ = driver.send(.play)
        render(driver, 10_240, &sent)
        _ = driver.send(.pause)
        render(driver, 4096, &sent)
        _ = driver.send(.play)
        render(driver, 4096, &sent)
        #expect(sent.words == ["start at 9600", "stop at 19840", "position 2 at 23936", "continue at 23936"])
        // Evenly, except where the music begins again.
        let gaps = Set(zip(sent.ticks, sent.ticks.dropFirst()).map { $1 - $0 })
        #expect(gaps.allSatisfy { $0 <= 800 } && gaps.count <= 3)
        #expect(sent.ticks.contains(23_936) && sent.ticks.contains(24_736))
    }

    @Test(arguments: [false, true])
    func `when it is turned off, receivers that run are sent Stop, and then nothing`(plays: Bool) {
        let driver = OfflineDriver(score())
        if plays { _ = driver.send(.play) }
        var sent = Sent()
        render(driver, 5120, &sent)
        let ticks = sent.ticks.count
        driver.engine.publish(Score.with([], bpm: 150))
        render(driver, 9600, &sent)
        #expect(sent.words == (plays ? ["start at 0", "stop at 5120"] : []))
        #expect(ticks > 0 && sent.ticks.count == ticks)
    }

    @Test(arguments: [-0.2, -0.03, 0.02, 0.021, 0.2], [SyncSource.jack, .midi])
    func `the song begins with Start at its first step, whatever the offset`(offset: Double, source: SyncSource) {
        var score = score()
        (score.sync.source, score.sync.offsetIn) = (source, offset)
        let driver = OfflineDriver(score)
        let transport = SharedTransportModel(driver)
        var clock = MidiClock(driver, bpm: 150)
        if source == .midi {
            clock.tick(48)
            clock.start()
            clock.tick(48)
        }
        var sent = Sent()
        render(driver, 38_400, &sent)
        if source == .jack { transport.start() }
        render(driver, 38_400, &sent)
        let start = driver.fetchSteps().first!
        #expect(start.step == 0 && sent.words == ["start at \(start.frame)"])
        #expect(sent.others.allSatisfy { sent.ticks[$0.tick] == start.frame })
    }

    @Test func `a change of tempo changes the spacing and never the count`() {
        let driver = OfflineDriver(score(bpm: 120))
        _ = driver.send(.play)
        var (sent, position) = (Sent(), 0.0)
        var random = SeededGenerator(seed: 9)
        var bpm = 120.0
        for _ in 0..<400 {
            render(driver, 512, &sent)
            position += 512 / (48_000 * 2.5 / bpm)
            #expect(abs(Double(sent.ticks.count) - position - 0.5) <= 0.51)
            bpm = .random(in: 40...300, using: &random)
            driver.engine.publish(score(bpm: bpm))
        }
        #expect(sent.words == ["start at 0"])
    }

    @Test func `a locate is sent, and continued on a sixteenth's tick`() {
        let driver = OfflineDriver(score(length: 12))
        _ = driver.send(.play)
        var sent = Sent()
        render(driver, 5120, &sent)
        _ = driver.send(.locate(step: 7))
        render(driver, 5120, &sent)
        #expect(sent.words == ["start at 0", "stop at 5120", "position 7 at 5120", "continue at 5120"])
    }

    @Test(arguments: [[RtCommand.locate(step: 0), .stop], [.stop, .play, .stop]])
    func `ticks continue after a jump and a stop in one period`(commands: [RtCommand]) {
        let driver = OfflineDriver(score())
        _ = driver.send(.play)
        var sent = Sent()
        render(driver, 48_000, &sent)
        for command in commands { _ = driver.send(command) }
        render(driver, 9600, &sent)
        #expect(sent.words == ["start at 0", "stop at 48000"])
        #expect(zip(sent.ticks, sent.ticks.dropFirst()).allSatisfy { $1 - $0 <= 1600 })
        #expect(sent.ticks.last == 56_800)
    }

    @Test func `ticks continue where the transport stops in the cycle in which the tempo changes`() {
        var score = score()
        score.sync.source = .jack
        let driver = OfflineDriver(score)
        let transport = SharedTransportModel(driver)
        transport.roll()
        var sent = Sent()
        render(driver, 96_000, &sent)
        transport.stop()
        score.parameters[.tempo] = 75
        driver.engine.publish(score)
        render(driver, 9600, &sent)
        #expect(sent.words == ["start at 0", "stop at 96000"])
        #expect(sent.ticks.filter { $0 >= 96_000 } == [97_600, 99_200, 100_800, 102_400, 104_000])
    }

    @Test func `song positions beyond 14 bits stay on the same place of bar and pattern`() {
        let driver = OfflineDriver(score(length: 12))
        let transport = SharedTransportModel(driver)
        var following = score(length: 12)
        following.sync.source = .jack
        driver.engine.publish(following)
        // The greatest multiple of 48 up to 16384 is 16368.
        transport.roll(from: (16_368 + 30) * 4800)
        var sent = Sent()
        render(driver, 9600, &sent)
        #expect(sent.words.prefix(2) == ["position 30 at 0", "continue at 0"])
    }

    @Test func `the clock that we follow sets the tempo while the music is stopped`() {
        var score = score(bpm: 99)
        score.sync.source = .midi
        let driver = OfflineDriver(score)
        var clock = MidiClock(driver, bpm: 150)
        clock.tick(48)
        var sent = Sent()
        func gaps(from frame: Int64) -> [Int64] {
            let ticks = sent.ticks.filter { $0 > frame }
            return zip(ticks, ticks.dropFirst()).map { $1 - $0 }
        }
        render(driver, 38_400, &sent)
        #expect(gaps(from: 9600).count > 30 && gaps(from: 9600).allSatisfy { abs($0 - 800) <= 1 })
        // Also while it runs and we have stopped on our own.
        clock.start()
        clock.tick(24)
        render(driver, 19_200, &sent)
        _ = driver.send(.stop)
        clock.bpm = 75
        clock.tick(24)
        render(driver, 38_400, &sent)
        #expect(gaps(from: 76_800).count > 8 && gaps(from: 76_800).allSatisfy { abs($0 - 1600) <= 1 })
    }

    @Test func `an instrument that follows our clock is where we are`() {
        let leader = OfflineDriver(score(bpm: 127.3))
        var following = Score.with([], bpm: 60)
        following.sync.source = .midi
        let follower = OfflineDriver(following)
        _ = leader.send(.play)
        for _ in 0..<1000 {
            var messages: [(Int64, MidiEvent)] = []
            leader.render(frames: 512, periods: [512]) { period in
                messages = period.messages(of: .clockOut).map { ($0.frame, $0.event) }
            }
            for (frame, event) in messages { follower.receive(event, at: frame) }
            follower.render(frames: 512, periods: [512]) { _ in }
        }
        let (led, followed) = (leader.fetchSteps(), follower.fetchSteps())
        Figures.show(
            "a second instrument on our MIDI clock",
            zip(led, followed).dropFirst(16).map { Double($0.frame - $1.frame) / 48 })
        #expect(led.count == followed.count && led.map(\.step) == followed.map(\.step))
        #expect(zip(led, followed).dropFirst(16).allSatisfy { abs($0.frame - $1.frame) <= 12 })
    }
}
