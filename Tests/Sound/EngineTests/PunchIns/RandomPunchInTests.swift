import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Whatever holders of punch-ins do, afterwards it is as if they had done nothing.
@Suite struct RandomPunchInTests {
    /// Two engines that play the same; punch-ins are held in one of them.
    private struct Pair {
        let drivers: [OfflineDriver]
        private var random: SeededGenerator
        private var score: Score
        private var punchIns = PunchIns()
        private(set) var changeCount = 0
        /// Frames that were compared.
        private(set) var comparedCount = 0
        private(set) var faults: [String] = []
        /// How often the sound differed while something was held.
        private(set) var changedCount = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            score = InvarianceTests.busyScore(seed: seed, bpm: [60, 97.3, 120, 240].randomElement(using: &random)!)
            drivers = [OfflineDriver(score), OfflineDriver(score)]
        }

        /// Something that happens in both engines.
        mutating func act() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: send(.play)
            case 3: send([.stop, .pause].randomElement(using: &random)!)
            case 4: send(.locate(step: .random(in: 0..<32, using: &random)))
            case 5, 6:
                let notes = UInt16.random(in: 1..<4096, using: &random) & .random(in: 1..<4096, using: &random)
                send(.audition(track: .random(in: 0..<4, using: &random), notes: notes, velocity: 2))
            case 7: change { $0.isSilent[.random(in: 0..<4, using: &$1)] = .random(using: &$1) }
            case 8:
                change {
                    $0.notes =
                        Bool.random(using: &$1) ? InvarianceTests.busyScore(seed: $1.next()).notes : Score().notes
                }
            default: changeParameter()
            }
        }

        private mutating func send(_ command: RtCommand) { for driver in drivers { _ = driver.send(command) } }

        private mutating func change(_ body: (inout Score, inout SeededGenerator) -> Void) {
            body(&score, &random)
            for driver in drivers { driver.engine.publish(score) }
        }

        private mutating func changeParameter() {
            change { score, random in
                let track = Int.random(in: 0..<4, using: &random)
                let choices: [(Parameter, ClosedRange<Double>)] = [
                    (.gain, -20...0), (.reverb, -30...0), (.delay, -30...0), (.pan, -1...1), (.duck, 0...12),
                    (.width, 0...1), (.filter, -1...1), (.drive, 0...1),
                ]
                let (parameter, range) = choices.randomElement(using: &random)!
                score.parameters[parameter, track] =
                    Bool.random(using: &random) ? .random(in: range, using: &random) : 0
                score.parameters[.places, 3] = Double(Int.random(in: 0...1, using: &random))
                score.parameters[.lfoDepth, track] = Int.random(in: 0..<4, using: &random) == 0 ? 0.5 : 0
            }
        }

        /// Holders begin, move and end, in the second engine alone.
        mutating func touch(_ count: Int) {
            for _ in 0..<count {
                let effect = PunchEffect.allCases.randomElement(using: &random)!
                if Int.random(in: 0..<4, using: &random) == 0 {
                    punchIns.letGo(effect)
                } else {
                    let isNew = Int.random(in: 0..<3, using: &random) == 0 || !punchIns[effect].isHeld
                    let number = punchIns[effect].number + (isNew ? 1 : 0)
                    let tracks = Bool.random(using: &random) ? Track.allCases : [.rhythm]
                    punchIns.hold(effect, .random(in: 0...1, using: &random), number: number, on: tracks)
                }
                drivers[1].engine.publish(punchIns)
                changeCount += 1
                let outputs = render(.random(in: 1...24, using: &random))
                if outputs[0] != outputs[1] { changedCount += 1 }
            }
        }

        /// All holders vanish.
        mutating func letGo() {
            punchIns.letGoAll()
            drivers[1].engine.publish(punchIns)
            _ = render(240)
        }

        /// Renders in both, and expects the same.
        mutating func compare(frames: Int) {
            let frame = drivers[0].frame
            let outputs = render(frames)
            comparedCount += frames
            if outputs[0] == outputs[1] { return }
            let first = outputs[0].indices.first { outputs[0][$0] != outputs[1][$0] }!
            faults.append("\(outputs[0][first].port) after frame \(frame)")
        }

        private struct Output: Equatable {
            var port: String
            var samples: Data
        }

        /// What the tracks' ports get.
        private mutating func render(_ frames: Int) -> [[Output]] {
            let periods = [16, 64, 37, 256].shuffled(using: &random)
            return drivers.map { driver in
                var outputs: [Output] = []
                driver.render(frames: frames, periods: periods) { period in
                    for track in Track.allCases {
                        outputs.append(Output(port: track.name, samples: Data(buffer: period[.track(track)])))
                    }
                }
                return outputs
            }
        }

        /// Whether both are silent soon after a stop, and then play all ports the same.
        mutating func playsTheSame() -> Bool {
            send(.stop)
            change { score, _ in
                score.parameters[.reverbTime] = 0.3
                score.parameters[.delayFeedback] = 0.2
                score.isSilent = PerTrack(repeating: false)
                score.notes = InvarianceTests.busyScore(seed: 1).notes
            }
            for _ in 0..<100 where !drivers.allSatisfy(\.engine.isSilent) {
                for driver in drivers { driver.render(frames: 4800) { _ in } }
            }
            send(.play)
            let recordings = drivers.map { $0.record(frames: 12_000, periods: [64]) }
            return EnginePort.audio.allSatisfy { recordings[0][$0] == recordings[1][$0] }
                && recordings[0][.mainLeft].peak > 0.01
        }
    }

    /// All seeds together change something 100 000 times.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `5 ms after the last finger the tracks' ports are as without, to the bit`(seed: UInt64) {
        var pair = Pair(seed: seed)
        for turn in 0..<125 {
            pair.act()
            pair.touch(40)
            if turn % 3 == 0 { pair.act() }
            pair.letGo()
            pair.compare(frames: 300)
            // Longer than any part rings on, so that all may rest.
            if turn % 25 == 0 { pair.compare(frames: 20_000) }
        }
        #expect(pair.faults == [])
        #expect(pair.changeCount == 5000 && pair.changedCount > 300)
        let isSameAtTheEnd = pair.playsTheSame()
        #expect(isSameAtTheEnd)
    }
}
