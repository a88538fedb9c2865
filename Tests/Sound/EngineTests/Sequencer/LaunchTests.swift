import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Launches that the process callback carries out, exact to the frame.
@Suite struct LaunchTests {
    private static let rate = 8000.0

    /// Parameters that determine the frames of steps and launches.
    struct Timing: CustomTestStringConvertible {
        var point: LaunchQuantum
        var bpm: Double
        var swing: Double
        var length: Int

        static let all = [LaunchQuantum.step, .beat, .bar, .loop].flatMap { point in
            [20, 127.3, 300].flatMap { bpm in
                [0.5, 0.75].flatMap { swing in
                    [8, 17, 32].map { Timing(point: point, bpm: bpm, swing: swing, length: $0) }
                }
            }
        }

        var testDescription: String { "\(point), \(bpm) BPM, swing \(swing), \(length) steps" }

        /// The song step from which a launch is heard if it is queued after a step has started.
        func launchStep(after step: Int) -> Int {
            (step + 1..<step + 100).first { later in
                switch point {
                case .step: true
                case .beat: later % 4 == 0
                case .bar: later % 16 == 0
                case .loop: later % length == 0
                }
            }!
        }

        /// The step after which a launch point comes soonest.
        var first: Int {
            (0..<length).reduce(0) { launchStep(after: $1) - $1 < launchStep(after: $0) - $0 ? $1 : $0 }
        }

        /// The frame of a song step, if the music started with another step.
        func frame(of songStep: Int, from first: Int) -> Int64 {
            func onset(_ step: Int) -> Double { Double(step) + (step % length % 2 == 1 ? 2 * swing - 1 : 0) }
            return Int64(((onset(songStep) - onset(first)) * LaunchTests.rate * 15 / bpm).rounded())
        }
    }

    private func cells(_ cells: [TestNote], _ timing: Timing) -> Score {
        .with(
            cells.map {
                TestNote(track: $0.track, note: $0.note, step: $0.step % timing.length, velocity: $0.velocity)
            },
            bpm: timing.bpm, swing: timing.swing, length: timing.length)
    }

    /// An old slot with a sustain and a crash over the launch point and a note on it, a new one with a note on it.
    private func score(_ timing: Timing, launchStep: Int) -> Score {
        var score = cells(
            [
                TestNote(track: .chords, note: 0, step: launchStep - 1),
                TestNote(track: .chords, note: 0, step: launchStep, velocity: .sustain),
                TestNote(track: .chords, note: 0, step: launchStep + 1, velocity: .sustain),
                TestNote(track: .melody, note: 0, step: launchStep),
                TestNote(track: .melody, note: 0, step: launchStep + 1),
                TestNote(track: .rhythm, note: 9, step: launchStep - 1),
            ], timing)
        score.setNotes(cells([TestNote(track: .bass, note: 0, step: launchStep)], timing).notes, slot: 3)
        return score
    }

    private struct Result: Equatable {
        var tracks: [[Float]]
        var launches: [String]
    }

    /// Plays from the first step on, and queues the launch after it has begun.
    private func render(_ score: Score, _ timing: Timing, period: Int, frames: Int) -> Result {
        let driver = OfflineDriver(score, sampleRate: Self.rate)
        driver.schedule(.command(.locate(step: Int32(timing.first))), at: 0)
        driver.schedule(.command(.play), at: 0)
        driver.schedule(.score(score.queued(at: timing.point)), at: 100)
        let recording = driver.record(frames: frames, periods: [period])
        return Result(
            tracks: Track.allCases.map { recording[.track($0)] },
            launches: driver.fetchNotices().compactMap { notice in
                guard case .launch(let track, let launch) = notice else { return nil }
                return "\(track) \(launch.slot) \(launch.number) \(launch.frame) \(launch.usecs)"
            })
    }

    @Test(arguments: Timing.all)
    func `a launch is heard from its step's very frame on, on all tracks together`(timing: Timing) {
        let first = timing.first
        let step = timing.launchStep(after: first)
        let launch = timing.frame(of: step, from: first)
        let held = Double(launch - timing.frame(of: step - 1, from: first)) / Self.rate
        // A release of three tenths of the note, 0.15 s at most, and a millisecond to zero.
        let release = min(0.15, max(0.045, held * 0.3 / 0.7)) + 0.001
        let (point, ending) = (Int(launch), Int(launch) + Int(Self.rate * release) + 2)
        let frames = Int(timing.frame(of: step + 1, from: first)) + 200
        let score = score(timing, launchStep: step)
        let result = render(score, timing, period: 64, frames: frames)
        #expect(result.launches == (0..<4).map { "\($0) 3 1 \(launch) \(launch * 125)" })
        // The old slot's notes are not started, its sustains are released, its drums ring out; the new one's start with
        // the frame.
        #expect(result.tracks[0][point...].peak == 0)
        #expect(result.tracks[1][max(0, point - 100)..<point].peak > 0.03)
        #expect(result.tracks[1][point + 50..<point + 100].peak > 0.001)
        #expect(result.tracks[1][ending...].peak == 0)
        #expect(result.tracks[2].firstIndex { $0 != 0 } == point)
        let untouched = OfflineDriver(score, sampleRate: Self.rate)
        untouched.schedule(.command(.locate(step: Int32(first))), at: 0)
        untouched.schedule(.command(.play), at: 0)
        #expect(untouched.record(frames: frames, periods: [64])[.track(.rhythm)] == result.tracks[3])
        for period in [16, 8192] {
            #expect(render(score, timing, period: period, frames: frames) == result)
        }
    }

