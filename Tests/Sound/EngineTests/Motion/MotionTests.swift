import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

extension Score {
    /// Moves parameters of tracks through points, by step.
    mutating func move(_ moving: (Track, Parameter, [Int: Double])...) {
        for track in Track.allCases {
            let motions = moving.filter { $0.0 == track }.map { ($0.1, $0.2) }
            self[playing: track.rawValue].motions = TrackMotions(motions, length: Int(parameters[.length]))
        }
    }
}

extension TrackMotions {
    /// Motions through points, by step.
    init(_ moving: [(Parameter, [Int: Double])], length: Int) {
        var motions = Motions()
        for (parameter, points) in moving {
            for (step, value) in points { motions[parameter, step] = value }
        }
        self.init(motions, length: length)
    }
}

/// Parameters that move over the steps of a loop, as they are rendered.
@Suite struct MotionTests {
    /// Frames of a step at 120 BPM and 48 kHz.
    private static let step = 6000
    private static let fade = 240

    /// A note of the bass that sounds as long as the loop.
    private static func held(length: Int = 8, swing: Double = 0.5) -> Score {
        .with(TestNote.sustained(.bass, 9, count: length - 1), swing: swing, length: length)
    }

    /// The value on straight lines from point to point, round the loop, in double precision.
    private func value(_ points: [(Double, Double)], at count: Double, length: Double) -> Double {
        let place = count.truncatingRemainder(dividingBy: length)
        let last = points[points.count - 1]
        let line = [(last.0 - length, last.1)] + points + [(points[0].0 + length, points[0].1)]
        let next = line.firstIndex { $0.0 > place }!
        let (from, to) = (line[next - 1], line[next])
        return from.1 + (place - from.0) / (to.0 - from.0) * (to.1 - from.1)
    }

