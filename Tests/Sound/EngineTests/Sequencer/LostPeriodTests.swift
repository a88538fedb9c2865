import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Periods that a driver does not render: their time has still passed.
@Suite struct LostPeriodTests {
    /// Frames of a step at 125 BPM.
    private static let stepFrames: Int64 = 5760

    private func allSteps(_ change: (inout Score) -> Void = { _ in }) -> Score {
        var score = Score.with((0..<32).map { TestNote(track: .melody, note: 0, step: $0) }, bpm: 125)
        change(&score)
        return score
    }

    @Test(arguments: [1, 512, 8192, 48_000])
    func `the clock is not late afterwards, and steps that began meanwhile are left out`(gap: Int) {
        var random = SeededGenerator(seed: UInt64(gap))
        for _ in 0..<20 {
            let driver = OfflineDriver.playing(allSteps())
            let before = Int.random(in: 1...60_000, using: &random)
            driver.render(frames: before, periods: [256]) { _ in }
            driver.skip(gap)
            driver.render(frames: 60_000, periods: [256]) { _ in }
            let steps = driver.fetchSteps()
            let rendered = (0..<driver.frame).filter { $0 % Self.stepFrames == 0 }
                .filter { $0 < before || $0 >= before + gap }
            #expect(steps.map(\.frame) == rendered)
            #expect(steps.map(\.step) == rendered.map { Int($0 / Self.stepFrames) % 32 })
        }
    }

    @Test func `after more than a second the music continues from where it was`() {
        let driver = OfflineDriver.playing(allSteps())
        driver.render(frames: 5000, periods: [250]) { _ in }
        driver.skip(48_001)
        driver.render(frames: 1000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().last == StartedStep(step: 1, frame: Self.stepFrames + 48_001))
    }

    @Test func `frames left out by a driver that catches up by itself do not count`() {
        let driver = OfflineDriver.playing(allSteps())
        driver.countsGaps = false
        driver.render(frames: 5000, periods: [250]) { _ in }
        driver.skip(4801)
        driver.render(frames: 1000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().last == StartedStep(step: 1, frame: Self.stepFrames + 4801))
    }

    @Test func `the time before a new driver starts is no gap`() throws {
        let driver = OfflineDriver.playing(allSteps())
        driver.render(frames: 5000, periods: [250]) { _ in }
        let later = try OfflineDriver(engine: driver.engine, sampleRate: 48_000)
        later.skip(20_000)
        later.render(frames: 1000, periods: [250]) { _ in }
        #expect(driver.fetchSteps().last == StartedStep(step: 1, frame: 20_000 + 760))
    }

