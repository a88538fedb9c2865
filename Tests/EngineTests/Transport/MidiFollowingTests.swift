import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// MIDI clock as the source of time, in frames.
@Suite struct MidiFollowingTests {
    private func rig(_ source: SyncSource = .midi, bpm: Double = 99) -> OfflineDriver {
        var score = Score.with([], bpm: bpm)
        score.sync.source = source
        return OfflineDriver(score)
    }

    private func words(_ driver: OfflineDriver) -> [String] { driver.takeNotices().map(JackFollowingTests.words) }

    /// How far steps are from where they belong, in milliseconds, when step 0 lies on a frame.
    private func errors(_ steps: [StartedStep], from first: Double, bpm: Double) -> [Double] {
        steps.enumerated().map { (Double($1.frame) - first - Double($0) * 48_000 * 15 / bpm) / 48 }
    }

    private func rms(_ errors: some Collection<Double>) -> Double {
        (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }

    @Test(arguments: [61.7, 120, 174.3], [16, 256, 2048])
    func `an exact clock is followed to the quarter of a millisecond`(bpm: Double, period: Int) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: bpm)
        clock.start()
        let first = clock.tick(24 * 16)
        // After one beat the tempo is known.
        driver.render(frames: Int(first + clock.period * 24.5), periods: [period]) { _ in }
        #expect(abs((driver.engine.takeReport()?.bpm ?? 0) - bpm) / bpm < 0.0005)
        driver.render(frames: Int(clock.time) - Int(driver.frame), periods: [period]) { _ in }
        let steps = driver.takeSteps()
        #expect(steps.count == 64 && zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        let errors = errors(steps, from: first, bpm: bpm)
        Figures.show("exact MIDI clock, \(bpm) BPM, period \(period)", errors.dropFirst(16))
        #expect(abs(errors[0]) <= 0.02)
        #expect(errors.dropFirst(16).allSatisfy { abs($0) <= 0.25 })
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a clock that jitters by a millisecond either way is smoothed`(seed: UInt64) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 127)
        clock.jitter = 48
        clock.random = SeededGenerator(seed: seed)
        clock.start()
        let first = clock.tick(24 * 64)
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.takeSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        let errors = errors(steps, from: first, bpm: 127).dropFirst(16)
        Figures.show("MIDI clock with 1 ms of jitter, seed \(seed)", errors)
        #expect(errors.count >= 239 && rms(errors) <= 0.3 && errors.allSatisfy { abs($0) <= 1 })
    }

    @Test(arguments: [(61.7, 1), (127, 2), (174.3, 3)] as [(Double, UInt64)])
    func `a clock that jitters by two milliseconds either way is smoothed for ten minutes`(bpm: Double, seed: UInt64) {
        let errors = errors(jitter: 96, bpm: bpm, minutes: 10, seed: seed)
        Figures.show("MIDI clock with 2 ms of jitter, \(bpm) BPM", errors)
        #expect(rms(errors) <= 0.6 && errors.allSatisfy { abs($0) <= 1.8 })
    }

    @Test(arguments: [(61.7, 1), (127, 2), (174.3, 3)] as [(Double, UInt64)])
    func `a clock that jitters by four milliseconds either way is no worse than it is`(bpm: Double, seed: UInt64) {
        let errors = errors(jitter: 192, bpm: bpm, minutes: 2, seed: seed)
        Figures.show("MIDI clock with 4 ms of jitter, \(bpm) BPM", errors)
        #expect(rms(errors) <= 4 / 3.0.squareRoot())
    }

    /// How far the steps of a steady clock are from where they belong, but for the first bar; none is doubled or missing.
    private func errors(jitter: Double, bpm: Double, minutes: Double, seed: UInt64) -> ArraySlice<Double> {
        let driver = rig()
        var clock = MidiClock(driver, bpm: bpm)
        clock.jitter = jitter
        clock.random = SeededGenerator(seed: seed)
        clock.start()
        // In pieces, as notices wait only for so long.
        var (steps, first): ([StartedStep], Double?) = ([], nil)
        for _ in 0..<Int(minutes * bpm / 32) {
            let start = clock.tick(24 * 32)
            first = first ?? start
            driver.render(frames: Int(clock.time - 5 * clock.period) - Int(driver.frame), periods: [1024]) { _ in }
            steps += driver.takeSteps()
        }
        #expect(steps.count > Int(minutes * bpm * 4) - 140)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        return errors(steps, from: first ?? 0, bpm: bpm).dropFirst(16)
    }

    @Test(arguments: [0.0, 48], [(120.0, 60.0), (200, 100), (240, 80), (120, 40), (200, 60)])
    func `a tempo that drops within a beat lets no step come earlier than its first late tick explains`(
        jitter: Double, tempi: (Double, Double)
    ) throws {
        for offset in 0..<24 {
            for swing in [0.5, 0.66] {
                var score = Score.with([], bpm: 99, swing: swing)
                score.sync.source = .midi
                let driver = OfflineDriver(score)
                var clock = MidiClock(driver, bpm: tempi.0)
                clock.jitter = jitter
                clock.random = SeededGenerator(seed: UInt64(offset))
                clock.start()
                let first = clock.tick(24 * 4 + offset)
                clock.bpm = tempi.1
                // The last tick that came in time, after which the next one takes longer.
                let change = clock.tick(24 * 8) - 48_000 * 2.5 / tempi.0
                driver.render(frames: Int(clock.time), periods: [256]) { _ in }
                let steps = driver.takeSteps()
                #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
                let (old, new) = (48_000 * 2.5 / tempi.0, 48_000 * 2.5 / tempi.1)
                for (index, step) in steps.enumerated() {
                    let ticks = 6 * (Double(index) + (index % 2 == 1 ? 2 * swing - 1 : 0))
                    let changed = Double(24 * 4 + offset)
                    let due = first + min(ticks, changed) * old + max(0, ticks - changed) * new
                    let lead = due - Double(step.frame)
                    // Until the first late tick has come, which is by then.
                    let isForeseen = Double(step.frame) > change + old + new + jitter + 1
                    #expect(
                        lead <= (isForeseen ? 240 : max(240, new - old + 2 * jitter + 2)),
                        "\(tempi), offset \(offset), swing \(swing), step \(index): \(lead / 48) ms early")
                }
            }
        }
    }

    @Test(arguments: [4, 8, 16, 32])
    func `a ritardando from 140 to 80 is followed within two milliseconds`(beats: Int) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 140)
        clock.start()
        var times: [Double] = []
        for tick in 0..<24 * (8 + beats + 4) {
            clock.bpm = 140 - 60 * max(0, min(1, Double(tick - 24 * 8) / Double(24 * beats)))
            times.append(clock.tick(1))
        }
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.takeSteps()
        #expect(steps.count >= 4 * (8 + beats + 4) - 1)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        let errors = steps.enumerated().dropFirst(16).map { (Double($1.frame) - times[6 * $0]) / 48 }
        Figures.show("MIDI clock from 140 to 80 BPM in \(beats) beats", errors)
        #expect(errors.allSatisfy { abs($0) <= 2 })
    }

    /// Plays with a clock that changes its tempo at once after some beats, and goes on for others; no step may be doubled or
    /// missing.
    ///
    /// - Returns: How far the steps after the change are from where they belong.
    private func errors(jitter: Double, tempi: (Double, Double), beats: (before: Int, after: Int)) -> [Double] {
        let driver = rig()
        var clock = MidiClock(driver, bpm: tempi.0)
        clock.jitter = jitter
        clock.start()
        clock.tick(24 * beats.before)
        clock.bpm = tempi.1
        let change = clock.tick(24 * beats.after)
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.takeSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        return errors(Array(steps.dropFirst(4 * beats.before)), from: change, bpm: tempi.1)
    }

    @Test(arguments: [0.0, 48], [(120.0, 140.0), (140, 120)])
    func `another tempo at once is followed within two beats`(jitter: Double, tempi: (Double, Double)) {
        let errors = errors(jitter: jitter, tempi: tempi, beats: (before: 8, after: 16)).dropFirst(8)
        Figures.show("MIDI clock from \(tempi.0) to \(tempi.1) BPM, \(jitter / 48) ms of jitter", errors)
        #expect(errors.count >= 55 && errors.allSatisfy { abs($0) <= (jitter == 0 ? 0.25 : 1) })
        #expect(rms(errors) <= 0.3)
    }

    @Test(arguments: [0.0, 48], [(120.0, 60.0), (60, 240), (90, 180), (200, 100)])
    func `however the tempo jumps, no step is doubled or missing`(jitter: Double, tempi: (Double, Double)) {
        let errors = errors(jitter: jitter, tempi: tempi, beats: (before: 4, after: 8)).dropFirst(24)
        #expect(errors.count >= 7 && errors.allSatisfy { abs($0) <= 1.5 })
    }

    @Test func `ticks that stop in mid-music are a loss, and the music goes on alone`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 2 + 3)
        driver.render(frames: 96_000, periods: [256]) { _ in }
        let report = driver.engine.takeReport()
        #expect(report?.lossCount == 1 && abs((report?.keptBpm ?? 0) - 150) < 0.1)
        let steps = driver.takeSteps()
        #expect(steps.map(\.step) == Array(0..<20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { abs($1.frame - $0.frame - 4800) <= 3 })
        // Until it starts anew.
        clock.time = 100_000
        clock.tick(24)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(driver.takeSteps().map(\.step) == Array(20..<25))
        clock.time = 121_000
        clock.start()
        clock.tick(24)
        driver.render(frames: 19_200, periods: [256]) { _ in }
        #expect(words(driver).contains("step 0 at 121000"))
    }

    @Test func `after a loss, too, a change of length continues the present step`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(24 * 2)
        // To the middle of step 40 of the song, which is step 8.
        driver.render(frames: 100 + 40 * 4800 + 2400, periods: [256]) { _ in }
        #expect(driver.takeSteps().last?.step == 8)
        var score = Score.with([], bpm: 99, length: 12)
        score.sync.source = .midi
        driver.engine.publish(score)
        driver.render(frames: 4 * 4800, periods: [256]) { _ in }
        #expect(driver.takeSteps().map(\.step) == [9, 10, 11, 0])
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
                steps += driver.takeSteps()
                let gap = Int.random(in: gaps, using: &random)
                while clock.time <= Double(driver.frame) + Double(gap) + jitter {
                    if areLate { clock.tick(1) } else { clock.time += period }
                }
                driver.skip(gap)
            }
            clock.tick(24 * 2)
            driver.render(frames: Int(clock.time) - Int(driver.frame), periods: [256]) { _ in }
            steps += driver.takeSteps()
            let places = steps.map { (Double($0.frame) - first) * bpm / 15 / 48_000 }
            #expect(steps.map(\.step) == places.map { Int($0.rounded()) % 32 })
            let errors = places.map { ($0 - $0.rounded()) * 15_000 / bpm }
            Figures.show("MIDI clock, gaps of \(gaps) frames, ticks \(areLate ? "late" : "lost")", errors.dropFirst(16))
            // In a second without ticks the tempo is as exact as the jitter of those before lets it be known.
            #expect(errors.dropFirst(16).allSatisfy { abs($0) <= (jitter == 0 ? 0.25 : 2.5) })
            #expect(driver.engine.takeReport()?.lossCount == 0)
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
        #expect(driver.engine.takeReport()?.lossCount == 0)
        driver.render(frames: 4000, periods: [256]) { _ in }
        #expect(driver.engine.takeReport()?.lossCount == 1)
    }

    /// Misses ticks in some way, after which they go on: that is a loss.
    private func expectLoss(_ miss: (OfflineDriver) -> OfflineDriver) {
        let before = rig()
        var clock = MidiClock(before, bpm: 150)
        clock.start()
        clock.tick(24 * 2 + 3)
        before.render(frames: 41_000, periods: [250]) { _ in }
        let driver = miss(before)
        _ = before.takeSteps()
        clock = MidiClock(driver, from: driver.frame + 300, bpm: 150)
        clock.tick(24 * 2)
        driver.render(frames: 38_400, periods: [250]) { _ in }
        let report = driver.engine.takeReport()
        #expect(report?.lossCount == 1 && report?.isLocked == false && report?.state == .playing)
        #expect(abs((report?.keptBpm ?? 0) - 150) < 0.1)
        // Alone, at the clock's tempo, until it starts anew.
        let steps = driver.takeSteps()
        let stepFrames = driver.sampleRate / 10
        #expect(steps.count >= 7 && steps.first?.step == 9)
        for (last, next) in zip(steps, steps.dropFirst()) {
            #expect(next.step == last.step + 1 && abs(Double(next.frame - last.frame) - stepFrames) <= 4)
        }
        clock.start()
        let first = clock.tick(24)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        #expect(driver.takeSteps().contains(StartedStep(step: 0, frame: Int64(first))))
        #expect(driver.engine.takeReport()?.isLocked == true)
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
        _ = before.takeNotices()
        return OfflineDriver(before.engine)
    }

    @Test(arguments: [(PlayState.playing, [7, 8, 9]), (.paused, []), (.stopped, [])])
    func `after a driver's return the music of a MIDI clock plays on alone, unless somebody has stopped it`(
        state: PlayState, steps: [Int]
    ) {
        let driver = newDriver()
        _ = driver.send(.suspend)
        driver.render(frames: 12_000, periods: [250]) { _ in }
        #expect(driver.takeSteps().isEmpty)
        _ = driver.send(.restore(state, SongStep(7, in: Loop(length: 32))))
        driver.render(frames: 12_000, periods: [250]) { _ in }
        #expect(driver.takeSteps().map(\.step) == steps)
        #expect(driver.engine.takeReport()?.state == state)
    }

    @Test func `a play that waits for a MIDI clock can be stopped while there is no driver`() {
        let before = rig()
        _ = before.send(.play)
        before.render(frames: 9600, periods: [256]) { _ in }
        let driver = OfflineDriver(before.engine)
        _ = driver.send(.suspend)
        _ = driver.send(.restore(.stopped, SongStep(0, in: Loop(length: 32))))
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(driver.engine.takeReport()?.state == .stopped)
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
        _ = driver.takeSteps()
        _ = driver.send(.play)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        // From the next tick, on 5700, and not from a beat of which nobody knows where it is.
        #expect(driver.takeSteps().first?.frame == 5700)
    }

    @Test func `a stop is a stop also when the ticks end with it`() {
        let driver = rig()
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(28)
        clock.stop()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.engine.takeReport()?.lossCount == 0)
        #expect(words(driver).last == "paused 4")
        clock.time = 100_000
        clock.proceed()
        clock.tick(24)
        driver.render(frames: 19_200, periods: [256]) { _ in }
        // Tick 28 is two thirds of step 4: the next step comes two ticks later.
        #expect(words(driver).contains("step 5 at 101600"))
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
        let steps = driver.takeSteps()
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
        let steps = driver.takeSteps()
        #expect(steps.map(\.step) == [5, 6, 7, 8] && steps[0].frame == Int64(first))
    }

    @Test func `our play waits for a start where there are no ticks`() {
        let driver = rig()
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [256]) { _ in }
        #expect(words(driver) == ["playing 0"])
        let report = driver.engine.takeReport()
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
        #expect(driver.takeSteps() == [0, 1].map { StartedStep(step: $0, frame: 9700 + 4800 * Int64($0)) })
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
        #expect(driver.takeSteps().first == StartedStep(step: 12, frame: 100 + 12 * 4800))
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
        #expect(driver.takeSteps().count >= 4)
        _ = driver.send(.stop)
        driver.render(frames: 3000, periods: [250]) { _ in }
        _ = driver.takeNotices()
        _ = driver.send(.play)
        driver.render(frames: 9600, periods: [250]) { _ in }
        // With the next of the ticks, which are on 100, 900, ... 33700.
        #expect(driver.takeSteps() == [0, 1].map { StartedStep(step: $0, frame: 33_700 + 4800 * Int64($0)) })
    }

    @Test func `automatic takes ticks up on their next beat, and goes on alone after them`() {
        let driver = rig(.automatic, bpm: 150)
        _ = driver.send(.play)
        driver.render(frames: 2500, periods: [250]) { _ in }
        var clock = MidiClock(driver, from: 3000, bpm: 150)
        clock.start()
        clock.tick(24 * 3)
        driver.render(frames: 96_000, periods: [250]) { _ in }
        let steps = driver.takeSteps()
        // Its second beat is on 22200; the ticks end on 60600.
        let before = steps.filter { $0.frame < 22_200 }
        #expect(before.map(\.frame) == (0..<5).map { Int64($0) * 4800 })
        let after = steps.filter { $0.frame >= 22_200 }
        #expect(after.first == StartedStep(step: 4, frame: 22_200))
        #expect(zip(after, after.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        #expect(zip(after, after.dropFirst()).allSatisfy { abs($1.frame - $0.frame - 4800) <= 2 })
        #expect(driver.engine.takeReport()?.lossCount == 1)
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
        let steps = driver.takeSteps()
        #expect(steps.map(\.step) == (0..<5).map { (place + $0) % 32 })
        #expect(steps.prefix(2).map(\.frame) == [6000, 10_800])
        let report = driver.engine.takeReport()
        #expect(report?.following == .midi && report?.lossCount == 0)
    }

    @Test func `under automatic a Start without ticks is waited for, and starts nothing`() {
        let driver = rig(.automatic)
        MidiClock(driver, from: 3000, bpm: 150).start()
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(driver.engine.takeReport()?.isWaiting == true)
        driver.render(frames: 24_000, periods: [256]) { _ in }
        #expect(words(driver) == ["playing 0", "stopped 0"])
        #expect(driver.engine.takeReport()?.following == .own)
    }

    @Test func `a better source starts the music on its beat while a clock that was started anew is silent`() {
        let driver = rig(.automatic, bpm: 150)
        let transport = SharedTransportModel(driver)
        var clock = MidiClock(driver, bpm: 150)
        clock.start()
        clock.tick(31)
        driver.render(frames: 24_576, periods: [8192]) { _ in }
        #expect(driver.takeSteps().last?.step == 5)
        // JACK's next beat is 4000 frames away, the Start comes before it, and no tick after that.
        transport.master = { .ticking($0, bpm: 150) }
        transport.roll(from: 15_200)
        driver.receive(MidiEvent(frame: 0, 0xfa), at: 25_576)
        driver.render(frames: 24_576, periods: [8192]) { _ in }
        let steps = driver.takeSteps()
        #expect(steps.first == StartedStep(step: 4, frame: 28_576) && steps.count == 5)
        #expect(driver.engine.takeReport()?.following == .jack)
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
        #expect(words(driver).isEmpty && driver.engine.takeReport()?.state == .stopped)
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
        #expect(driver.takeSteps().first == StartedStep(step: 0, frame: 17_000))
    }

    @Test func `what makes no sense is heard by nobody`() {
        let driver = rig()
        var random = SeededGenerator(seed: 5)
        for frame in 0..<20_000 where Bool.random(using: &random) {
            let count = UInt8.random(in: 1...3, using: &random)
            // Start, Continue and Stop make sense anywhere.
            let bytes = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
                .map { (0xfa...0xfc).contains($0) ? 0xf9 : $0 }
            driver.receive(
                MidiEvent(frame: 0, count: count, bytes[0], bytes[1], bytes[2]), at: Int64(frame))
        }
        driver.render(frames: 20_480, periods: [64]) { _ in }
        #expect(words(driver).isEmpty)
    }
}
