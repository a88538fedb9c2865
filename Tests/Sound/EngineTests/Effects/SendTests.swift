import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Sends, the delay, and ducking under the kick, as they are rendered.
@Suite struct SendTests {
    private func score(_ cells: [TestNote], _ changes: [(Parameter, Track?, Double)], bpm: Double = 120) -> Score {
        var score = Score.with(cells, bpm: bpm)
        for (parameter, track, value) in changes { score.parameters[parameter, track?.rawValue ?? 0] = value }
        return score
    }

    private static let rim = TestNote(track: .rhythm, note: Drum.rimshot.rawValue, step: 0)

    @Test func `without sends the effects are silent, and the mix is unchanged`() {
        let score = InvarianceTests.busyScore(seed: 6)
        var other = score
        for parameter in [Parameter.reverbTime, .reverbLevel, .delaySteps, .delayFeedback] {
            other.parameters[parameter] = parameter == .delayFeedback ? 0.9 : 5
        }
        let (plain, set) = (
            OfflineDriver.playing(score).record(seconds: 0.3), OfflineDriver.playing(other).record(seconds: 0.3)
        )
        for port in EnginePort.audio {
            let isTheSame = plain[port] == set[port]
            #expect(isTheSame)
        }
        for port in EnginePort.reverb + EnginePort.delay { #expect(plain[port].peak == 0) }
    }

    @Test(arguments: [(120.0, 3.0, 18_000), (120, 1, 6000), (90, 4, 32_000), (25, 16, 57_600)])
    func `echoes come on their frames, left and right in turn`(bpm: Double, steps: Double, distance: Int) {
        let played = score([Self.rim], [(.delay, .rhythm, 0), (.delaySteps, nil, steps)], bpm: bpm)
        let driver = OfflineDriver.playing(played)
        let recording = driver.record(frames: 3 * distance + 2000, periods: [1000])
        let dry = recording[.track(.rhythm)]
        let (left, right) = (recording[EnginePort.delay[0]], recording[EnginePort.delay[1]])
        #expect(left.onset == distance && right.onset == 2 * distance)
        // The first echo is the sound itself, the next ones have less of the lows and highs.
        let isTheSame = left[distance..<distance + 1000].elementsEqual(dry[..<1000])
        #expect(isTheSame)
        #expect(left[(2 * distance)..<(3 * distance)].peak == 0)
        let second = right[(2 * distance)...].peak / left[..<(2 * distance)].peak
        #expect((0.2..<0.35).contains(second))
        #expect(left[(3 * distance)...].peak > 0)
        for frame in 0..<dry.count {
            let mixed = dry[frame] * 0.707_106_77 + left[frame]
            if abs(recording[.mainLeft][frame] - mixed) > 1e-6 { return #expect(Bool(false), "frame \(frame)") }
        }
    }

    @Test func `a new delay time crosses over without a step`() {
        let cells = TestNote.sustained(.melody, 0, count: 15)
        var played = score(cells, [(.delay, .melody, 0), (.delaySteps, nil, 1)])
        let calm = OfflineDriver.playing(played).record(seconds: 0.6)[EnginePort.delay[0]]
        let driver = OfflineDriver.playing(played)
        played.parameters[.delaySteps] = 2
        driver.schedule(.score(played), at: 14_003)
        played.parameters[.delaySteps] = 3
        driver.schedule(.score(played), at: 14_500)
        let samples = driver.record(seconds: 0.6)[EnginePort.delay[0]]
        let isTheSame = samples[..<14_003] == calm[..<14_003]
        #expect(isTheSame && samples[20_000] != calm[20_000])
        #expect(samples.steepestStep <= calm.steepestStep + 0.002)
    }

    @Test(arguments: [Parameter.reverb, .delay])
    func `a send that opens or closes makes no step`(send: Parameter) {
        let cells = TestNote.sustained(.bass, 0, count: 15)
        var played = score(cells, [(.delaySteps, nil, 1)])
        let driver = OfflineDriver.playing(played)
        for (frame, level) in [(8001, 0.0), (16_002, -60), (20_003, -6)] {
            played.parameters[send, Track.bass.rawValue] = level
            driver.schedule(.score(played), at: Int64(frame))
        }
        let recording = driver.record(seconds: 0.6)
        let steepest = recording[.track(.bass)][2000...].steepestStep
        for port in send == .reverb ? EnginePort.reverb : EnginePort.delay {
            #expect(recording[port].peak > 0.02)
            #expect(recording[port].steepestStep < 2 * steepest + 0.002)
        }
    }

    @Test func `at the end of the program reverb and echoes fade, and nothing brings them back`() {
        let sends: [(Parameter, Track?, Double)] = [
            (.reverb, .bass, 0), (.delay, .bass, 0), (.delaySteps, nil, 1), (.delayFeedback, nil, 0.9),
        ]
        var played = score(TestNote.sustained(.bass, 0, count: 15), sends)
        let driver = OfflineDriver.playing(played)
        driver.schedule(.command(.silence), at: 20_000)
        played.parameters[.reverbLevel] = 6
        played.parameters[.delayLevel] = 6
        driver.schedule(.score(played), at: 20_100)
        let recording = driver.record(frames: 30_000, periods: [64])
        for port in EnginePort.reverb + EnginePort.delay + [.mainLeft, .mainRight] {
            let samples = recording[port]
            #expect(samples[19_500..<20_000].peak > 0.01)
            #expect(samples[20_000..<20_100].peak > 0.002, "it fades, it is not cut")
            #expect(samples[20_000...].steepestStep < 2 * samples[15_000..<20_000].steepestStep + 0.002)
            #expect(samples[20_240...].peak == 0)
        }
    }

    @Test func `the reverb rings on when its track is silent, until it is below -90 dBFS`() {
        let played = score([Self.rim], [(.reverb, .rhythm, 0), (.reverbTime, nil, 0.5)])
        let driver = OfflineDriver.playing(played)
        driver.schedule(.command(.stop), at: 3000)
        let recording = driver.record(seconds: 1.5)
        #expect(recording[.track(.rhythm)].end! < 3300)
        for port in EnginePort.reverb {
            let samples = recording[port]
            #expect(samples[6000...].peak > 0.0005)
            #expect(samples.end! < 60_000 && samples[(samples.end! - 100)...].peak < 0.000_04)
        }
    }

    /// By how many decibels chords are ducked at a frame.
    private func amount(of ducked: OfflineRecording, below plain: OfflineRecording, at frame: Int) -> Double {
        let range = frame - 100..<frame + 100
        let (now, before) = (ducked[.track(.chords)][range], plain[.track(.chords)][range])
        return decibels(
            zip(now, before).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                / before.reduce(0.0) { $0 + Double($1) * Double($1) })
    }

    @Test func `tracks are ducked under each kick, heard or not, by the set depth`() {
        let kicks = [0, 8].map { TestNote(track: .rhythm, note: Drum.kick2.rawValue, step: $0) }
        let cells = TestNote.sustained(.chords, 0, count: 15) + kicks
        let plain = OfflineDriver.playing(score(cells, [])).record(seconds: 1.4)
        var played = score(cells, [(.duck, .chords, 6), (.duck, .rhythm, 12)])
        let ducked = OfflineDriver.playing(played).record(seconds: 1.4)
        played.isSilent[Track.rhythm.rawValue] = true
        let unheard = OfflineDriver.playing(played).record(seconds: 1.4)
        let isTheSame =
            ducked[.track(.rhythm)] == plain[.track(.rhythm)] && ducked[.track(.chords)] == unheard[.track(.chords)]
        #expect(isTheSame)

        func amount(_ frame: Int) -> Double { self.amount(of: ducked, below: plain, at: frame) }
        // 4 ms down, 20 ms held, 0.35 s back, since three quarters of a beat are longer.
        for kick in [0, 48_000] {
            #expect(abs(amount(kick + 700) + 6) < 0.05)
            #expect(abs(amount(kick + 1000) + 6) < 0.05)
            #expect(abs(amount(kick + 1152 + 8400) + 2.5) < 0.2)
            #expect(abs(amount(kick + 1152 + 16_800 + 200)) < 0.01)
        }
        #expect(ducked[.track(.chords)].steepestStep <= plain[.track(.chords)].steepestStep + 0.002)
    }

    @Test(arguments: [[256], [1000, 64, 333]])
    func `a depth that is turned up while the tracks come back takes effect there`(periods: [Int]) {
        let kicks = [0, 3].map { TestNote(track: .rhythm, note: Drum.kick.rawValue, step: $0) }
        let cells = TestNote.sustained(.chords, 0, count: 15) + kicks
        // The bass plays nothing.
        func record(bassDepth: Double) -> OfflineRecording {
            let driver = OfflineDriver.playing(score(cells, [(.duck, .bass, bassDepth)]))
            for (frame, depth) in [(8000, 12.0), (14_000, 0), (24_000, 6)] {
                let changes: [(Parameter, Track?, Double)] = [(.duck, .bass, bassDepth), (.duck, .chords, depth)]
                driver.schedule(.score(score(cells, changes)), at: Int64(frame))
            }
            return driver.record(seconds: 1, periods: periods)
        }
        let (always, sometimes) = (record(bassDepth: 12), record(bassDepth: 0))
        let plain = OfflineDriver.playing(score(cells, [])).record(seconds: 1)
        #expect(amount(of: sometimes, below: plain, at: 8500) < -1)
        let isTheSame = EnginePort.audio.allSatisfy { always[$0] == sometimes[$0] }
        #expect(isTheSame)
    }

    @Test(arguments: [Speed.half, .normal, .double])
    func `they come back by the beat, whatever the speed of the kick's slot`(speed: Speed) {
        let cells =
            TestNote.sustained(.chords, 0, count: 15) + [TestNote(track: .rhythm, note: Drum.kick.rawValue, step: 0)]
        let plain = OfflineDriver.playing(score(cells, [], bpm: 200)).record(seconds: 0.5)
        var played = score(cells, [(.duck, .chords, 6)], bpm: 200)
        played[playing: Track.rhythm.rawValue].time.speed = speed
        let ducked = OfflineDriver.playing(played).record(seconds: 0.5)
        // Three quarters of a beat are 10800 frames.
        #expect(abs(amount(of: ducked, below: plain, at: 1152 + 5400) + 2.5) < 0.2)
        #expect(abs(amount(of: ducked, below: plain, at: 1152 + 10_800 + 200)) < 0.01)
    }
}
