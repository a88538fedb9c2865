import Engine
import OfflineAudio
import Testing

@testable import Export

@Suite(.timeLimit(.minutes(1))) struct PeriodQueueTests {
    @Test func `a closed queue gives no more periods, even to a thread that waits for one`() async {
        let queue = PeriodQueue()
        let (periods, taken) = AsyncStream.makeStream(of: Void.self)
        async let end: Void = Task.detached {
            #expect(throws: PeriodQueue.Closed.self) {
                while true {
                    queue.add(try queue.fetchFree())
                    taken.yield()
                }
            }
        }.value
        var iterator = periods.makeAsyncIterator()
        for _ in 0..<PeriodQueue.capacity { await iterator.next() }
        queue.close()
        await end
        #expect(throws: PeriodQueue.Closed.self) { _ = try queue.fetchFree() }
    }

    @Test func `periods come in the order in which they were added, and are used again`() throws {
        let queue = PeriodQueue()
        let driver = try OfflineDriver(engine: Engine(score: Score()), sampleRate: 48_000)
        for turn in 0..<3 * Int64(PeriodQueue.capacity) {
            try driver.renderTracks(frames: 1024, into: queue.takeFree, queue.add)
            let period = queue.fetchNext()
            #expect(period.startFrame == 1024 * turn)
            queue.giveBack(period)
        }
    }
}