    @Test(arguments: [[(2, -12.0), (5, 6)], [(0, -24), (1, 6), (7, 0)], [(3, -9)]])
    func `a gain moves in straight lines of decibels from point to point, round the loop, and one point is constant`(
        points: [(Int, Double)]
    ) {
        var score = Self.held()
        let plain = OfflineDriver.playing(score).record(seconds: 2)[.track(.bass)]
        score.move((.bass, .gain, Dictionary(uniqueKeysWithValues: points)))
        let moved = OfflineDriver.playing(score).record(seconds: 2)[.track(.bass)]
        let line = points.map { (Double($0.0), $0.1) }
        for frame in Self.fade + 8..<plain.count {
            let gain = pow(10, value(line, at: Double(frame) / Double(Self.step), length: 8) / 20)
            let isThere = abs(Double(moved[frame]) - gain * Double(plain[frame])) < 3e-5
            if !isThere { return #expect(isThere, "frame \(frame)") }
        }
    }

    @Test func `a steep motion of gain adds nothing above -90 dB that is not in a double-precision render`() {
        var score = Self.held(length: 32)
        score.parameters[.preset, Track.bass.rawValue] = 0
        let plain = OfflineDriver.playing(score).record(seconds: 2)[.track(.bass)]
        score.move((.bass, .gain, [0: -24, 1: 6, 2: -24, 3: 6, 5: -24, 9: 6]))
        let moved = OfflineDriver.playing(score).record(seconds: 2)[.track(.bass)]
        let line = [(0.0, -24.0), (1, 6), (2, -24), (3, 6), (5, -24), (9, 6)]
        let first = 1000
        let difference = (first..<first + 65_536).map { frame in
            let gain = pow(10, value(line, at: Double(frame) / Double(Self.step), length: 32) / 20)
            return Float(Double(moved[frame]) - gain * Double(plain[frame]))
        }
        let worst = Spectrum(difference[...], sampleRate: 48_000).peak(in: 0...24_000)
        Figures.show("motion of gain, strongest line", decibels: 20 * log10(worst))
        #expect(20 * log10(worst) < -90)
        let heard = Spectrum(moved[first..<first + 65_536], sampleRate: 48_000).peak(in: 0...24_000)
        #expect(20 * log10(heard) > -40)
    }

    @Test func `with swing a point has its value where its step starts`() {
        var score = Self.held(length: 8, swing: 0.75)
        let plain = OfflineDriver.playing(score).record(seconds: 1)[.track(.bass)]
        score.move((.bass, .gain, [0: 0, 1: -24, 2: 0]))
        let moved = OfflineDriver.playing(score).record(seconds: 1)[.track(.bass)]
        // The second step is half a step late.
        let late = Self.step * 3 / 2
        for (frame, decibels) in [(late, -24.0), (late / 2, -12), ((late + 2 * Self.step) / 2, -12), (13_000, 0)] {
            let frames = frame - 20..<frame + 20
            let ratio = moved[frames].reduce(0) { $0 + abs($1) } / plain[frames].reduce(0) { $0 + abs($1) }
            #expect(abs(20 * log10(Double(ratio)) - decibels) < 0.2, "frame \(frame)")
        }
    }

    @Test func `a pan goes from side to side with equal power`() {
        var score = Self.held()
        score.move((.bass, .pan, [0: -1, 4: 1]))
        let recording = OfflineDriver.playing(score).record(seconds: 1)
        for frame in stride(from: 300, to: 48_000, by: 7) {
            let pan = value([(0, -1), (4, 1)], at: Double(frame) / Double(Self.step), length: 8)
            let (dry, angle) = (Double(recording[.track(.bass)][frame]), (pan + 1) * .pi / 4)
            let isThere =
                abs(Double(recording[.mainLeft][frame]) - cos(angle) * dry) < 1e-5
                && abs(Double(recording[.mainRight][frame]) - sin(angle) * dry) < 1e-5
            if !isThere { return #expect(isThere, "frame \(frame)") }
        }
    }

    @Test(arguments: [Parameter.reverb, .delay])
    func `a send moves, and at its lower end sends nothing`(send: Parameter) {
        let port = send == .delay ? EnginePort.delay[0] : EnginePort.reverb[0]
        func level(_ points: [Int: Double]) -> Double {
            var score = Score.with([TestNote(track: .rhythm, note: Drum.rimshot.rawValue, step: 2)], length: 8)
            score.parameters[send, Track.rhythm.rawValue] = -20
            score.move((.rhythm, send, points))
            return OfflineDriver.playing(score).record(seconds: 1)[port].peak
        }
        let full = level([0: 0])
        #expect(full > 0.01)
        #expect(level([0: -60]) == 0)
        // The strike lasts for a part of the step, during which the line continues.
        #expect(abs(20 * log10(level([0: -6, 4: -18]) / full) + 12) < 1)
    }

    @Test(arguments: [(Track.bass, 3), (.melody, 0), (.chords, 5), (.rhythm, Drum.closedHat.rawValue)])
    func `a note starts with the tone of its start, and keeps it`(track: Track, note: Int) {
        func render(tone: Double, _ points: [Int: Double]) -> [Float] {
            var score = Score.with(
                [
                    TestNote(track: track, note: note, step: 5),
                    TestNote(track: track, note: note, step: 6, velocity: .sustain),
                ],
                length: 8)
            score.parameters[.tone, track.rawValue] = tone
            if !points.isEmpty { score.move((track, .tone, points)) }
            return OfflineDriver.playing(score).record(seconds: 0.95, periods: [64])[.track(track)]
        }
        let moved = render(tone: -7, [0: -12, 8: 3, 4: 0])
        #expect(moved.contains { $0 != 0 })
        // From 0 on step 4 to -12 on step 8, the next loop's first.
        let expected = render(tone: -3, [:])
        let isTheSame = moved == expected
        #expect(isTheSame)
        let isAnother = moved != render(tone: -7, [:])
        #expect(isAnother)
    }

    @Test func `where the music jumps, the first note has the tone of its step there`() {
        func render(tone: Double, _ points: [Int: Double]) -> [Float] {
            func score(length: Int) -> Score {
                var score = Score.with([TestNote(track: .bass, note: 3, step: 0)], length: length)
                score.parameters[.tone, Track.bass.rawValue] = tone
                if !points.isEmpty { score.move((.bass, .tone, points)) }
                return score
            }
            let driver = OfflineDriver.playing(score(length: 16))
            // The loop begins with step 16 of the song then, and with step 0 again when the music goes there.
            driver.schedule(.score(score(length: 12)), at: Int64(20 * Self.step + 100))
            driver.schedule(.command(.locate(step: 0)), at: Int64(23 * Self.step))
            return driver.record(frames: 25 * Self.step)[.track(.bass)]
        }
        let moved = render(tone: -7, [0: -12, 4: 0, 8: 3])
        let isTheSame = moved == render(tone: -12, [:])
        #expect(isTheSame && moved[(23 * Self.step)...].peak > 0.01)
    }

    @Test func `while the music is stopped the mixer's values apply`() {
        var score = Score.with([])
        let audition = RtCommand.audition(track: 2, notes: 1, velocity: 2)
        func render() -> OfflineRecording {
            let driver = OfflineDriver(score)
            driver.schedule(.command(audition), at: 0)
            return driver.record(seconds: 0.3)
        }
        let plain = render()
        score.move((.bass, .gain, [0: -24]), (.bass, .pan, [0: 1]), (.bass, .tone, [0: -24]), (.bass, .delay, [0: 0]))
        let moved = render()
        for port in EnginePort.audio {
            let isTheSame = plain[port] == moved[port]
            #expect(isTheSame, "\(port)")
        }
    }

    @Test func `a stop gives the parameter back to the mixer, without a step`() {
        var score = Self.held()
        score.move((.bass, .gain, [0: -24, 4: 6]))
        let driver = OfflineDriver.playing(score)
        driver.schedule(.command(.stop), at: 20_000)
        driver.schedule(.command(.audition(track: 2, notes: 1 << 9, velocity: 2)), at: 24_000)
        let moved = driver.record(seconds: 0.7)[.track(.bass)]
        let alone = OfflineDriver(Score.with([]))
        alone.schedule(.command(.audition(track: 2, notes: 1 << 9, velocity: 2)), at: 24_000)
        let plain = alone.record(seconds: 0.7)[.track(.bass)]
        #expect(abs(moved[24_000...].peak / plain[24_000...].peak - 1) < 0.01)
        #expect(moved[15_000..<24_000].steepestStep <= 2 * moved[15_000..<19_000].steepestStep)
    }

    @Test func `what rings out after the end keeps its last gain`() {
        func render(_ points: [Int: Double]) -> [Float] {
            var score = Self.held()
            if !points.isEmpty { score.move((.bass, .gain, points)) }
            let driver = OfflineDriver.playing(score)
            driver.schedule(.command(.finish), at: 18_000)
            return driver.record(seconds: 0.6)[.track(.bass)]
        }
        let (plain, moved) = (render([:]), render([0: -24, 4: 6]))
        let gain = pow(10, (-24 + 30 * 0.75) / 20)
        #expect(plain[20_000...].peak > 0.01)
        for frame in 18_008..<plain.count {
            let isThere = abs(Double(moved[frame]) - gain * Double(plain[frame])) < 3e-5
            if !isThere { return #expect(isThere, "frame \(frame)") }
        }
    }

    @Test func `points beyond the loop are ignored, and with no others nothing moves`() {
        var score = Self.held()
        let plain = OfflineDriver.playing(score).record(seconds: 0.5)[.track(.bass)]
        score.move((.bass, .gain, [8: -24, 31: 6]))
        let hidden = OfflineDriver.playing(score).record(seconds: 0.5)[.track(.bass)]
        #expect(plain == hidden)
        score.move((.bass, .gain, [0: -6, 8: -24]))
        let standing = OfflineDriver.playing(score).record(seconds: 0.5)[.track(.bass)]
        let ratio = standing[1000...].peak / plain[1000...].peak
        #expect(abs(20 * log10(Double(ratio)) + 6) < 0.01)
    }

    @Test func `a muted track stays silent whatever its gain does`() {
        var score = Self.held()
        score.isSilent[Track.bass.rawValue] = true
        score.move((.bass, .gain, [0: -24, 4: 6]))
        #expect(OfflineDriver.playing(score).record(seconds: 0.5)[.track(.bass)].peak == 0)
    }
}