    @Test func `a note that should have ended meanwhile ends with the next frame`() {
        var score = Score.with([TestNote(track: .melody, note: 0, step: 0)], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver.playing(score)
        let before = driver.sentKeys(frames: 4000)
        #expect(before.offs.isEmpty)
        driver.skip(20_000)
        let after = driver.sentKeys(frames: 4000)
        #expect(after.events.map(\.frame) == [24_000] && after.offs.count == 1)
    }

    @Test func `a voice that should have ended meanwhile is released with the next frame`() {
        let driver = OfflineDriver.playing(.with([TestNote(track: .melody, note: 0, step: 0)], bpm: 125))
        driver.render(frames: 4000) { _ in }
        driver.skip(20_000)
        let samples = driver.record(frames: 12_000)[.track(.melody)]
        #expect(Array(samples[..<480]).peak > 0.01 && Array(samples[9000...]).peak == 0)
    }

    @Test(arguments: [(10_000, 21_888), (30_000, 30_500 + 6566)])
    func `a voice that had just begun ends when it should, or is released with the next frame`(gap: Int, end: Int) {
        // 0.456 s, of which the first 0.02 s are the attack, the last 0.1368 s the release.
        let driver = OfflineDriver.playing(.with(TestNote.sustained(.chords, 0, count: 3), bpm: 125))
        driver.render(frames: 500, periods: [250]) { _ in }
        driver.skip(gap)
        let samples = driver.record(frames: 60_000, periods: [250])[.track(.chords)]
        // The release is followed by a millisecond.
        #expect(abs(500 + gap + (samples.end ?? 0) - (end + 48)) <= 1)
    }

    @Test func `a launch that was due meanwhile takes effect with the next frame`() {
        var score = Score.with([], bpm: 125)
        score.launches[0].queue(TrackLaunches([3]), number: 1)
        score.parameters[.launchQuantum] = Double(LaunchQuantum.beat.rawValue)
        score[Slot(.melody, 3)].notes = PerStep(repeating: StepNotes([4], .normal))
        let driver = OfflineDriver(score)
        _ = driver.send(.play)
        var standing = score
        standing.launches[0].cancel()
        driver.engine.publish(standing)
        driver.render(frames: 2000, periods: [250]) { _ in }
        driver.engine.publish(score)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        _ = driver.fetchNotices()
        // The second beat is on 23040.
        driver.skip(15_000)
        driver.render(frames: 250) { _ in }
        let launches = driver.fetchNotices().compactMap {
            if case .launch(_, let launch) = $0 { [Int64(launch.slot), launch.number, launch.frame] } else { nil }
        }
        #expect(launches == [[3, 1, 27_000]])
        driver.render(frames: 6000) { _ in }
        let heads = driver.fetchNotices().compactMap {
            if case .step(let step) = $0 { (step.frame, step.notes[0]) } else { nil }
        }
        #expect(heads.first?.0 == 28_800 && heads.first?.1.stepNotes == StepNotes([4], .normal))
    }

    @Test(
        arguments: [
            // A late note of a step that began meanwhile, and the rest of its ratchets.
            ([.nudge: 50], 2, 10_000, [14_400]), ([.ratchet: 4], 2, 10_000, [14_400, 15_840]),
            // The last ratchet of a step that was over by then; those of one that had begun before.
            ([.nudge: 50, .ratchet: 8], 1, 5000, [13_680]), ([.ratchet: 4], 2, 11_600, [11_520, 14_400, 15_840]),
            // An early note, whose ratchets continue.
            ([.nudge: -25, .ratchet: 2], 2, 9000, []), ([.nudge: -25, .ratchet: 4], 2, 9000, [14_400]),
        ] as [([NoteValue: Int], Int, Int, [Int64])])
    func `only those starts of a note are left out that were due meanwhile`(
        values: [NoteValue: Int], step: Int, before: Int, expected: [Int64]
    ) {
        var score = Score.with([TestNote(track: .melody, note: 0, step: step, values: values)], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver.playing(score)
        let first = driver.sentKeys(frames: before, periods: [250])
        driver.skip(13_000 - before)
        let rest = driver.sentKeys(frames: 20_000, periods: [250])
        #expect((first.ons + rest.ons).map(\.frame) == expected)
    }

    @Test func `a late note of a step between two of the song is heard, too`() {
        var score = Score.with([TestNote(track: .melody, note: 0, step: 9, values: [.nudge: 50])], bpm: 125)
        score.send(.melody, target: 2)
        score[playing: 0].time.speed = .quadruple
        let driver = OfflineDriver.playing(score)
        driver.render(frames: 12_000, periods: [250]) { _ in }
        driver.skip(1000)
        // The track's ninth step starts on 12960.
        #expect(driver.sentKeys(frames: 5000, periods: [250]).ons.map(\.frame) == [13_680])
    }

    @Test func `ticks that were missed are sent at once, and their count follows the formula`() {
        let driver = OfflineDriver.playing(allSteps { $0.sync.leadsMidi = true })
        var ticks: [Int64] = []
        func render(_ frames: Int) {
            driver.render(frames: frames, periods: [250]) { period in
                ticks += period.messages(of: .clockOut).filter { $0.event.status == 0xf8 }.map(\.frame)
            }
        }
        render(10_000)
        driver.skip(7000)
        render(31_000)
        // A tick is 960 frames.
        let missed = (0..<50).map { Int64($0) * 960 }.filter { (10_000..<17_000).contains($0) }
        #expect(ticks.count == 50 && ticks.filter { $0 == 17_000 }.count == missed.count)
    }

    @Test func `a note recorded after a lost period belongs to the clock's pass`() {
        let driver = OfflineDriver.playing(.with([], bpm: 125, length: 8))
        _ = driver.send(.record(true))
        driver.render(frames: 40_000, periods: [250]) { _ in }
        // The second pass begins on 46080, the third on 92160.
        driver.skip(47_000)
        driver.press(60, at: 93_000)
        driver.letGo(60, at: 94_000)
        driver.render(frames: 10_000, periods: [250]) { _ in }
        let notes = driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
        #expect(notes.count == 1 && notes.first?.passStart == 16 && notes.first?.step == 0)
    }
}
