import Engine
import Instrument
import Music
import OfflineAudio
import Synchronization
import TestSupport

@testable import Takes

/// An instrument that is recorded, and the samples that it put out.
final class RecordedInstrument {
    let driver: OfflineDriver
    let keeper: TakeKeeper
    let store: TakeStore
    var document: Document
    var heard: [Float] = []
    let uptime = ManualUptime()
    private var builder = ScoreBuilder()

    /// - Parameter patience: How long requests wait for the next cycle.
    init(_ document: Document, in folder: String, patience: Duration = .zero) throws {
        self.document = document
        let source = ScoreSource(document)
        let engine = Engine(score: Score(source))
        keeper = TakeKeeper(engine, source: source, named: document.pattern.name) {
            1_767_357_296
        } uptime: { [uptime] in
            uptime.now
        }
        driver = try OfflineDriver(engine: engine, sampleRate: 8000)
        var options = TakeStore.Options()
        (options.commitInterval, options.checkpointInterval) = (.seconds(60), .seconds(60))
        options.patience = patience
        store = try TakeStore(in: folder, options, keeper: keeper)
    }

    func change(_ change: (inout Document) -> Void) {
        change(&document)
        let source = ScoreSource(document)
        let number = driver.engine.publish(builder.score(of: source))
        keeper.published(source, named: document.pattern.name, number: number)
    }

    /// Plays samples.
    func publish(_ kit: SampleKit) {
        change { $0.set(.kit, on: .rhythm, to: .choice("Dust")) }
        let number = driver.engine.publish(kit)
        keeper.published(kit.fingerprint, number: number)
    }

    func follow(_ timeline: Timeline?) {
        var news = TimelineNews()
        news.timeline = timeline
        keeper.published(news, number: driver.engine.follow(news))
    }

    func render(_ seconds: Double) {
        driver.render(frames: Int(8000 * seconds), periods: [256]) { heard += $0[.mainLeft] }
    }

    /// Lets everything end.
    func rest() async throws {
        driver.schedule(.command(.stop), at: driver.frame)
        // Less than the ring holds.
        for _ in 0..<50 {
            render(1)
            _ = try await store.entries()
        }
    }
}

/// A clock that a test sets.
final class ManualUptime: Sendable {
    private let instant = Mutex(SuspendingClock.now)

    var now: SuspendingClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}

extension Document {
    /// Something to play on all tracks.
    static var forTakes: Document {
        var pattern = Pattern()
        pattern.name = "take"
        pattern.bpm = 240
        pattern.length = 8
        for track in Track.allCases {
            for step in stride(from: track.rawValue, to: 8, by: 3) { pattern[track, 4, step] = .accent }
        }
        return Document(pattern: pattern)
    }
}
