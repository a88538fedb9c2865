import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// The sound does not depend on how it is divided into periods.
@Suite struct InvarianceTests {
    /// A busy pattern from a seed: notes, chords, sustain and drums.
    static func busyScore(seed: UInt64, bpm: Double = 173.3) -> Score {
        var random = SeededGenerator(seed: seed)
        var pattern = Pattern()
        for track in Track.allCases {
            for step in 0..<SlotNotes.stepCount where step == 0 || Int.random(in: 0..<3, using: &random) != 0 {
                let note = Int.random(in: 0..<Track.noteCount, using: &random)
                pattern[track, note, step] = Bool.random(using: &random) ? .normal : .accent
                if step < 31, Bool.random(using: &random) { pattern[track, note, step + 1] = .sustain }
            }
        }
        pattern.parameters.set(.tempo, to: .number(bpm))
        pattern.swing = 0.58
        return Score(Document(pattern: pattern))
    }

    /// The same with other presets and kits, and with every track sent to reverb and delay and ducked under the kick.
    private static func wetScore(seed: UInt64, bpm: Double = 173.3) -> Score {
        var score = busyScore(seed: seed, bpm: bpm)
        for track in Track.allCases {
            for (parameter, value) in [(Parameter.reverb, -6.0), (.delay, -3), (.duck, 9)] {
                score.parameters[parameter, track.rawValue] = value
            }
        }
        for (track, preset) in [Track.melody: 5.0, .chords: 1, .bass: 2] {
            score.parameters[.preset, track.rawValue] = preset
        }
        score.parameters[.kit, Track.rhythm.rawValue] = Double(1 + seed % 4)
        score.parameters[.delaySteps] = 1
        return score
    }

    /// A driver with changes of all kinds on frames that every period length reaches alike.
    private func driver() -> OfflineDriver {
        let driver = OfflineDriver.playing(Self.wetScore(seed: 1))
        var other = Self.wetScore(seed: 2, bpm: 120.01)
        other.parameters[.reverbTime] = 0.4
        driver.schedule(.score(other), at: 5000)
        other.isSilent[1] = true
        other.mix(.melody, gain: 2, left: 1, right: 0)
        driver.schedule(.score(other), at: 9001)
        driver.schedule(.command(.audition(track: 3, notes: 0b1001_1001, velocity: 2)), at: 9050)
        other.parameters[.length] = 11
        driver.schedule(.score(other), at: 12_345)
        driver.schedule(.command(.locate(step: 7)), at: 14_000)
        driver.schedule(.command(.stop), at: 17_777)
        driver.schedule(.command(.play), at: 18_000)
        return driver
    }

    @Test(arguments: [[16], [64], [256], [1000], [1], [8192], [64, 17, 1000, 3, 256]])
    func `any periods give the same bits`(periods: [Int]) {
        // Single frames are slow in a debug build.
        let count = periods == [1] ? 9600 : 22_000
        let reference = driver().record(frames: count, periods: [512])
        let recording = driver().record(frames: count, periods: periods)
        for port in EnginePort.audio {
            #expect(periods == [1] || reference[port].peak > 0.001, "\(port)")
            #expect(zip(recording[port], reference[port]).allSatisfy { $0.bitPattern == $1.bitPattern }, "\(port)")
        }
    }

    /// A driver that randomly strikes all notes of a preset or kit of each track again, most of them while they still
    /// sound.
    private func driver(striking sound: Int) -> OfflineDriver {
        var random = SeededGenerator(seed: UInt64(sound))
        // Slow, so that notes last.
        var score = Score.with([], bpm: 40)
        for track in Track.allCases {
            let parameter = track == .rhythm ? Parameter.kit : .preset
            score.parameters[parameter, track.rawValue] = Double(sound % (track == .rhythm ? 5 : 8))
        }
        let driver = OfflineDriver(score)
        var frame: Int64 = 0
        while frame < 60_000 {
            for track in 0..<4 {
                let notes = UInt16.random(in: 0..<4096, using: &random) & UInt16.random(in: 0..<4096, using: &random)
                let velocity = UInt8.random(in: 1...2, using: &random)
                driver.schedule(.command(.audition(track: Int32(track), notes: notes, velocity: velocity)), at: frame)
            }
            frame += Int64.random(in: 1...(frame < 30_000 ? 4000 : 400), using: &random)
        }
        return driver
    }

    @Test(arguments: 0..<8)
    func `all drums and presets struck again while they sound give the same bits in periods of 16 to 1000 frames`(
        sound: Int
    ) {
        let reference = driver(striking: sound).record(frames: 66_000, periods: [512])
        var random = SeededGenerator(seed: UInt64(100 + sound))
        let lengths = (0..<64).map { _ in Int.random(in: 16...1000, using: &random) }
        for periods in isLongRun ? [[16], [64], [256], [1000], lengths] : [[16], lengths] {
            let recording = driver(striking: sound).record(frames: 66_000, periods: periods)
            for port in Track.allCases.map({ EnginePort.track($0) }) {
                #expect(reference[port].peak > 0.001, "\(port)")
                let isTheSame = zip(recording[port], reference[port]).allSatisfy { $0.bitPattern == $1.bitPattern }
                #expect(isTheSame, "\(port) in periods of \(periods)")
            }
        }
    }

    @Test(arguments: [44_100.0, 48_000, 88_200, 96_000, 192_000])
    func `every rate and every period plays`(sampleRate: Double) {
        let driver = OfflineDriver.playing(Self.wetScore(seed: 3, bpm: 300), sampleRate: sampleRate)
        let recording = driver.record(frames: Int(sampleRate / 8), periods: [16, 8192, 1, 440, 2000])
        for port in EnginePort.audio {
            #expect((0.001...4).contains(recording[port].peak), "\(port)")
            #expect(recording[port].allSatisfy { $0.isFinite })
        }
        #expect(recording[.mainLeft].peak <= 1)
    }

    @Test func `an engine that is prepared again plays the same bits`() {
        let engine = Engine(score: Self.busyScore(seed: 4))
        func play() -> OfflineRecording {
            let driver = OfflineDriver(engine)
            driver.schedule(.command(.stop), at: 0)
            driver.schedule(.command(.play), at: 0)
            return driver.record(frames: 9000)
        }
        let first = play()
        let second = play()
        for port in EnginePort.audio { #expect(first[port] == second[port]) }
    }
}
