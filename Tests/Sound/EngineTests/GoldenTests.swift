import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// The sound of a few short patterns has not changed; see Golden/README.md.
@Suite struct GoldenTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let isBlessing = ProcessInfo.processInfo.environment["PIXELBOOP_BLESS"] == "1"

    /// A pattern that is played, and for how long.
    enum Case: String, CaseIterable {
        case tune, drums, swung, busy

        var score: Score {
            switch self {
            case .tune: Case.tuneScore
            case .drums: Case.drumsScore
            case .swung: Case.swungScore
            case .busy: InvarianceTests.busyScore(seed: 11)
            }
        }

        var seconds: Double { self == .busy ? 0.4 : 0.6 }

        /// A melody over a chord and a sustained bass.
        private static var tuneScore: Score {
            var cells = [0, 2, 4, 7].enumerated().map { TestNote(track: .melody, note: $1, step: $0) }
            cells += [0, 4, 7].map { TestNote(track: .chords, note: $0, step: 0, velocity: .normal) }
            cells += TestNote.sustained(.bass, 0, count: 3)
            return .with(cells, bpm: 120)
        }

        /// Each drum on its own step.
        private static var drumsScore: Score {
            .with((0..<12).map { TestNote(track: .rhythm, note: $0, step: $0) }, bpm: 300)
        }

        /// Swing, gains and pans.
        private static var swungScore: Score {
            var score = Score.with(
                (0..<8).map { TestNote(track: $0 % 2 == 0 ? .bass : .rhythm, note: $0, step: $0, velocity: .normal) },
                bpm: 200, swing: 0.66)
            score.mix(.bass, gain: 2, left: 0.9, right: 0.435_889_9)
            score.mix(.rhythm, gain: 0.5, left: 0.2, right: 0.979_795_9)
            return score
        }
    }

    /// A busy pattern with one preset of each track, a kit, and all that a strip and the effects can do.
    private static func everySound(_ sound: Int) -> Score {
        var score = InvarianceTests.busyScore(seed: UInt64(20 + sound))
        let values: [(Parameter, Double)] = [
            (.reverb, -6), (.delay, -6), (.duck, 9), (.drift, 0.5), (.width, 0.5), (.filter, sound < 4 ? -0.3 : 0.2),
            (.resonance, 2), (.drive, 0.4), (.lfoDepth, 0.3), (.lfoTo, Double(sound % 3)), (.places, 1), (.sway, 1),
        ]
        for track in Track.allCases {
            for (parameter, value) in values { score.parameters[parameter, track.rawValue] = value }
            let parameter = track == .rhythm ? Parameter.kit : .preset
            score.parameters[parameter, track.rawValue] = Double(track == .rhythm ? sound % 5 : sound)
        }
        for (parameter, value) in [(Parameter.loud, 3.0), (.reverbEarly, 0.6), (.reverbLowCut, 200), (.delaySteps, 1)] {
            score.parameters[parameter] = value
        }
        return score
    }

    @Test(arguments: Case.allCases)
    func `a pattern sounds as it did`(golden: Case) throws {
        let file = Self.folder.appending(path: "\(golden.rawValue).txt")
        let sound = GoldenSound(OfflineDriver.playing(golden.score).record(seconds: golden.seconds))
        if Self.isBlessing {
            try sound.text.write(to: file, atomically: true, encoding: .utf8)
        }
        let wanted = try GoldenSound(text: String(contentsOf: file, encoding: .utf8))
        let difference = sound.difference(from: wanted)
        #expect(difference == nil, "\(golden.rawValue) changed: \(difference ?? "")")
    }

    @Test func `whatever changes a bit of the golden audio raises the engine's version`() throws {
        let file = Self.folder.appending(path: "version.txt")
        var hash = GoldenHash()
        for golden in Case.allCases {
            hash.add(OfflineDriver.playing(golden.score).record(seconds: golden.seconds))
        }
        for sound in 0..<8 { hash.add(OfflineDriver.playing(Self.everySound(sound)).record(seconds: 0.3)) }
        let text = "\(Engine.version) \(hash)\n"
        let wanted = try? String(contentsOf: file, encoding: .utf8)
        let isRaised = wanted?.hasPrefix("\(Engine.version) ") != true
        if Self.isBlessing, isRaised { return try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(text == wanted, "raise Engine.version, and bless the golden audio")
    }

    @Test func `a change of the sound is found and reported in dB`() throws {
        let score = Score.with([TestNote(track: .melody, note: 0, step: 0)])
        let sound = GoldenSound(OfflineDriver.playing(score).record(seconds: 0.1))
        #expect(try GoldenSound(text: sound.text).difference(from: sound) == nil)
        var louder = score
        louder.mix(.melody, gain: 1.1)
        let difference = GoldenSound(OfflineDriver.playing(louder).record(seconds: 0.1)).difference(from: sound)
        #expect(difference?.contains(/^0.8[234] dB/) == true, "\(difference ?? "none")")
        var faster = score
        faster.set(TestNote(track: .melody, note: 0, step: 0, velocity: .off))
        faster.set(TestNote(track: .melody, note: 1, step: 0))
        let pitch = GoldenSound(OfflineDriver.playing(faster).record(seconds: 0.1)).difference(from: sound)
        #expect(pitch?.contains("zero crossings") == true, "\(pitch ?? "none")")
    }
}
