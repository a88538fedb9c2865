import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Stems: each track as it goes into the mix.
@Suite struct StemTests {
    private static let frameCount = 24_000

    /// A quiet score, which the clipper does not change, with pans, sends, mutes and motions.
    private static var score: Score {
        var score = InvarianceTests.busyScore(seed: 5)
        for track in Track.allCases {
            score.parameters[.gain, track.rawValue] = -18
            score.parameters[.pan, track.rawValue] = Double(track.rawValue) / 2 - 0.75
            score.parameters[.reverb, track.rawValue] = -12
            score.parameters[.delay, track.rawValue] = -12
        }
        score.isSilent[Track.chords.rawValue] = true
        score.move((.bass, .pan, [0: -1, 9: 1]))
        return score
    }

    /// The samples of all outputs, stems included.
    private func record(hasStems: Bool) throws -> [EnginePort: [Float]] {
        let driver = try OfflineDriver(engine: Engine(score: Self.score), sampleRate: 48_000, hasStems: hasStems)
        driver.schedule(.command(.play), at: 0)
        var outputs: [EnginePort: [Float]] = [:]
        driver.render(frames: Self.frameCount, periods: [64, 1000, 17]) { period in
            for port in EnginePort.audio + (hasStems ? EnginePort.stems : []) {
                outputs[port, default: []] += period[port]
            }
        }
        return outputs
    }

    @Test func `stems and returns add up to the mix, and binding them changes nothing else`() throws {
        let outputs = try record(hasStems: true)
        for (port, samples) in try record(hasStems: false) {
            let isTheSame = outputs[port]! == samples
            #expect(isTheSame, "\(port.name)")
        }
        for side in 0..<2 {
            let parts = Track.allCases.map { EnginePort.stem($0)[side] } + [EnginePort.reverb[side], .delay[side]]
            let main = outputs[[.mainLeft, .mainRight][side]]!
            let sums = (0..<Self.frameCount).map { frame in parts.reduce(Float(0)) { $0 + outputs[$1]![frame] } }
            #expect((0.01...0.7).contains(main.peak))
            let isTheSame = sums == main
            #expect(isTheSame)
        }
    }

    @Test func `a stem is the track's port behind its pan`() throws {
        let outputs = try record(hasStems: true)
        for track in [Track.melody, .rhythm] {
            let angle = (Self.score.parameters[.pan, track.rawValue] + 1) * .pi / 4
            for (port, gain) in zip(EnginePort.stem(track), [cos(angle), sin(angle)]) {
                #expect(outputs[port]!.peak > 0.001)
                let isTheSame = zip(outputs[port]!, outputs[.track(track)]!).allSatisfy {
                    abs(Double($0) - gain * Double($1)) < 1e-6
                }
                #expect(isTheSame, "\(port.name)")
            }
        }
        #expect(outputs[EnginePort.stem(.chords)[0]]!.peak == 0)
    }

    @Test func `stems are not among the ports that every driver has`() {
        #expect(EnginePort.stems.map(\.name).starts(with: ["melody_L", "melody_R", "chords_L", "chords_R"]))
        #expect(Set(EnginePort.all).isDisjoint(with: EnginePort.stems))
        #expect(Set((EnginePort.all + EnginePort.stems).map(\.name)).count == EnginePort.all.count + 8)
        #expect((EnginePort.all + EnginePort.stems).map(\.index) == Array(0..<EnginePort.all.count + 8))
    }
}