    @Test func `a note that ends by itself is not cut off by a launch`() {
        // 150 BPM at 8 kHz: 800 frames a step; the note is longer than its step.
        let before = Score.with([TestNote(track: .melody, note: 3, step: 0)], bpm: 150)
        let driver = OfflineDriver.playing(before, sampleRate: Self.rate)
        driver.schedule(.score(before.queued(at: .step)), at: 100)
        let plain = OfflineDriver.playing(before, sampleRate: Self.rate).record(frames: 4000)
        #expect(driver.record(frames: 4000)[.track(.melody)] == plain[.track(.melody)])
    }

    @Test func `the very first step is a launch point, except for a chain's further links`() {
        for (isLink, expected) in [(false, 0), (true, 8 * 800)] {
            let driver = OfflineDriver.playing(
                Score.with([], bpm: 150, length: 8).queued(at: .loop, isLink: isLink), sampleRate: Self.rate)
            driver.render(frames: 8000, periods: [256]) { _ in }
            #expect(driver.launchFrames() == Array(repeating: Int64(expected), count: 4))
        }
    }

    @Test func `a step 0 that is jumped to is a launch point`() {
        let driver = OfflineDriver.playing(Score.with([], bpm: 150), sampleRate: Self.rate)
        driver.schedule(.score(Score.with([], bpm: 150).queued(at: .loop, isLink: true)), at: 1000)
        driver.schedule(.command(.locate(step: 0)), at: 2000)
        driver.render(frames: 4000, periods: [256]) { _ in }
        #expect(driver.launchFrames() == [2000, 2000, 2000, 2000])
    }

    @Test func `a launch stays in effect under a score whose author did not know of it`() {
        let old = Score.with([TestNote(track: .bass, note: 0, step: 4)], bpm: 150)
        let driver = OfflineDriver.playing(old, sampleRate: Self.rate)
        driver.schedule(.score(old.queued(at: .step)), at: 100)
        // Cancelled too late: the score's author does not know that the launch has happened.
        driver.schedule(.score(old), at: 1000)
        let samples = driver.record(frames: 6000)[.track(.bass)]
        #expect(samples.peak == 0)
        #expect(driver.launchFrames() == [800, 800, 800, 800])
        // Once the score includes the launch, its own notes play.
        var known = old
        for track in 0..<4 { known.launches[track].known = 1 }
        driver.schedule(.command(.locate(step: 4)), at: driver.frame)
        driver.schedule(.score(known), at: driver.frame)
        #expect(driver.record(frames: 2000)[.track(.bass)].peak > 0.05)
    }

    @Test func `an edit of a slot that the callback has launched is heard before the author knows of the launch`() {
        let queued = Score.with([], bpm: 150).queued(at: .step)
        let driver = OfflineDriver.playing(queued, sampleRate: Self.rate)
        var edited = queued
        edited.setNotes(Score.with([TestNote(track: .bass, note: 0, step: 3)]).notes, slot: 3)
        driver.schedule(.score(edited), at: 1000)
        #expect(driver.record(frames: 6000)[.track(.bass)].firstIndex { $0 != 0 } == 2400)
        #expect(driver.launchFrames().count == 4)
    }

    @Test func `an edit of the slot that plays is heard under a score whose author does not know of its launch`() {
        let old = Score.with([], bpm: 150)
        let driver = OfflineDriver.playing(old, sampleRate: Self.rate)
        driver.schedule(.score(old.queued(at: .step)), at: 100)
        var edited = old
        edited.setNotes(Score.with([TestNote(track: .bass, note: 0, step: 3)]).notes, slot: 3)
        // The launch has happened on 800.
        driver.schedule(.score(edited), at: 1000)
        #expect(driver.record(frames: 6000)[.track(.bass)].firstIndex { $0 != 0 } == 2400)
    }

    @Test func `a launch of the slot that plays lets sustains continue`() {
        let score = Score.with(TestNote.sustained(.chords, 3, count: 6), bpm: 150)
        var same = score.queued(at: .step)
        same.setNotes(score.notes, slot: 3)
        for track in 0..<4 { same.launches[track].playing = 3 }
        let driver = OfflineDriver.playing(same, sampleRate: Self.rate)
        let plain = OfflineDriver.playing(score, sampleRate: Self.rate).record(frames: 8000)
        #expect(driver.record(frames: 8000)[.track(.chords)] == plain[.track(.chords)])
        #expect(driver.launchFrames().count == 4)
    }
}

extension Score {
    /// The score with launches of slot 3 queued on all tracks under number 1; or as links of a chain.
    func queued(at point: LaunchQuantum, isLink: Bool = false) -> Score {
        var score = self
        score.parameters[.launchQuantum] = Double(point.rawValue)
        let launches = isLink ? TrackLaunches([0, 3], isPlaying: true) : TrackLaunches([3])
        for track in 0..<4 { score.launches[track].queue(launches, number: 1) }
        return score
    }
}

extension OfflineDriver {
    fileprivate func launchFrames() -> [Int64] {
        fetchNotices().compactMap { if case .launch(_, let launch) = $0 { launch.frame } else { nil } }
    }
}
