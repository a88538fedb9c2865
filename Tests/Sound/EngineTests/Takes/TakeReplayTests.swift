import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// Whatever was played is recorded, and sounds the same to the bit when it is replayed.
@Suite struct TakeReplayTests {
    private static let seeds = 1...(isLongRun ? 300 : 16) as ClosedRange<UInt64>

    @Test(arguments: seeds)
    func `each take of a random session is replayed as it was rendered`(seed: UInt64) throws {
        let studio = TakeStudio(seed: seed)
        if seed.isMultiple(of: 2) { studio.listen() }
        for _ in 0..<3 {
            for _ in 0..<Int.random(in: 1...14, using: &studio.session.random) {
                studio.act()
                studio.render(.random(in: 1...12_000, using: &studio.session.random))
            }
            guard studio.fallSilent() else { continue }
            studio.render(.random(in: 20...40, using: &studio.session.random) * 48_000)
        }
        studio.finish()
        #expect(studio.takes.allSatisfy { $0.ending?.exactFrameCount == nil })
        for take in studio.takes {
            let difference = try studio.difference(ofReplay: take)
            #expect(difference == nil, "take at \(take.beginning.frame): \(difference ?? "")")
        }
    }

    @Test func `sessions have several takes, with and without play, which cover what sounds`() {
        var (count, withPlay, loud, covered) = (0, 0, 0, 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            let studio = TakeStudio(seed: 100 + seed)
            for _ in 0..<3 {
                for _ in 0..<8 {
                    studio.act()
                    studio.render(.random(in: 1...12_000, using: &studio.session.random))
                }
                if studio.fallSilent() { studio.render(31 * 48_000) }
            }
            studio.finish()
            count += studio.takes.count
            withPlay += studio.takes.count { $0.ending?.hasPlay == true }
            loud += studio.loudPeriods
            covered += studio.takes.reduce(0) { $0 + studio.loudPeriods(of: $1) }
        }
        #expect(count >= 12 && withPlay > 4 && withPlay < count)
        #expect(loud > 100 && covered == loud)
    }

    @Test func `a take begins with the first start, and ends after 30 seconds stopped and silent`() throws {
        let studio = TakeStudio(.with([TestNote(track: .bass, note: 0, step: 0)], bpm: 120))
        studio.render(9600, periods: [64])
        _ = studio.driver.send(.play)
        studio.render(48_000, periods: [64])
        _ = studio.driver.send(.stop)
        studio.render(29 * 48_000, periods: [64])
        #expect(studio.takes.count == 1 && studio.takes[0].ending == nil)
        studio.render(5 * 48_000, periods: [64])
        let take = try #require(studio.takes.first)
        let ending = try #require(take.ending)
        #expect(take.beginning.frame == 9600)
        #expect(ending.hasPlay && ending.exactFrameCount == nil)
        // Up to the last sound.
        #expect((4800...48_000).contains(ending.frameCount))
        #expect(take.frameCount >= 48_000 + 30 * 48_000)
        // Nothing has been written since.
        #expect(studio.driver.engine.nextTakeRecord() == nil)
    }

    @Test func `a program's key alone makes a take without play`() throws {
        let studio = TakeStudio(.with([], bpm: 120))
        studio.driver.schedule(.key(RtKey(owner: 1, track: 0, key: 60, velocity: 100)), at: 5000)
        studio.driver.schedule(.key(RtKey(owner: 1, track: 0, key: 60, velocity: 0)), at: 9000)
        studio.render(40 * 48_000)
        #expect(studio.takes.count == 1)
        let take = try #require(studio.takes.first)
        #expect(take.ending?.hasPlay == false)
        #expect(take.beginning.frame == 5000)
        #expect(try studio.difference(ofReplay: take) == nil)
    }

