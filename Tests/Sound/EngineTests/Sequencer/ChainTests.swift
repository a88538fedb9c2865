import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Chains, whose links the process callback launches one after the other, whoever else listens.
@Suite struct ChainTests {
    private static let rate = 8000.0
    /// Frames of a loop of 8 steps at 300 BPM.
    private static let loop: Int64 = 3200
    /// The scenes of the chain.
    private static let chain = [2, 4, 4, 7]

    /// Slots with notes, motions and speeds of their own.
    private let pattern: Pattern

    init() {
        var random = SeededGenerator(seed: 11)
        var pattern = Pattern()
        pattern.length = 8
        pattern.parameters.set(.tempo, to: .number(300))
        for slot in Slot.all {
            for step in 0..<8 {
                pattern[slot][step][whole: Int.random(in: 0..<12, using: &random)] = .random(using: &random)
            }
            pattern[slot].motions = .random(using: &random)
        }
        for track in Track.allCases { pattern[Slot(track, 4)].speed = .double }
        pattern[Slot(.bass, 7)].length = 5
        self.pattern = pattern
    }

    /// The score of somebody who knows of so many launches.
    private func score(knowing count: Int, isChain: Bool = true, of pattern: Pattern? = nil) -> Score {
        var pattern = pattern ?? self.pattern
        if count > 0 { pattern.playing = PlayingSlots(scene: Self.chain[(count - 1) % 4]) }
        var score = Score(Document(pattern: pattern))
        var launches = TrackLaunches(Self.chain)
        launches.advance(by: Int64(count))
        if !isChain { launches = TrackLaunches([Self.chain[count % 4]]) }
        for track in 0..<4 {
            score.launches[track].known = Int64(count)
            score.launches[track].queue(launches, number: Int64(count + 1))
        }
        return score
    }

    /// A driver that plays the first scene, and gets scores on some frames.
    private func driver(_ scores: [(frame: Int64, score: Score)]) -> OfflineDriver {
        let driver = OfflineDriver.playing(Score(Document(pattern: pattern)), sampleRate: Self.rate)
        for (frame, score) in scores { driver.schedule(.score(score), at: frame) }
        return driver
    }

    private struct Result: Equatable {
        var tracks: [[Float]]
        var launches: [String]
    }

    /// Ten loops.
    private func render(_ scores: [(frame: Int64, score: Score)], periods: [Int] = [64]) -> Result {
        let driver = driver(scores)
        let recording = driver.record(frames: 10 * Int(Self.loop), periods: periods)
        return Result(tracks: Track.allCases.map { recording[.track($0)] }, launches: driver.launches())
    }

    @Test(arguments: [[64], [1000], [8192], [64, 17, 1000, 3, 256]])
    func `without anybody listening each link plays a loop, as if it were launched by itself`(periods: [Int]) {
        let result = render([(100, score(knowing: 0))], periods: periods)
        let expected = (0..<9).flatMap { link in
            (0..<4).map { "\($0) \(Self.chain[link % 4]) \(link + 1) \(Self.loop * Int64(link + 1))" }
        }
        #expect(result.launches == expected)
        // By itself: each is queued while the one before it plays.
        let single = (0..<9).map { (frame: Int64($0) * Self.loop + 1333, score: score(knowing: $0, isChain: false)) }
        #expect(result == render(single))
        #expect(result.tracks.allSatisfy { $0.peak > 0.01 })
    }

    @Test func `scores by somebody who knows of some of the launches, or of none, change nothing`() {
        let late = [(0, 3), (0, 4), (2, 4), (5, 5), (1, 7), (8, 8)].map { known, loop in
            (frame: Int64(loop) * Self.loop + 777, score: score(knowing: known))
        }
        let undisturbed = render([(100, score(knowing: 0))])
        #expect(render([(frame: 100, score: score(knowing: 0))] + late) == undisturbed)
    }

    @Test func `a chain ends with a score without it, and what it has come to stays`() throws {
        let driver = driver([(100, score(knowing: 0)), (7500, Score(Document(pattern: pattern)))])
        driver.render(frames: 20_000) { _ in }
        let expected = [(1, 2), (2, 4)].flatMap { number, slot in
            (0..<4).map { "\($0) \(slot) \(number) \(number * 3200)" }
        }
        #expect(driver.launches() == expected)
        // What the notices say is in the report as well.
        let report = try #require(driver.engine.fetchReport())
        for track in 0..<4 {
            let launch = report.launches[track]
            #expect((launch.number, launch.slot, launch.frame, launch.usecs) == (2, 4, 6400, 6400 * 125))
        }
    }

    @Test func `an edit of a link that is still to come is heard with it`() {
        let driver = driver([(100, score(knowing: 0))])
        driver.render(frames: 10_000) { _ in }
        var edited = pattern
        edited[Slot(.bass, 7)] = SlotNotes()
        edited[Slot(.bass, 7)][5] = StepNotes([3], .normal)
        driver.engine.publish(score(knowing: 0, of: edited))
        _ = driver.fetchNotices()
        driver.render(frames: 6000) { _ in }
        // The fourth link begins with the fourth loop.
        let heard = driver.fetchNotices().flatMap { notice -> [Int] in
            guard case .step(let step) = notice, step.frame >= 4 * Self.loop else { return [] }
            return step.notes[Track.bass.rawValue].stepNotes.isEmpty ? [] : [Int(step.step)]
        }
        #expect(heard == [5])
    }
}

extension OfflineDriver {
    /// The launches among the notices that wait: track, slot, number and frame.
    fileprivate func launches() -> [String] {
        fetchNotices().compactMap { notice in
            guard case .launch(let track, let launch) = notice else { return nil }
            return "\(track) \(launch.slot) \(launch.number) \(launch.frame)"
        }
    }
}
