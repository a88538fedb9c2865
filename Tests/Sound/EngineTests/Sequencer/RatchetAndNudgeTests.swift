import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// When notes with ratchets and nudges start, and how long they last, as seen at the MIDI output.
@Suite struct RatchetAndNudgeTests {
    private func score(_ cells: [TestNote], bpm: Double = 120, swing: Double = 0.5, length: Int = 16) -> Score {
        var score = Score.with(cells, bpm: bpm, swing: swing, length: length)
        for track in 0..<4 { score.parameters[.target, track] = 1 }
        return score
    }

    private func frames(_ cells: [TestNote], until end: Int = 48_000) -> [Int64] {
        OfflineDriver.playing(score(cells)).sentKeys(frames: end).ons.map(\.frame)
    }

    private func cell(_ values: [NoteValue: Int], step: Int = 4, track: Track = .bass, note: Int = 2) -> TestNote {
        TestNote(track: track, note: note, step: step, values: values)
    }

    // MARK: Times

    /// One random instrument: values of all kinds on all tracks, in a loop of any length; tracks with their own lengths
    /// and speeds.
    private func model(seed: UInt64) -> NoteModel {
        var random = SeededGenerator(seed: seed)
        let length = [8, 16, 17, 32].randomElement(using: &random)!
        var cells: [TestNote] = []
        var times: [Track: NoteModel.Time] = [:]
        for track in Track.allCases {
            if seed % 3 > 0, Bool.random(using: &random) {
                let ratios = [(1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (4, 3), (3, 2), (2, 1), (3, 1), (4, 1)]
                let (n, d) = ratios.randomElement(using: &random)!
                let own = Bool.random(using: &random) ? Int.random(in: 1...32, using: &random) : nil
                times[track] = NoteModel.Time(length: own, n: n, d: d)
            }
            for step in 0..<(times[track]?.length ?? length) where Bool.random(using: &random) {
                var cell = TestNote(track: track, note: Int.random(in: 0..<3, using: &random), step: step)
                for value in NoteValue.allCases where value != .level && Int.random(in: 0..<3, using: &random) == 0 {
                    cell.values[value] = Int.random(in: value.range, using: &random)
                }
                cells.append(cell)
            }
        }
        return NoteModel(
            cells: cells, bpm: [20, 83.7, 120, 174, 300].randomElement(using: &random)!,
            swing: [0.5, 0.58, 0.75].randomElement(using: &random)!, length: length, seed: seed,
            times: times,
            mutedDrums: seed % 4 == 1 ? Set(Drum.allCases.prefix(3).filter { _ in Bool.random(using: &random) }) : [])
    }

    @Test(arguments: 0..<36 as Range<UInt64>)
    func `every start of random instruments is within half a frame of the formula, whatever the period`(
        seed: UInt64
    ) {
        let model = model(seed: seed)
        var score = score(model.cells, bpm: model.bpm, swing: model.swing, length: model.length)
        score.parameters[.diceSeed] = Double(seed)
        score.mute(Array(model.mutedDrums))
        for (track, time) in model.times { score[playing: track.rawValue].time = SlotTime(time) }
        let end = Int(min(1_000_000, 72 * 48_000 * 15 / model.bpm))
        let keys = OfflineDriver.playing(score)
            .sentKeys(frames: end, periods: [[16], [64], [1000], [8192]][Int(seed % 4)])
        var expected = model.starts(until: Double(end))
        #expect(keys.faults.isEmpty && expected.count > 5)
        for on in keys.ons {
            let index = expected.firstIndex {
                $0.track.defaultChannel == on.channel && $0.track.midiPitch(of: $0.note) == on.key
                    && abs($0.time - Double(on.frame)) <= 0.5 + 1e-6
            }
            guard let index else { return #expect(Bool(false), "unexpected \(on)") }
            expected.remove(at: index)
        }
        // Only those that rounding moves to the first frame after the end.
        #expect(expected.allSatisfy { $0.time > Double(end) - 1 }, "missing \(expected.prefix(3))")
    }

    @Test func `ratchets divide the step evenly, and nudges move all of them`() {
        #expect(frames([cell([.ratchet: 3])]) == [24_000, 26_000, 28_000])
        #expect(frames([cell([.nudge: 25])]) == [25_500])
        #expect(frames([cell([.nudge: -50, .ratchet: 2])]) == [21_000, 24_000])
        #expect(frames([cell([.nudge: 50, .ratchet: 8])]) == Array(stride(from: 27_000, to: 33_000, by: 750)))
    }

    @Test func `parts shorter than 5 ms become fewer`() {
        let score = score([cell([.ratchet: 8], step: 0)], bpm: 300, length: 8)
        let ons = OfflineDriver.playing(score).sentKeys(frames: 19_000).ons
        #expect(ons.map(\.frame) == Array(stride(from: 0, to: 2400, by: 300)))
        // With that swing an odd step lasts 25 ms.
        for (ratchet, count) in [(8, 4), (6, 4), (5, 5), (4, 4), (3, 3)] {
            let score = self.score([cell([.ratchet: ratchet], step: 1)], bpm: 300, swing: 0.75, length: 8)
            let keys = OfflineDriver.playing(score).sentKeys(frames: 19_000)
            let starts = (0..<count).map { Int64(3600 + 1200 * $0 / count) }
            #expect(keys.ons.map(\.frame) == starts)
            let part = 1200 / Double(count)
            let end = 3600 + Int64((0.9 * part).rounded()) - Int64((0.27 * part).rounded())
            #expect(keys.offs[0].frame == end)
        }
    }

    @Test func `parts of exactly 5 ms fit in every pass`() {
        // With that swing an odd step lasts 40 ms.
        let score = score([cell([.ratchet: 8], step: 1)], bpm: 300, swing: 0.6, length: 8)
        let passes: Int64 = 200
        let keys = OfflineDriver.playing(score).sentKeys(frames: Int(passes) * 19_200)
        let parts = (0..<8).map { 2880 + 240 * Int64($0) }
        let expected = (0..<passes).flatMap { pass in parts.map { 19_200 * pass + $0 } }
        #expect(keys.ons.map(\.frame) == expected)
    }

    @Test func `of two starts of a note on the same frame the later step's is heard`() {
        var early = cell([.nudge: 50, .ratchet: 2], step: 4)
        early.velocity = .normal
        let keys = OfflineDriver.playing(score([early, cell([:], step: 5)])).sentKeys(frames: 48_000)
        #expect(keys.ons.map(\.frame) == [27_000, 30_000] && keys.ons.map(\.velocity) == [64, 96])
        #expect(keys.faults.isEmpty)
    }

    @Test(arguments: Speed.allCases, [0, 1])
    func `at every speed, too, the later step's is heard on every such frame`(speed: Speed, first: Int) {
        let pairs: [(early: [NoteValue: Int], late: [NoteValue: Int], soft: Int, hard: Int)] = [
            ([.nudge: 50, .ratchet: 2], [:], 1, 1), ([.nudge: 25, .ratchet: 6], [.nudge: -25, .ratchet: 3], 4, 3),
        ]
        let (steps, sixteenths) = speed.ratio
        for pair in pairs {
            let places = Array(stride(from: first, to: 15, by: 2))
            var cells = places.map { cell(pair.late, step: $0 + 1) }
            for step in places {
                cells.append(cell(pair.early, step: step))
                cells[cells.count - 1].velocity = .normal
            }
            var score = score(cells)
            score[playing: Track.bass.rawValue].time.speed = speed
            // Two passes.
            let keys = OfflineDriver.playing(score).sentKeys(frames: 32 * 6000 * sixteenths / steps)
            #expect(Set(keys.ons.map(\.frame)).count == keys.ons.count && keys.faults.isEmpty)
            #expect(keys.ons.filter { $0.velocity == 64 }.count == 2 * places.count * pair.soft)
            #expect(keys.ons.filter { $0.velocity == 96 }.count == 2 * places.count * pair.hard)
        }
    }

    // MARK: Lengths

    @Test func `each start lasts for nine tenths of its part, the last for the rest of the note`() {
        let cells =
            [cell([.ratchet: 4])] + (5..<8).map { TestNote(track: .bass, note: 2, step: $0, velocity: .sustain) }
        let keys = OfflineDriver.playing(score(cells)).sentKeys(frames: 72_000)
        func off(_ start: Int, _ seconds: Double) -> Int64 {
            let length = (seconds * 48_000).rounded()
            return Int64(start) + Int64(length) - Int64((min(0.3 * seconds, 0.15) * 48_000).rounded())
        }
        let part = 0.125 / 4
        let expected =
            (0..<3).map { off(24_000 + 1500 * $0, 0.9 * part) } + [off(28_500, 0.95 * 4 * 0.125 - 3 * part)]
        #expect(keys.offs.map(\.frame) == expected)
    }

    @Test func `the last of a short note's starts lasts for at least nine tenths of its part`() {
        let keys = OfflineDriver.playing(score([cell([.ratchet: 2], track: .rhythm)])).sentKeys(frames: 48_000)
        #expect(keys.ons.map(\.frame) == [24_000, 27_000])
        #expect(keys.offs.map(\.frame) == [26_700, 29_700])
    }

    @Test func `a level applies to all starts`() {
        let keys = OfflineDriver.playing(score([cell([.ratchet: 3, .level: -12])])).sentKeys(frames: 48_000)
        #expect(keys.ons.map(\.velocity) == [48, 48, 48])
    }

    // MARK: What drops them

    @Test func `early notes of the step with which the music begins sound with it, and late ones that are past do not`()
    {
        #expect(frames([cell([.nudge: -40], step: 0)], until: 24_000) == [0])
        #expect(frames([cell([.nudge: -40, .ratchet: 4], step: 0)], until: 24_000) == [0, 600, 2100])
        let driver = OfflineDriver.playing(score([cell([.nudge: -40], step: 4), cell([.nudge: 40], step: 3)]))
        driver.schedule(.command(.locate(step: 4)), at: 9000)
        #expect(driver.sentKeys(frames: 20_000).ons.map(\.frame) == [9000])
    }

    @Test(arguments: [64, 8192])
    func `an early note is reported when it starts, and not with its step`(period: Int) {
        let cells = [cell([.nudge: -50, .ratchet: 2]), cell([.nudge: 25], note: 5), cell([.nudge: -25], step: 0)]
        let driver = OfflineDriver.playing(score(cells))
        _ = driver.record(frames: 93_000, periods: [period])
        let bass = Track.bass.rawValue
        var (early, started): ([Int64], [Int64]) = ([], [])
        for notice in driver.fetchNotices() {
            switch notice {
            case .earlyNote(let note):
                #expect(Int(note.track) == bass && note.step == 4 && note.part == 0.5)
                #expect(note.notes.stepNotes == StepNotes([2], .accent))
                early.append(note.frame)
            case .step(let step) where !step.notes[bass].stepNotes.isEmpty:
                #expect(step.notes[bass].stepNotes == StepNotes(step.step == 0 ? [2] : [5], .accent))
                started.append(step.frame)
            default: break
            }
        }
        // The first step of all starts its early notes itself.
        #expect(early == [21_000] && started == [0, 24_000])
    }

    @Test func `an early note of the first step belongs to the next pass and not the current one`() {
        let second = NoteValue.cycle.number(of: "2:2")!
        let cells = [cell([.nudge: -50, .cycle: second], step: 0)]
        #expect(frames(cells, until: 400_000) == [93_000, 285_000])
    }

    @Test(arguments: [RtCommand.stop, .pause, .finish, .locate(step: 12)])
    func `planned starts are dropped when the music ends, stops or jumps`(command: RtCommand) {
        let driver = OfflineDriver.playing(score([cell([.ratchet: 8], step: 2), cell([.nudge: 50], step: 2, note: 5)]))
        driver.schedule(.command(command), at: 13_000)
        let keys = driver.sentKeys(frames: 30_000)
        #expect(keys.ons.map(\.frame) == [12_000, 12_750] && keys.down.isEmpty)
    }

    @Test func `planned starts are dropped when their note is erased or its track muted`() {
        let cells = [cell([.ratchet: 8], step: 2), cell([.nudge: 50], step: 2, note: 5)]
        let driver = OfflineDriver.playing(score(cells))
        driver.schedule(.score(score([cells[1]])), at: 13_000)
        #expect(driver.sentKeys(frames: 30_000).ons.map(\.frame) == [12_000, 12_750, 15_000])
        let muted = OfflineDriver.playing(score(cells))
        var silent = score(cells)
        silent.isSilent[Track.bass.rawValue] = true
        muted.schedule(.score(silent), at: 13_000)
        muted.schedule(.score(score(cells)), at: 13_100)
        #expect(muted.sentKeys(frames: 30_000).ons.map(\.frame) == [12_000, 12_750])
    }

    @Test func `no early start precedes a step with which another slot begins, whose own early notes sound with it`() {
        let old = score([cell([.nudge: -50], step: 0), cell([.nudge: -50], step: 0, track: .melody)])
        var launching = old
        launching.setNotes(score([cell([.nudge: -25, .ratchet: 2], step: 0, note: 7)]).notes, slot: 3)
        launching.launches[2].queue(TrackLaunches([3]), number: 1)
        let driver = OfflineDriver.playing(old)
        driver.schedule(.score(launching), at: 60_000)
        let ons = driver.sentKeys(frames: 120_000).ons
        #expect(ons.filter { $0.channel == 3 }.map(\.frame) == [0, 96_000, 97_500])
        #expect(ons.filter { $0.channel == 1 }.map(\.frame) == [0, 93_000])
    }

    @Test func `a nudge that changes moves planned starts, and lets nothing sound twice`() {
        let driver = OfflineDriver.playing(score([cell([.nudge: -50])]))
        driver.schedule(.score(score([cell([.nudge: -25])])), at: 20_000)
        #expect(driver.sentKeys(frames: 48_000).ons.map(\.frame) == [22_500])
        let late = OfflineDriver.playing(score([cell([.nudge: -50])]))
        late.schedule(.score(score([cell([.nudge: 10])])), at: 21_500)
        #expect(late.sentKeys(frames: 48_000).ons.map(\.frame) == [21_000])
    }

    @Test func `a score leaves a roll alone while the next step's early note has begun`() {
        // The other one begins on 27780.
        let roll = score([cell([.ratchet: 8]), cell([.nudge: -37], step: 5)])
        let driver = OfflineDriver.playing(roll)
        driver.schedule(.score(roll), at: 28_200)
        let expected: [Int64] = (stride(from: 24_000, to: 30_000, by: 750) + [27_780]).sorted()
        #expect(driver.sentKeys(frames: 40_000).ons.map(\.frame) == expected)
    }

    @Test func `what a mute drops of a roll and of the next step's early note does not come back`() {
        let roll = score([cell([.ratchet: 8]), cell([.nudge: -37], step: 5)])
        var silent = roll
        silent.isSilent[Track.bass.rawValue] = true
        let driver = OfflineDriver.playing(roll)
        driver.schedule(.score(silent), at: 27_760)
        driver.schedule(.score(roll), at: 27_770)
        #expect(driver.sentKeys(frames: 40_000).ons.map(\.frame) == Array(stride(from: 24_000, to: 28_000, by: 750)))
    }

    @Test func `a late note that is written during its own step is heard if its time is yet to come`() {
        let driver = OfflineDriver.playing(score([]))
        driver.schedule(
            .score(score([cell([.nudge: 50]), cell([.nudge: 10], note: 5), cell([:], note: 6)])), at: 25_000)
        #expect(driver.sentKeys(frames: 48_000).ons.map(\.frame) == [27_000])
    }

    // MARK: Anything

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `whatever changes while everything ratchets, each key that is pressed is released, in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let driver = OfflineDriver.playing(score(model(seed: seed).cells, bpm: 300, length: 8))
        for frame in stride(from: 500, to: 200_000, by: 1777) {
            var model = model(seed: random.next() % 1000)
            model.bpm = max(120, model.bpm)
            var next = score(model.cells, bpm: model.bpm, swing: model.swing, length: model.length)
            next.isFilling = Bool.random(using: &random)
            next.isSilent[Int.random(in: 0..<4, using: &random)] = Bool.random(using: &random)
            if Bool.random(using: &random) { driver.schedule(.score(next), at: Int64(frame)) }
            let command: RtCommand? =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: .stop
                case 1: .pause
                case 2: .locate(step: Int32.random(in: 0..<8, using: &random))
                case 3...6: .play
                default: nil
                }
            if let command { driver.schedule(.command(command), at: Int64(frame) + 9) }
        }
        driver.schedule(.command(.stop), at: 230_000)
        let keys = driver.sentKeys(frames: 260_000, periods: [64, 1000, 16])
        #expect(keys.faults.isEmpty && keys.down.isEmpty && keys.ons.count > 30)
    }
}

extension SlotTime {
    fileprivate init(_ time: NoteModel.Time) {
        self.init()
        length = Int32(time.length ?? 0)
        speed = Speed(name: time.d == 1 ? "\(time.n)" : "\(time.n)/\(time.d)")!
    }
}