    @Test func `nothing is recorded while takes are not wanted, and a take ends when they no longer are`() {
        let studio = TakeStudio(.with([TestNote(track: .bass, note: 0, step: 0)]))
        studio.driver.engine.setTakes(areWanted: false)
        _ = studio.driver.send(.play)
        studio.render(48_000)
        #expect(studio.takes.isEmpty)
        _ = studio.driver.send(.stop)
        studio.render(5 * 48_000)
        studio.driver.engine.setTakes(areWanted: true)
        _ = studio.driver.send(.play)
        studio.render(48_000)
        #expect(studio.takes.count == 1 && studio.takes[0].ending == nil)
        studio.driver.engine.setTakes(areWanted: false)
        studio.render(4800)
        #expect(studio.takes.count == 1 && studio.takes[0].ending != nil)
    }

    @Test func `a connection at another rate ends the take, and music that plays on begins the next`() throws {
        let studio = TakeStudio(InvarianceTests.busyScore(seed: 1))
        _ = studio.driver.send(.play)
        studio.render(48_000)
        try studio.driver.engine.prepare(sampleRate: 44_100)
        studio.render(48_000)
        studio.finish()
        #expect(studio.takes.map(\.beginning.sampleRate) == [48_000, 44_100])
        #expect(studio.takes[0].ending == TakeEnding(frameCount: 48_000, hasPlay: true, exactFrameCount: nil))
        for take in studio.takes { #expect(try studio.difference(ofReplay: take) == nil) }
    }

    @Test func `a take that is not read in time says from where on it is not exact, and the next is exact`() throws {
        let studio = TakeStudio(InvarianceTests.busyScore(seed: 1), takeCapacity: 1 << 17)
        _ = studio.driver.send(.play)
        studio.render(48_000)
        // More than fits, unread.
        studio.isReading = false
        for index in 0..<400 {
            for key in 36..<96 {
                for frame in [0, 20] {
                    studio.driver.receive(
                        MidiEvent(frame: 0, count: 3, 0x9f, UInt8(key), frame == 0 ? 99 : 0),
                        at: studio.driver.frame + Int64(frame))
                }
            }
            studio.render(64 + index % 2)
        }
        studio.isReading = true
        studio.render(48_000)
        // The music does not stop for the next take.
        studio.publish(.with([], bpm: 120))
        studio.render(5 * 48_000)
        studio.publish(InvarianceTests.busyScore(seed: 2))
        studio.render(48_000)
        #expect(studio.takes.count == 2)
        let ending = try #require(studio.takes[0].ending)
        let exact = try #require(ending.exactFrameCount)
        #expect(exact > 48_000 && exact < 75_000)
        #expect(try studio.difference(ofReplay: studio.takes[0], frames: exact) == nil)
        #expect(studio.takes[1].ending == nil)
        #expect(try studio.difference(ofReplay: studio.takes[1]) == nil)
        #expect(studio.loudPeriods(of: studio.takes[1]) > 10)
    }

    @Test func `a take that nobody keeps ends with the next silence, and music that runs on begins another`() throws {
        let studio = TakeStudio(InvarianceTests.busyScore(seed: 1))
        _ = studio.driver.send(.play)
        studio.render(48_000)
        studio.driver.engine.abandonTake()
        studio.render(4800)
        #expect(studio.takes.count == 1 && studio.takes[0].ending == nil)
        studio.publish(.with([], bpm: 120))
        studio.render(5 * 48_000)
        studio.publish(InvarianceTests.busyScore(seed: 2))
        studio.render(48_000)
        #expect(studio.takes.count == 2 && studio.takes[0].ending != nil && studio.takes[1].ending == nil)
        #expect(try studio.difference(ofReplay: studio.takes[1]) == nil)
    }

    @Test func `a take of four hours ends with the next silent cycle, though the music runs`() throws {
        let engine = Engine(score: .with([], bpm: 120))
        let driver = try OfflineDriver(engine: engine, sampleRate: 8000)
        engine.setTakes(areWanted: true)
        driver.schedule(.command(.play), at: 0)
        var (frames, endings, lengths): ([Int64], [TakeEnding], [Int]) = ([], [], [0])
        driver.render(frames: 4 * 3600 * 8000 + 80_000, periods: [8000]) { _ in
            while engine.nextNotice() != nil {}
            while let record = engine.nextTakeRecord() {
                switch record {
                case .began(let beginning): frames.append(beginning.frame)
                case .log(let chunk): lengths.append(chunk.frameCount)
                case .ended(let ending): endings.append(ending)
                }
            }
        }
        let wait: Int64 = 4 * 3600 * 8000 + 8000
        #expect(frames == [0, wait])
        #expect(endings == [TakeEnding(frameCount: 0, hasPlay: true, exactFrameCount: nil)])
        #expect(lengths.max() == Int(wait))
    }

    @Test func `lost frames are silence in a replay, at most a second, unless the driver has skipped them`() throws {
        for countsGaps in [true, false] {
            let studio = TakeStudio(InvarianceTests.busyScore(seed: 3))
            studio.driver.countsGaps = countsGaps
            _ = studio.driver.send(.play)
            studio.render(9600, periods: [480])
            studio.driver.skip(4321)
            studio.render(9600, periods: [480])
            studio.driver.skip(480_000)
            studio.render(9600, periods: [480])
            studio.finish()
            var silences: [Int] = []
            var total = 0
            try studio.replay(studio.takes[0]) { output in
                switch output {
                case .silence(let count):
                    silences.append(count)
                    total += count
                case .period(let period): total += period.frameCount
                }
            }
            #expect(silences == (countsGaps ? [4321, 48_000] : []))
            #expect(total == studio.takes[0].frameCount)
            #expect(try studio.difference(ofReplay: studio.takes[0]) == nil)
        }
    }

    @Test func `a replay at another rate has the same length and about the same level`() throws {
        let studio = TakeStudio(InvarianceTests.busyScore(seed: 4))
        _ = studio.driver.send(.play)
        var level = 0.0
        studio.render(96_000, periods: [64, 1000]) { level += Self.energy($0) }
        studio.finish()
        for rate in [44_100.0, 96_000, 8000] {
            let replay = try studio.replay(of: studio.takes[0], sampleRate: rate)
            var other = 0.0
            for bytes in studio.takes[0].log {
                try replay.render(bytes) { if case .period(let period) = $0 { other += Self.energy(period) } }
            }
            #expect(replay.frameCount == Int(2 * rate))
            if rate > 8000 { #expect(abs(other / rate / (level / 48_000) - 1) < 0.1) }
        }
    }

    @Test(arguments: [PunchEffect.filter, .throw])
    func `a punch-in that is held when a take begins acts in its replay at another rate`(effect: PunchEffect) throws {
        func level(isHeld: Bool) throws -> (original: Double, replay: Double) {
            let studio = TakeStudio(InvarianceTests.busyScore(seed: 4))
            var punchIns = PunchIns()
            (punchIns[effect].number, punchIns[effect].isHeld, punchIns[effect].amount) = (1, isHeld, 0.9)
            for track in 0..<4 { punchIns[effect].tracks[track] = true }
            studio.driver.engine.publish(punchIns)
            studio.render(48_000)
            _ = studio.driver.send(.play)
            var (original, again) = (0.0, 0.0)
            studio.render(96_000) { original += Self.energy($0) }
            studio.finish()
            let replay = try studio.replay(of: studio.takes[0], sampleRate: 96_000)
            for bytes in studio.takes[0].log {
                try replay.render(bytes) { if case .period(let period) = $0 { again += Self.energy(period) / 2 } }
            }
            return (original, again)
        }
        let (held, free) = (try level(isHeld: true), try level(isHeld: false))
        #expect(abs(held.original / free.original - 1) > 0.15)
        #expect(abs(held.replay / held.original - 1) < 0.1)
    }

    @Test func `a take ends when takes are no longer wanted, though the engine rests`() {
        let studio = TakeStudio(.with([], bpm: 120))
        studio.driver.schedule(.key(RtKey(owner: 1, track: 0, key: 60, velocity: 100)), at: 100)
        studio.driver.schedule(.key(RtKey(owner: 1, track: 0, key: 60, velocity: 0)), at: 900)
        for _ in 0..<200 where !studio.driver.engine.realtime.isResting { studio.render(4800) }
        #expect(studio.driver.engine.realtime.isResting && studio.takes.count == 1 && studio.takes[0].ending == nil)
        studio.driver.engine.setTakes(areWanted: false)
        studio.render(64)
        #expect(studio.driver.engine.realtime.isResting && studio.takes[0].ending != nil)
    }

    @Test func `a take's records say as soon as it plays that it does`() throws {
        let engine = Engine(score: .with([], bpm: 120))
        let driver = try OfflineDriver(engine: engine, sampleRate: 48_000)
        engine.setTakes(areWanted: true)
        driver.schedule(.key(RtKey(owner: 1, track: 0, key: 60, velocity: 100)), at: 0)
        driver.schedule(.command(.play), at: 96_000)
        var plays: [Int: Bool] = [:]
        driver.render(frames: 144_000, periods: [480]) { _ in
            while engine.nextNotice() != nil {}
            while case .log(let chunk)? = engine.nextTakeRecord() { plays[chunk.frameCount] = chunk.hasPlay }
        }
        #expect(plays.filter { $0.key < 96_000 }.allSatisfy { !$0.value } && plays.count > 4)
        #expect(plays.filter { $0.key >= 96_000 }.allSatisfy { $0.value } && plays.keys.max() == 144_000)
    }

    @Test func `the cycles so far are recorded with the next one when somebody asks`() throws {
        let studio = TakeStudio(.with([], bpm: 120))
        _ = studio.driver.send(.play)
        studio.render(4800, periods: [480])
        #expect(studio.takes[0].frameCount == 0)
        studio.driver.engine.hurryTake()
        #expect(studio.driver.engine.isTakeHurried)
        studio.render(480, periods: [480])
        #expect(!studio.driver.engine.isTakeHurried && studio.takes[0].frameCount == 5280)
        studio.render(480, periods: [480])
        #expect(studio.takes[0].frameCount == 5280)
    }

    @Test func `a take that finds no room to begin is counted, and the next is recorded`() throws {
        let studio = TakeStudio(.with([TestNote(track: .bass, note: 0, step: 0)], bpm: 300), takeCapacity: 1 << 16)
        let engine = studio.driver.engine
        func play() {
            _ = studio.driver.send(.play)
            studio.render(48_000)
            _ = studio.driver.send(.stop)
            studio.render(35 * 48_000)
        }
        studio.isReading = false
        play()
        #expect(engine.hasTakeRecords && engine.missedTakes == 0)
        play()
        #expect(engine.missedTakes == 1)
        studio.isReading = true
        studio.render(64)
        #expect(!engine.hasTakeRecords && studio.takes.count == 1)
        play()
        #expect(studio.takes.count == 2 && engine.missedTakes == 1)
        #expect(try studio.difference(ofReplay: studio.takes[1]) == nil)
    }

    private static func energy(_ period: OfflinePeriod) -> Double {
        period[.mainLeft].reduce(0) { $0 + Double($1) * Double($1) }
    }

    @Test func `a replay with stems has the same mix, and stems that sound`() throws {
        let studio = TakeStudio(InvarianceTests.busyScore(seed: 5))
        _ = studio.driver.send(.play)
        var main: [Float] = []
        studio.render(24_000) { main += $0[.mainLeft] }
        studio.finish()
        let replay = try studio.replay(of: studio.takes[0], hasStems: true)
        var (again, stem) = ([Float](), [Float]())
        for bytes in studio.takes[0].log {
            try replay.render(bytes) { output in
                guard case .period(let period) = output else { return }
                again += period[.mainLeft]
                stem += period[EnginePort.stem(.bass)[0]]
            }
        }
        #expect(again == main)
        #expect(stem.peak > 0.01)
    }

    @Test func `a damaged log and another engine's memory are refused`() throws {
        let studio = TakeStudio(.with([]))
        _ = studio.driver.send(.play)
        studio.render(4800)
        let take = studio.takes[0]
        let replay = try studio.replay(of: take)
        #expect(throws: TakeReplay.Failure.damagedLog) { try replay.render([0x7f]) { _ in } }
        #expect(throws: TakeReplay.Failure.damagedLog) { try replay.render([0x41, 0x80]) { _ in } }
        let farAway = [0x42] + [UInt8](repeating: 0xff, count: 8) + [0x7f, 0]
        #expect(throws: TakeReplay.Failure.damagedLog) { try replay.render(farAway) { _ in } }
        // A run of more than half a second, and a loss of years.
        #expect(throws: TakeReplay.Failure.damagedLog) { try replay.render([0x40, 0xff, 0xff, 0x7f]) { _ in } }
        #expect(throws: TakeReplay.Failure.damagedLog) {
            try replay.render([0x61] + [UInt8](repeating: 0xff, count: 6) + [0x7f, 0]) { _ in }
        }
        var beginning = take.beginning
        for rate in [0, -1, 7999, 192_001, .infinity, .nan] {
            beginning.sampleRate = rate
            #expect(throws: TakeReplay.Failure.unplayableRate) {
                try TakeReplay(beginning, TakeMaterials(score: { _ in Score() }))
            }
        }
        beginning = take.beginning
        beginning.memoryVersion += 1
        #expect(throws: TakeReplay.Failure.unknownMemory) {
            try TakeReplay(beginning, TakeMaterials(score: { _ in Score() }))
        }
        beginning = take.beginning
        beginning.memory.removeLast()
        #expect(throws: TakeReplay.Failure.unknownMemory) {
            try TakeReplay(beginning, TakeMaterials(score: { _ in Score() }))
        }
    }

    @Test(arguments: 1...(isLongRun ? 20_000 : 300) as ClosedRange<UInt64>)
    func `whatever bytes a log has, its replay comes to an end`(seed: UInt64) throws {
        struct Enough: Error {}
        var random = SeededGenerator(seed: seed)
        let beginning = Self.beginning
        for _ in 0..<10 {
            let replay = try TakeReplay(beginning, TakeMaterials(score: { _ in Score.with([]) }))
            let bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                // Mostly the codes of entries, and small numbers.
                let codes: [ClosedRange<UInt8>] = [0...3, 0x40...0x63, 0x40...0x63, 0x80...0xbf, 0...0xff]
                return UInt8.random(in: codes.randomElement(using: &random)!, using: &random)
            }
            do {
                try replay.render(bytes) { _ in if replay.frameCount > 10_000 { throw Enough() } }
            } catch is TakeReplay.Failure {
            } catch is Enough {}
        }
    }

    private static let beginning = {
        let studio = TakeStudio(.with([]))
        _ = studio.driver.send(.play)
        studio.render(4800)
        return studio.takes[0].beginning
    }()

    @Test func `long logs are cut into parts of at most 64 KiB between entries`() throws {
        let studio = TakeStudio(.with([], bpm: 120))
        _ = studio.driver.send(.play)
        studio.render(64)
        studio.isReading = false
        for _ in 0..<300 {
            for key in 0..<100 as Range<UInt8> {
                studio.driver.receive(MidiEvent(frame: 0, count: 3, 0x9f, key, 0), at: studio.driver.frame)
            }
            studio.render(64, periods: [64])
        }
        studio.isReading = true
        studio.render(64)
        let take = studio.takes[0]
        #expect(take.log.count >= 3)
        #expect(take.log.allSatisfy { $0.count <= TakeChunk.longest })
        #expect(try studio.difference(ofReplay: take) == nil)
    }
}
