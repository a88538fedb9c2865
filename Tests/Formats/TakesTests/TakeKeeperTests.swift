import Engine
import Foundation
import Instrument
import Music
import OfflineAudio
import Synchronization
import TestSupport
import Testing

@testable import Takes

/// What an engine records, on its way to the disk and back.
@Suite struct TakeKeeperTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func document() -> Document { .forTakes }

    /// The records of a take, as they are on disk.
    private func records(of number: Int64, in store: TakeStore) async throws -> [TakeContentRecord] {
        var reader = TakeContentReader()
        var (records, count) = ([TakeContentRecord](), 0)
        while true {
            let pieces = try await store.pieces(of: number, from: count)
            if pieces.isEmpty { return records }
            for piece in pieces { records += try reader.read(piece) }
            count += pieces.count
        }
    }

    /// The left channel of a take's render.
    private func render(_ records: [TakeContentRecord]) throws -> [Float] {
        final class Materials {
            var scores: [UInt: Score] = [:]
            var timelines: [UInt: TimelineNews] = [:]
        }
        struct Missing: Error {}
        let materials = Materials()
        var replay: TakeReplay?
        var samples: [Float] = []
        for record in records {
            switch record {
            case .score(let number, let source): materials.scores[number] = Score(source)
            case .timeline(let number, let news): materials.timelines[number] = news
            case .kit: break
            case .beginning(let beginning):
                replay = try TakeReplay(
                    beginning,
                    TakeMaterials(
                        score: { number in
                            guard let score = materials.scores[number] else { throw Missing() }
                            return score
                        },
                        timeline: { number in
                            guard let news = materials.timelines[number] else { throw Missing() }
                            return news
                        }))
            case .log(let bytes):
                try replay?.render(bytes) { output in
                    switch output {
                    case .period(let period): samples += period[.mainLeft]
                    case .silence(let count): samples += [Float](repeating: 0, count: count)
                    }
                }
            }
        }
        return samples
    }

    @Test func `a take's render from the disk is what was heard, to the bit`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        studio.render(1)
        #expect(try await studio.store.entries().isEmpty)
        let start = studio.heard.count
        studio.driver.schedule(.command(.play), at: studio.driver.frame)
        studio.render(2)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<30 {
            studio.change { document in
                let track = Track.allCases.randomElement(using: &random)!
                document.set(.gain, on: track, to: .number(.random(in: -12...6, using: &random)))
                document.set(.tempo, to: .number(.random(in: 100...300, using: &random)))
            }
            studio.render(.random(in: 0.02...0.5, using: &random))
        }
        #expect(try await studio.store.entries().map(\.isCurrent) == [true])
        try await studio.rest()
        let entries = try await studio.store.entries()
        #expect(entries.count == 1 && !entries[0].isCurrent && entries[0].progress.hasPlayed)
        #expect(
            entries[0].head.sampleRate == 8000 && entries[0].head.pattern == "take")
        #expect(entries[0].progress.inexactFrom == nil)
        let rendered = try render(try await records(of: 1, in: studio.store))
        let length = Int(entries[0].progress.frames)
        #expect(length > 4 * 8000 && length <= rendered.count)
        let isEqual = rendered.prefix(length) == studio.heard[start...].prefix(length)
        #expect(isEqual)
        #expect(rendered.prefix(length).peak > 0.1)
        #expect(studio.store.close(within: .seconds(10)))
    }

    @Test func `a take has the name of the pattern that was loaded right before it`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        studio.render(1)
        var pattern = document().pattern
        pattern.name = "loaded"
        studio.change { $0 = Document(pattern: pattern) }
        studio.driver.schedule(.command(.play), at: studio.driver.frame)
        studio.render(1)
        #expect(try await studio.store.entries().map(\.head.pattern) == ["loaded"])
        #expect(studio.store.close(within: .seconds(10)))
    }

    @Test func `the take under way can be rendered up to now`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        studio.driver.schedule(.command(.play), at: 0)
        studio.render(3)
        _ = try await studio.store.entries()
        let rendered = try render(try await records(of: 1, in: studio.store))
        // Cycles are written each half second.
        #expect(rendered.count >= 20_000)
        let isEqual = rendered == Array(studio.heard.prefix(rendered.count))
        #expect(isEqual)
        #expect(studio.store.close(within: .seconds(10)))
    }

    @Test func `what was published is kept only until it counts no more`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        for bpm in 100..<300 { studio.change { $0.set(.tempo, to: .number(Double(bpm))) } }
        #expect(studio.keeper.publishedCount > 190)
        for _ in 0..<2 {
            studio.render(0.1)
            _ = try await studio.store.entries()
        }
        #expect(studio.keeper.publishedCount == 1)
        // Without a driver what was replaced two seconds ago is dropped, even if nobody asks for anything.
        for bpm in 100..<300 {
            studio.change { $0.set(.tempo, to: .number(Double(bpm))) }
            studio.uptime.advance(by: .milliseconds(100))
        }
        #expect((20...33).contains(studio.keeper.publishedCount))
        #expect(studio.store.close(within: .seconds(10)))
    }

    @Test func `what was replaced is kept until the callback has passed it, or for two seconds`() {
        var values = PublishedValues<Int, String>(after: 0)
        let start = SuspendingClock.now
        for number in 1...4 { values.add("\(number)", number: number, at: start + .milliseconds(100 * number)) }
        #expect(values.includes(4) && !values.includes(5))
        values.forget(before: 0, at: start + .milliseconds(2100))
        #expect((1...4).filter { values.standIn(for: $0).isExact } == [1, 2, 3, 4])
        values.forget(before: 2, at: start + .milliseconds(2150))
        #expect((1...4).filter { values.standIn(for: $0).isExact } == [2, 3, 4])
        values.forget(before: 2, at: start + .milliseconds(2350))
        #expect((1...4).filter { values.standIn(for: $0).isExact } == [2, 3, 4])
        values.forget(before: 2, at: start + .milliseconds(2450))
        #expect((1...4).filter { values.standIn(for: $0).isExact } == [2, 4] && values.standIn(for: 3).value == "4")
    }

    @Test func `values that nobody forgets are few, and the newest`() {
        var values = PublishedValues<Int, Int>(after: 0)
        for number in 1...100_000 {
            values.add(number, number: number, at: .now)
            #expect(values.count <= PublishedValues<Int, Int>.most)
        }
        #expect((99_900...100_000).allSatisfy { values.standIn(for: $0) == ($0, true) })
        #expect(!values.standIn(for: 1).isExact)
    }

    @Test func `a thread that reads nothing for five seconds is reported once, and so is its return`() throws {
        let source = ScoreSource(document())
        let engine = Engine(score: Score(source))
        let uptime = ManualUptime()
        let reports = Mutex(0)
        let keeper = TakeKeeper(engine, source: source, named: "", now: { 0 }, uptime: { uptime.now })
        keeper.whenStalled { reports.withLock { $0 += 1 } }
        let driver = try OfflineDriver(engine: engine, sampleRate: 8000)
        driver.schedule(.command(.play), at: 0)
        var counts: [Int] = []
        for second in 0..<9 {
            driver.render(frames: 8000, periods: [256]) { _ in }
            if second == 2 { #expect(!keeper.hasRecovered()) }
            keeper.polled()
            uptime.advance(by: .seconds(1))
            counts.append(reports.withLock { $0 })
        }
        #expect(counts == [0, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(keeper.hasRecovered() && !keeper.hasRecovered())
    }

    @Test func `a record waits for the kit that it refers to`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        studio.driver.schedule(.command(.play), at: 0)
        studio.render(1)
        let kit = SampleKit(sampleRate: 8000, samples: [[Float]?](repeating: [1, 0.5], count: 12))
        let number = studio.driver.engine.publish(kit)
        studio.render(1)
        // The store asks before the session has said what it published.
        _ = try await studio.store.entries()
        let print = KitFingerprint(name: "Dust", sampleRate: 8000, drums: [.init(drum: 0, file: 1, samples: 2)])
        studio.keeper.published(print, number: number)
        _ = try await studio.store.entries()
        let kits = try await records(of: 1, in: studio.store).compactMap { record -> (Int, KitFingerprint?)? in
            guard case .kit(let number, let kit) = record else { return nil }
            return (number, kit)
        }
        #expect(kits.count == 1 && kits.first?.0 == number && kits.first?.1 == print)
        #expect(studio.store.close(within: .seconds(10)))
    }

    @Test func `the store sleeps until something is recorded and the session has polled`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        _ = try await studio.store.entries()
        studio.driver.schedule(.command(.play), at: 0)
        studio.render(1)
        #expect(studio.driver.engine.hasTakeRecords)
        studio.keeper.polled()
        while studio.driver.engine.hasTakeRecords { await Task.yield() }
        #expect(studio.store.close(within: .seconds(10)))
        let other = try TakeStore(in: directory.path)
        let entries = try await other.entries()
        #expect(entries.count == 1 && entries[0].progress.frames >= 4000)
        #expect(other.close(within: .seconds(10)))
    }

    @Test func `a take is listed and can be read up to the newest cycle`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path, patience: .seconds(60))
        studio.driver.schedule(.command(.play), at: 0)
        studio.render(3.2)
        let (store, engine) = (studio.store, studio.driver.engine)
        let list = Task { try await store.entries() }
        while !engine.isTakeHurried { await Task.yield() }
        studio.render(0.032)
        let entries = try await list.value
        #expect(entries.map { Int($0.progress.frames) } == [studio.heard.count])
        #expect(entries[0].isCurrent && entries[0].progress.hasPlayed)
        let end = Task { store.close(within: .seconds(60)) }
        while !engine.isTakeHurried { await Task.yield() }
        studio.render(0.032)
        #expect(await end.value)
    }

    @Test func `timelines and kits are read as they were written`() throws {
        var news = TimelineNews()
        (news.holder, news.orderCount, news.tempoRevision) = (3, 4, 5)
        news.timeline = Timeline(
            beat: 1 / 3, usecs: 123_456_789_012, bpm: 127.3, isPlaying: false, playingUsecs: -5, quantum: 4, peers: 2)
        let kit = KitFingerprint(
            name: "Dust", sampleRate: 44_100, drums: [.init(drum: 3, file: .max, samples: 1, place: -0.3)])
        let content =
            TakeContent.record(TakeContent.timeline, TakeContent.bytes(of: news, number: 7))
            + TakeContent.record(TakeContent.kit, TakeContent.bytes(of: kit, number: 2))
            + TakeContent.record(TakeContent.kit, TakeContent.bytes(of: nil, number: 3))
        let stream = DeflateStream()
        var reader = TakeContentReader()
        let records = try reader.read(stream.compress(content) + stream.flush())
        guard records.count == 3, case .timeline(7, let read) = records[0], case .kit(2, let found) = records[1],
            case .kit(3, nil) = records[2], let timeline = read.timeline
        else {
            Issue.record("\(records)")
            return
        }
        #expect(found == kit)
        #expect((read.holder, read.orderCount, read.tempoRevision) == (3, 4, 5))
        #expect(timeline.beat == 1 / 3 && timeline.usecs == 123_456_789_012 && timeline.bpm == 127.3)
        #expect(timeline.isPlaying == false && timeline.playingUsecs == -5)
        #expect(timeline.quantum == 4 && timeline.peers == 2)
    }

    /// Figures for docs: four hours of what takes.md measures.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PIXELBOOP_FIGURES"] != nil))
    func `four hours with edits, controllers and keys take under 4 MB`() async throws {
        let studio = try RecordedInstrument(document(), in: directory.path)
        studio.change { $0.set(.tempo, to: 300) }
        for track in Track.allCases { studio.change { $0.set(.mute, on: track, to: .toggle(true)) } }
        studio.driver.schedule(.command(.play), at: 0)
        var random = SeededGenerator(seed: 1)
        for second in 0..<4 * 3600 {
            for part in 0..<4 {
                let frame = studio.driver.frame
                for key in 0..<2 {
                    let note = UInt8.random(in: 36...71, using: &random)
                    let at = frame + Int64.random(in: 0..<900, using: &random)
                    studio.driver.receive(MidiEvent(frame: 0, count: 3, 0x90, note, 100), at: at)
                    studio.driver.receive(MidiEvent(frame: 0, count: 3, 0x80, note, 0), at: at + 900)
                    _ = key
                }
                studio.change { document in
                    if part < 2 {
                        let step = Int.random(in: 0..<8, using: &random)
                        var slot = document.pattern[.melody]
                        slot[.random(in: 0..<12, using: &random), step] = [.normal, .off].randomElement(using: &random)!
                        document.apply(.edit([document.pattern.playing[.melody]: slot]))
                    }
                    document.set(
                        .gain, on: .bass,
                        to: Parameter.gain.row.kind().value(atController: .random(in: 0...127, using: &random)))
                }
                studio.driver.render(frames: 2000, periods: [64]) { _ in }
            }
            if second % 2 == 0 { _ = try await studio.store.entries() }
        }
        let entry = try #require(try await studio.store.entries().last)
        #expect(studio.store.close(within: .seconds(30)))
        let size = try FileManager.default.attributesOfItem(atPath: directory.file("takes.db"))[.size] as? Int ?? 0
        print("4 h take \(entry.size) bytes of content, \(size) in the database")
        #expect(size < 4_000_000)
    }
}
