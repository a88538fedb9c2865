import Engine
import Foundation
import OfflineAudio
import Testing

@testable import Export

@Suite(.timeLimit(.minutes(1))) struct PeriodQueueTests {
    @Test func `a closed queue gives no more periods, even to a thread that waits for one`() async {
        let queue = PeriodQueue()
        let (periods, taken) = AsyncStream.makeStream(of: Void.self)
        // Not a task: it blocks its thread.
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        Thread.detachNewThread {
            do {
                while true {
                    queue.add(try queue.fetchFree())
                    taken.yield()
                }
            } catch {
                ended.yield(error is PeriodQueue.Closed)
            }
        }
        var iterator = periods.makeAsyncIterator()
        for _ in 0..<PeriodQueue.capacity { await iterator.next() }
        queue.close()
        var endings = ends.makeAsyncIterator()
        #expect(await endings.next() == true)
        #expect(throws: PeriodQueue.Closed.self) { _ = try queue.fetchFree() }
    }

    @Test func `periods come in the order in which they were added, and are used again`() throws {
        let queue = PeriodQueue()
        let driver = try OfflineDriver(engine: Engine(score: Score()), sampleRate: 48_000)
        for turn in 0..<3 * Int64(PeriodQueue.capacity) {
            try driver.renderTracks(frames: 1024, into: queue.fetchFree, queue.add)
            let period = queue.fetchNext()
            #expect(period.startFrame == 1024 * turn)
            queue.giveBack(period)
        }
    }
}
