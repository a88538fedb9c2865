import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Tracks with their own lengths and speeds, whatever is changed while they play, checked against the formula.
/// `PIXELBOOP_ROUNDS` sets the number of rounds; about one in eight begins with a change.
@Suite struct TrackTimeTests {
    private static let rounds = ProcessInfo.processInfo.environment["PIXELBOOP_ROUNDS"].flatMap { Int($0) } ?? 3000

    /// A slot's own time, computed in integers from the specification.
    struct Time {
        var length: Int
        var n = 1
        var d = 1

        /// The formula: the greatest count whose sixteenth has come, with the whole pattern beginning at `origin`.
        func count(_ songStep: Int, _ part: (Int, Int) = (0, 1), origin: Int, whole: Int) -> Int {
            let start = length == 0 ? origin : 0
            let (over, under) = (((songStep - start) * part.1 + part.0) * n, d * part.1)
            return over >= 0 ? over / under : -((-over + under - 1) / under)
        }

        func step(_ count: Int, whole: Int) -> Int {
            let length = length == 0 ? whole : length
            return (count % length + length) % length
        }

        var slot: SlotTime {
            var slot = SlotTime()
            slot.length = Int32(length)
            slot.speed = Speed(name: d == 1 ? "\(n)" : "\(n)/\(d)")!
            return slot
        }

        static func random(using random: inout SeededGenerator) -> Time {
            let ratios = [(1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (4, 3), (3, 2), (2, 1), (3, 1), (4, 1)]
            let (n, d) = ratios.randomElement(using: &random)!
            return Time(length: Bool.random(using: &random) ? 0 : Int.random(in: 1...32, using: &random), n: n, d: d)
        }
    }

    /// A step's notes encode its number: note 11, and one for each bit.
    private func marked() -> Score {
        var cells: [TestNote] = []
        for track in Track.allCases {
            for step in 0..<32 {
                for note in [11] + (0..<5).filter({ step >> $0 & 1 == 1 }) {
                    cells.append(TestNote(track: track, note: note, step: step))
                }
            }
        }
        var score = Score.with(cells)
        for track in 0..<4 { score.parameters[.target, track] = 1 }
        return score
    }

    private func step(of notes: StartedNotes) -> Int? {
        let notes = notes.stepNotes.notes
        return notes.contains(11) ? (0..<5).reduce(0) { notes.contains($1) ? $0 | 1 << $1 : $0 } : nil
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `whatever is edited, launched or located, tracks' steps follow the formula, and none is doubled or missing`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var score = marked()
        var times = [Time](repeating: Time(length: 0), count: 4)
        var launched = times
        var whole = 32
        let driver = OfflineDriver(Engine(score: score), sampleRate: 8000)
        driver.schedule(.command(.play), at: 0)
        /// The sixteenth in progress, nil after a change, and the steps that each track began within it, nil after a launch.
        var sixteenth: (number: Int, origin: Int)?
        var between = [[Int]?](repeating: [], count: 4)
        var (started, launches) = (0, Int64(0))

        for _ in 0..<Self.rounds {
            var isChanged = true
            switch Int.random(in: 0..<60, using: &random) {
            case 0: score.parameters[.tempo] = Double(Int.random(in: 20...300, using: &random))
            case 1: score.parameters[.swing] = Double.random(in: 0.5...0.75, using: &random)
            case 2:
                whole = Int.random(in: 8...32, using: &random)
                score.parameters[.length] = Double(whole)
            case 3, 4:
                let track = Int.random(in: 0..<4, using: &random)
                times[track] = .random(using: &random)
                score[playing: track].time = times[track].slot
            case 5:
                let track = Int.random(in: 0..<4, using: &random)
                launches += 1
                launched[track] = .random(using: &random)
                let other = Int(1 - score.launches[track].playing)
                score[Slot(Track.allCases[track], other)] = score[playing: track]
                score[Slot(Track.allCases[track], other)].time = launched[track].slot
                score.launches[track].queue(TrackLaunches([other]), number: launches)
                score.parameters[.launchQuantum] = Double(Int.random(in: 0..<4, using: &random))
            case 6: _ = driver.send(.locate(step: Int32.random(in: 0..<Int32(whole), using: &random)))
            case 7: _ = driver.send([.play, .pause, .stop, .play].randomElement(using: &random)!)
            default: isChanged = false
            }
            if isChanged {
                driver.engine.publish(score)
                sixteenth = nil
            }
            driver.render(frames: Int.random(in: 16...1500, using: &random), periods: [1500]) { _ in }
            for notice in driver.fetchNotices() {
                switch notice {
                case .launch(let track, let launch):
                    let track = Int(track)
                    times[track] = launched[track]
                    score.launches[track].known = launch.number
                    score.launches[track].cancel()
                    score.launches[track].playing = launch.slot
                    between[track] = nil
                case .step(let step):
                    let (notes, songStep) = (step.notes, step.songStep)
                    let (number, origin) = (Int(songStep.number), Int(songStep.origin))
                    for track in 0..<4 {
                        let time = times[track]
                        let count = time.count(number, origin: origin, whole: whole)
                        let starts = count > time.count(number, (-1, 1_000_000), origin: origin, whole: whole)
                        let expected = starts ? time.step(count, whole: whole) : nil
                        #expect(self.step(of: notes[track]) == expected, "seed \(seed), track \(track), step \(number)")
                        started += starts ? 1 : 0
                    }
                    if let last = sixteenth, last.number + 1 == number, last.origin == origin {
                        for (track, steps) in between.enumerated() {
                            guard let steps else { continue }
                            let time = times[track]
                            let first = time.count(last.number, origin: origin, whole: whole)
                            let end = time.count(number, (-1, 1_000_000), origin: origin, whole: whole)
                            let all = first < end ? (first + 1...end).map { time.step($0, whole: whole) } : []
                            #expect(steps == all, "seed \(seed), track \(track), step \(number)")
                        }
                    }
                    sixteenth = (number, origin)
                    between = [[], [], [], []]
                case .trackStep(let step):
                    #expect(self.step(of: step.notes) == Int(step.step), "seed \(seed)")
                    between[Int(step.track)]?.append(Int(step.step))
                    started += 1
                case .earlyNote: #expect(Bool(false), "nothing is nudged")
                default: sixteenth = nil
                }
            }
        }
        #expect(started > 1000)
    }
}
