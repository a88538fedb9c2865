import Engine
import Instrument
import Music
import Session
import Synchronization
import TestSupport
import Testing

/// What takes are told of what is published.
@Suite struct PublicationTests {
    private final class Listener: PublicationListener {
        struct Heard {
            var scores: [(number: UInt, source: ScoreSource, name: String)] = []
            var timelines: [(number: UInt, news: TimelineNews)] = []
            var kits: [(number: Int, kit: KitFingerprint?)] = []
            var pollCount = 0
        }

        let heard = Mutex(Heard())

        func published(_ source: ScoreSource, named name: String, number: UInt) {
            heard.withLock { $0.scores.append((number, source, name)) }
        }

        func published(_ timeline: TimelineNews, number: UInt) {
            heard.withLock { $0.timelines.append((number, timeline)) }
        }

        func published(_ kit: KitFingerprint?, number: Int) { heard.withLock { $0.kits.append((number, kit)) } }

        func polled() { heard.withLock { $0.pollCount += 1 } }
    }

    @Test func `scores, timelines and kits are told with their numbers`() async throws {
        let listener = Listener()
        let engine = Engine(score: Score(Document()))
        let session = Session(
            executor: CallersExecutor(), engine: engine, document: Document(), listener: listener)
        let client = await session.connect()
        try await session.perform(.set(.tempo, to: 127), at: .zero)
        try await session.perform(.change([.setName("groove")]), at: .zero)
        try await session.perform(.launch(.launch(.track(.bass), 3, .queued)), at: .zero)
        listener.heard.withLock { heard in
            #expect(heard.scores.map(\.number) == Array(1...UInt(heard.scores.count)))
            #expect(heard.scores.last?.name == "groove")
            #expect(heard.scores.last?.source.parameters[.tempo] == 127)
            #expect(heard.scores.last?.source.launches[Track.bass.rawValue].playing == 3)
        }
        let pollCount = listener.heard.withLock { $0.pollCount }
        _ = await session.catchKeys(at: .seconds(1))
        #expect(listener.heard.withLock { $0.pollCount } == pollCount + 1)
        await session.disconnect(client, at: .zero)
        try await session.perform(.set(.kit, on: .rhythm, to: .choice("808")), at: .zero)
        #expect(listener.heard.withLock { $0.kits.isEmpty && $0.timelines.isEmpty })
    }
}
