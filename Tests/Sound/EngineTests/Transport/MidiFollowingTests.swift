import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// MIDI clock as the source of time, in frames.
@Suite struct MidiFollowingTests {
    private func rig() -> OfflineDriver {
        var score = Score.with([], bpm: 99)
        score.sync.source = .midi
        return OfflineDriver(score)
    }

    /// The notices, except for keys that play.
    private func words(_ driver: OfflineDriver) -> [String] {
        driver.fetchNotices().filter { if case .key = $0 { false } else { true } }.map(JackFollowingTests.words)
    }

    /// How far steps are from their exact times, in milliseconds, when step 0 lies on a frame.
    private func errors(_ steps: [StartedStep], from first: Double, bpm: Double) -> [Double] {
        steps.enumerated().map { (Double($1.frame) - first - Double($0) * 48_000 * 15 / bpm) / 48 }
    }

    private func rms(_ errors: some Collection<Double>) -> Double {
        (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }

    @Test(arguments: [61.7, 120, 174.3], [16, 256, 2048])
    func `an exact clock is followed to a quarter of a millisecond`(bpm: Double, period: Int) {
        let driver = rig()
        var clock = MidiClock(driver, bpm: bpm)
        clock.start()
        let first = clock.tick(24 * 16)
        // After one beat the tempo is known.
        driver.render(frames: Int(first + clock.period * 24.5), periods: [period]) { _ in }
        #expect(abs((driver.engine.fetchReport()?.bpm ?? 0) - bpm) / bpm < 0.0005)
        driver.render(frames: Int(clock.time) - Int(driver.frame), periods: [period]) { _ in }
        let steps = driver.fetchSteps()
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
        let steps = driver.fetchSteps()
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
    func `a clock that jitters by four milliseconds either way is made no worse`(bpm: Double, seed: UInt64) {
        let errors = errors(jitter: 192, bpm: bpm, minutes: 2, seed: seed)
        Figures.show("MIDI clock with 4 ms of jitter, \(bpm) BPM", errors)
        #expect(rms(errors) <= 4 / 3.0.squareRoot())
    }

    /// How far the steps of a steady clock are from their exact times, except in the first bar; none is doubled or
    /// missing.
    private func errors(jitter: Double, bpm: Double, minutes: Double, seed: UInt64) -> ArraySlice<Double> {
        let driver = rig()
        var clock = MidiClock(driver, bpm: bpm)
        clock.jitter = jitter
        clock.random = SeededGenerator(seed: seed)
        clock.start()
        // In pieces, because room for notices is limited.
        var (steps, first): ([StartedStep], Double?) = ([], nil)
        for _ in 0..<Int(minutes * bpm / 32) {
            let start = clock.tick(24 * 32)
            first = first ?? start
            driver.render(frames: Int(clock.time - 5 * clock.period) - Int(driver.frame), periods: [1024]) { _ in }
            steps += driver.fetchSteps()
        }
        #expect(steps.count > Int(minutes * bpm * 4) - 140)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        return errors(steps, from: first ?? 0, bpm: bpm).dropFirst(16)
    }

    @Test(arguments: [0.0, 48], [(120.0, 60.0), (200, 100), (240, 80), (120, 40), (200, 60)])
    func `when the tempo drops within a beat, no step is earlier than the first late tick explains`(
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
                // The last tick at the old tempo, after which the next one takes longer.
                let change = clock.tick(24 * 8) - 48_000 * 2.5 / tempi.0
                driver.render(frames: Int(clock.time), periods: [256]) { _ in }
                let steps = driver.fetchSteps()
                #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
                let (old, new) = (48_000 * 2.5 / tempi.0, 48_000 * 2.5 / tempi.1)
                for (index, step) in steps.enumerated() {
                    let ticks = 6 * (Double(index) + (index % 2 == 1 ? 2 * swing - 1 : 0))
                    let changed = Double(24 * 4 + offset)
                    let due = first + min(ticks, changed) * old + max(0, ticks - changed) * new
                    let lead = due - Double(step.frame)
                    // The first late tick has come by then.
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
        let steps = driver.fetchSteps()
        #expect(steps.count >= 4 * (8 + beats + 4) - 1)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        let errors = steps.enumerated().dropFirst(16).map { (Double($1.frame) - times[6 * $0]) / 48 }
        Figures.show("MIDI clock from 140 to 80 BPM in \(beats) beats", errors)
        #expect(errors.allSatisfy { abs($0) <= 2 })
    }

    /// Plays with a clock that suddenly changes its tempo after some beats, and continues for others; no step may be
    /// doubled or missing.
    ///
    /// - Returns: How far the steps after the change are from their exact times.
    private func errors(jitter: Double, tempi: (Double, Double), beats: (before: Int, after: Int)) -> [Double] {
        let driver = rig()
        var clock = MidiClock(driver, bpm: tempi.0)
        clock.jitter = jitter
        clock.start()
        clock.tick(24 * beats.before)
        clock.bpm = tempi.1
        let change = clock.tick(24 * beats.after)
        driver.render(frames: Int(clock.time), periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        return errors(Array(steps.dropFirst(4 * beats.before)), from: change, bpm: tempi.1)
    }

    @Test(arguments: [0.0, 48], [(120.0, 140.0), (140, 120)])
    func `a sudden change of tempo is followed within two beats`(jitter: Double, tempi: (Double, Double)) {
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
