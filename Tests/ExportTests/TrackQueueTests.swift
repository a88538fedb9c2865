import Engine
import Music
import OfflineAudio
import Testing

@testable import Export

@Suite(.timeLimit(.minutes(1))) struct TrackQueueTests {
    /// Renders into a queue until it refuses more.
    private static func fill(_ queue: TrackQueue, _ onPeriod: () -> Void = {}) {
        do {
            let driver = try OfflineDriver(engine: Engine(score: Score()), sampleRate: 48_000)
            while true {
                try driver.render(frames: 16, periods: [16]) { period in
                    try queue.add(period, sounding: TrackSet())
                    onPeriod()
                }
            }
        } catch {
            #expect(error is TrackQueue.Closed)
        }
    }

    @Test func `a closed queue refuses all periods, even while they wait for room`() async {
        let queue = TrackQueue()
        let (periods, added) = AsyncStream.makeStream(of: Void.self)
        async let end: Void = Task.detached { Self.fill(queue) { added.yield() } }.value
        var iterator = periods.makeAsyncIterator()
        for _ in 0..<TrackQueue.capacity { await iterator.next() }
        queue.close()
        await end
        Self.fill(queue)
    }

    @Test func `the last period may be taken in part`() throws {
        let queue = TrackQueue()
        let driver = try OfflineDriver(engine: Engine(score: Score()), sampleRate: 48_000)
        try driver.render(frames: 100) { try queue.add($0, sounding: TrackSet()) }
        let buffers = PeriodBuffers()
        let port = EnginePort.track(.bass)
        for frame in 0..<100 { buffers.samples(of: port)[frame] = 1 }
        #expect(queue.takeNext(60, into: buffers).isEmpty)
        #expect((0..<100).map { buffers.samples(of: port)[$0] } == (0..<100).map { $0 < 60 ? 0 : 1 })
    }
}
