import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// A cycle may be mixed on one thread, and finished on another while the next ones are mixed.
@Suite struct UnfinishedMixTests {
    private static let frameCount = 90_000

    /// Random music, in which everything changes.
    private struct Performance {
        private var random: SeededGenerator
        private(set) var score = Score()
        private(set) var changes: [(frame: Int64, change: OfflineDriver.Change)] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            for track in 0..<4 {
                for step in 0..<SlotNotes.stepCount where step % 2 == 0 { write(track, step) }
                mix(track)
            }
            changes.append((0, .command(.play)))
            var frame: Int64 = 0
            while frame < Int64(frameCount) {
                frame += .random(in: 1...6000, using: &random)
                changes.append((frame, change()))
            }
            changes.append((frame, .command(.finish)))
        }

        private mutating func change() -> OfflineDriver.Change {
            let track = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: return .command(.locate(step: .random(in: 0..<32, using: &random)))
            case 1: return .command([RtCommand.stop, .pause, .play, .finish].randomElement(using: &random)!)
            case 2, 3:
                let notes = UInt16.random(in: 0..<4096, using: &random)
                return .command(.audition(track: Int32(track), notes: notes, velocity: 2))
            case 4: score.isSilent[track].toggle()
            case 5: score.parameters[.tempo] = .random(in: 60...300, using: &random)
            case 6: score[playing: track].motions = TrackMotions(.random(using: &random), length: 32)
            case 7: mix(track)
            default: write(track, .random(in: 0..<SlotNotes.stepCount, using: &random))
            }
            return .score(score)
        }

        private mutating func write(_ track: Int, _ step: Int) {
            for note in 0..<Track.noteCount where Int.random(in: 0..<5, using: &random) == 0 {
                score.notes[track][step][whole: note] = .random(using: &random)
            }
        }

        private mutating func mix(_ track: Int) {
            for parameter in Parameter.of(Track.allCases[track]) {
                guard case .number(let range, _, _, _) = parameter.row.kind() else { continue }
                score.parameters[parameter, track] = .random(in: range, using: &random)
            }
            let sound = track == Track.rhythm.rawValue ? Parameter.kit : .preset
            score.parameters[sound, track] = Double(Int.random(in: 0..<5, using: &random))
        }

        func driver() -> OfflineDriver {
            let driver = OfflineDriver(score)
            for (frame, change) in changes { driver.schedule(change, at: frame) }
            return driver
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `cycles that are finished after the next ones were mixed have the same bits as those rendered at once`(
        seed: UInt64
    ) {
        let performance = Performance(seed: seed)
        var random = SeededGenerator(seed: seed)
        let periods = (0..<16).map { _ in Int.random(in: 1...2048, using: &random) }
        let whole = performance.driver().record(frames: Self.frameCount, periods: periods)

        let driver = performance.driver()
        var (free, waiting) = ((0..<5).map { _ in UnfinishedPeriod() }, [UnfinishedPeriod]())
        var finished = EnginePort.audio.map { _ in [Float]() }
        func finishFirst() {
            let unfinished = waiting.removeFirst()
            let period = unfinished.finish(by: driver.engine).period
            for port in EnginePort.audio { finished[port.index] += period[port] }
            free.append(unfinished)
        }
        func fetchFree() -> UnfinishedPeriod { free.removeLast() }
        driver.renderTracks(frames: Self.frameCount, into: fetchFree) { period in
            waiting.append(period)
            while waiting.count > Int.random(in: 0..<5, using: &random) { finishFirst() }
        }
        while !waiting.isEmpty { finishFirst() }
        #expect(whole[.mainLeft].peak > 0)
        for port in EnginePort.audio {
            let isTheSame = finished[port.index].elementsEqual(whole[port]) { $0.bitPattern == $1.bitPattern }
            #expect(isTheSame, "\(port)")
        }
    }
}
