import Engine
import Music
import OfflineAudio

/// What following somebody costs a period in which nothing sounds: the same music by each source of time.
struct FollowingBenchmark {
    /// Whose time it is.
    enum Source: String, CaseIterable {
        case alone
        case jack = "JACK master"
        case midi = "MIDI clock"
        case timeline
    }

    let rate: Double
    let frames: Int

    private static let bpm = 127.0

    /// How long each of so many periods takes, in µs.
    func times(_ source: Source, periods: Int) throws -> [Double] {
        let driver = try OfflineDriver(engine: Engine(score: score(source)), sampleRate: rate)
        prepare(driver, source)
        var times: [Double] = []
        times.reserveCapacity(periods)
        let clock = ContinuousClock()
        var nextTick = 0
        var start = clock.now
        driver.render(frames: (periods + 1000) * frames, periods: [frames]) { period in
            times.append((clock.now - start) / .microseconds(1))
            if source == .midi { send(&nextTick, before: period.startFrame + Int64(2 * frames), to: driver) }
            start = clock.now
        }
        // The first are for the caches and the branch predictor.
        return Array(times.dropFirst(1000))
    }

    private func score(_ source: Source) -> Score {
        var score = Score()
        score.parameters[.tempo] = Self.bpm
        score.sync.source =
            switch source {
            case .alone: .own
            case .jack: .jack
            case .midi: .midi
            case .timeline: .timeline
            }
        return score
    }

    private func prepare(_ driver: OfflineDriver, _ source: Source) {
        switch source {
        case .alone: driver.schedule(.command(.play), at: 0)
        case .jack:
            var frame: Int64 = 0
            driver.outside = { count in
                defer { frame += Int64(count) }
                return OutsidePosition(isRolling: true, frame: frame, bar: bar(at: frame))
            }
        case .midi: driver.receive(MidiEvent(frame: 0, 0xfa), at: 0)
        case .timeline: driver.engine.follow(Timeline(beat: 0, usecs: 0, bpm: Self.bpm, isPlaying: true))
        }
    }

    private func bar(at frame: Int64) -> BarPosition {
        let beats = Double(frame) * Self.bpm / 60 / rate
        return BarPosition(
            bar: Int32(beats / 4) + 1, beat: Int32(Int(beats) % 4) + 1,
            tick: ((beats - beats.rounded(.down)) * 1920).rounded(.down), bpm: Self.bpm)
    }

    /// Sends the ticks that are due before a frame.
    private func send(_ tick: inout Int, before end: Int64, to driver: OfflineDriver) {
        while case let frame = Int64(Double(tick) * rate * 2.5 / Self.bpm), frame < end {
            driver.receive(MidiEvent(frame: 0, 0xf8), at: max(frame, driver.frame))
            tick += 1
        }
    }
}
