import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Music that starts from silence sounds the same whatever was played before: as a recording does.
@Suite struct FreshStartTests {
    /// A session of random changes.
    private struct Session {
        let driver: OfflineDriver
        private(set) var score = InvarianceTests.busyScore(seed: 1)
        private(set) var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            driver = OfflineDriver(score)
        }

        mutating func act() {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: change()
            case 2: _ = driver.send(.play)
            case 3: _ = driver.send([.stop, .pause, .locate(step: 9)].randomElement(using: &random)!)
            case 4: strike()
            case 5: press()
            case 6: driver.skip(.random(in: 1...3000, using: &random))
            default: driver.connectionCount += 1
            }
            driver.render(frames: .random(in: 1...20_000, using: &random), periods: [64, 1000, 17, 333]) { _ in }
        }

        private mutating func strike() {
            let track = Int32.random(in: 0..<4, using: &random)
            let notes = UInt16.random(in: 1..<4096, using: &random)
            _ = driver.send(.audition(track: track, notes: notes, velocity: .random(in: 1...2, using: &random)))
        }

        private mutating func press() {
            let (channel, key) = (Int.random(in: 1...4, using: &random), Int.random(in: 36...72, using: &random))
            driver.press(key, channel: channel, at: driver.frame)
            driver.letGo(key, channel: channel, at: driver.frame + .random(in: 1...9000, using: &random))
        }

        /// Another busy score with other sounds, sends and motions.
        mutating func change() {
            score = InvarianceTests.busyScore(
                seed: random.next(), bpm: (Double.random(in: 60...300, using: &random) * 100).rounded() / 100)
            for track in Track.allCases {
                let parameter = track == .rhythm ? Parameter.kit : .preset
                set(parameter, track, Double(Int.random(in: 0..<(track == .rhythm ? 5 : 8), using: &random)))
                for parameter in [Parameter.reverb, .delay] where Bool.random(using: &random) {
                    set(parameter, track, .random(in: -30...0, using: &random))
                }
                set(.gain, track, .random(in: -20...0, using: &random))
                set(.duck, track, .random(in: 0...12, using: &random))
                set(.tone, track, .random(in: -12...12, using: &random))
                score.isSilent[track.rawValue] = Int.random(in: 0..<6, using: &random) == 0
            }
            score.parameters[.delaySteps] = Double(Int.random(in: 1...4, using: &random))
            score.parameters[.delayFeedback] = 0.2
            score.parameters[.reverbTime] = 0.3
            if Bool.random(using: &random) {
                score.move((.melody, .gain, [0: -12, 9: 0, 20: -3]), (.rhythm, .pan, [3: -1, 8: 1, 30: 0.2]))
                score.move((.bass, .tone, [0: -5, 16: 7]), (.melody, .delay, [1: -20, 2: 0]))
            }
            driver.engine.publish(score)
        }

        private mutating func set(_ parameter: Parameter, _ track: Track, _ value: Double) {
            score.parameters[parameter, track.rawValue] = value
        }

        /// Some notes, by command and by key.
        mutating func phrase() -> OfflineRecording {
            score.isSilent = PerTrack(repeating: false)
            driver.engine.publish(score)
            for _ in 0..<3 {
                strike()
                press()
                driver.render(frames: .random(in: 1...900, using: &random), periods: [64, 17]) { _ in }
            }
            strike()
            return driver.record(frames: 30_000, periods: [200, 64, 1000])
        }

        /// Stops, and waits for silence; some changes do not end by then.
        mutating func fallSilent() -> Bool {
            _ = driver.send(.stop)
            driver.render(frames: 9000) { _ in }
            for _ in 0..<100 where !driver.engine.isSilent { driver.render(frames: 4800) { _ in } }
            driver.render(frames: .random(in: 0...100_000, using: &random), periods: [64, 1000, 17, 333]) { _ in }
            if Bool.random(using: &random) { change() }
            return driver.engine.isSilent
        }
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `after any session and silence, music sounds as from a new engine, to the bit`(seed: UInt64) {
        var session = Session(seed: seed)
        for _ in 0..<12 { session.act() }
        let isSilent = session.fallSilent()
        let driver = session.driver
        let isSent = driver.send(.play)
        #expect(isSilent && isSent)
        let recording = driver.record(frames: 30_000, periods: [200, 64, 1000])
        let fresh = OfflineDriver.playing(session.score).record(frames: 30_000)
        #expect(fresh[.mainLeft].peak > 0.01)
        for port in EnginePort.audio {
            let first = zip(recording[port], fresh[port]).enumerated().first {
                $0.element.0.bitPattern != $0.element.1.bitPattern
            }
            #expect(first == nil, "\(port.name) from frame \(first?.offset ?? 0) on")
        }
    }

    /// Where the bits of two recordings differ.
    private func difference(_ recording: OfflineRecording, _ other: OfflineRecording) -> String? {
        for port in EnginePort.audio {
            let first = zip(recording[port], other[port]).enumerated().first {
                $0.element.0.bitPattern != $0.element.1.bitPattern
            }
            if let first { return "\(port.name) from frame \(first.offset) on" }
        }
        return nil
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `after any session and silence, sound is the same with and without a reset, and music as from a new engine`(
        seed: UInt64
    ) {
        var sessions = [Session(seed: seed), Session(seed: seed)]
        for index in sessions.indices {
            for _ in 0..<12 { sessions[index].act() }
            let isSilent = sessions[index].fallSilent()
            #expect(isSilent)
        }
        sessions[1].driver.engine.realtime.resetSound()
        let phrases = [sessions[0].phrase(), sessions[1].phrase()]
        #expect(phrases[0][.mainLeft].peak > 0)
        #expect(difference(phrases[0], phrases[1]) == nil)
        for index in sessions.indices {
            let isSilent = sessions[index].fallSilent()
            #expect(isSilent)
        }
        sessions[1].driver.engine.realtime.resetSound()
        let fresh = OfflineDriver.playing(sessions[0].score).record(frames: 30_000)
        for session in sessions {
            let isSent = session.driver.send(.play)
            #expect(isSent)
            #expect(difference(session.driver.record(frames: 30_000, periods: [200, 64, 1000]), fresh) == nil)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a reset in the middle of sound silences it at once, and then music sounds as from a new engine`(seed: UInt64)
    {
        var session = Session(seed: seed)
        session.change()
        session.driver.schedule(.command(.play), at: 0)
        session.driver.schedule(.command(.stop), at: 24_000)
        let before = session.driver.record(frames: 24_001)
        #expect(before[.mainLeft][23_000...].peak > 0)
        session.driver.engine.realtime.resetSound()
        let after = session.driver.record(frames: 1000)
        for port in EnginePort.audio { #expect(after[port].peak == 0, "\(port)") }
        let isSent = session.driver.send(.play)
        #expect(isSent)
        let fresh = OfflineDriver.playing(session.score).record(frames: 20_000)
        #expect(difference(session.driver.record(frames: 20_000), fresh) == nil)
    }

    /// A score whose first step is a chord or some drums.
    private func chord(_ track: Track, sound: Int) -> Score {
        var score = Score.with([0, 4, 7].map { TestNote(track: track, note: $0, step: 0) }, bpm: 300)
        score.parameters[track == .rhythm ? .kit : .preset, track.rawValue] = Double(sound)
        return score
    }

    @Test(arguments: Track.allCases, 0..<8)
    func `a sound does not depend on the sound that was played before`(track: Track, earlier: Int) {
        let count = track == .rhythm ? 5 : 8
        guard earlier < count else { return }
        for sound in 0..<count {
            let driver = OfflineDriver.playing(chord(track, sound: earlier))
            driver.schedule(.command(.stop), at: 12_000)
            driver.render(frames: 14_001) { _ in }
            driver.schedule(.score(chord(track, sound: sound)), at: 14_001)
            driver.schedule(.command(.play), at: 14_001)
            let recording = driver.record(frames: 12_000)[.track(track)]
            let fresh = OfflineDriver.playing(chord(track, sound: sound)).record(frames: 12_000)[.track(track)]
            let isTheSame = zip(recording, fresh).allSatisfy { $0.bitPattern == $1.bitPattern }
            #expect(isTheSame && fresh.peak > 0.01, "\(sound) after \(earlier)")
        }
    }

    @Test func `a note beside ended voices of another preset sounds as from a new engine`() {
        // The earlier chord of Lead leaves three lanes of the group that Sine plays in.
        func record(_ isEarlier: Bool) -> [Float] {
            var score = Score.with([])
            let driver = OfflineDriver(score)
            func strike(preset: Double, notes: UInt16, at frame: Int64) {
                score.parameters[.preset, Track.melody.rawValue] = preset
                driver.schedule(.score(score), at: frame)
                driver.schedule(.command(.audition(track: 0, notes: notes, velocity: 2)), at: frame)
            }
            if isEarlier { strike(preset: 2, notes: 0b111, at: 0) }
            strike(preset: 0, notes: 0b1000, at: 60_000)
            return driver.record(frames: 70_000)[.track(.melody)].suffix(10_000)
        }
        let isTheSame = zip(record(true), record(false)).allSatisfy { $0.bitPattern == $1.bitPattern }
        #expect(isTheSame)
    }
}
