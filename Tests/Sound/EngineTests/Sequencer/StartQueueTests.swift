import Music
import TestSupport
import Testing

@testable import Engine

@Suite struct StartQueueTests {
    private func start(_ note: Int, part: Double) -> PlannedStart {
        PlannedStart(number: note, place: SongPlace(songStep: 0, part: part))
    }

    @Test func `starts come in the order of their times, and simultaneous ones as they were planned`() {
        var random = SeededGenerator(seed: 11)
        var queue = StartQueue()
        for _ in 0..<50 {
            let count = Int.random(in: 1...StartQueue.capacity, using: &random)
            let planned = (0..<count).map { start($0, part: Double(Int.random(in: 0..<8, using: &random)) / 8) }
            for start in planned { queue.add(start) }
            for part in 0..<8 {
                for expected in planned where expected.place.part == Double(part) / 8 {
                    #expect(queue.first?.number == expected.number && queue.first?.place.part == expected.place.part)
                    queue.removeFirst()
                }
            }
            #expect(queue.first == nil)
        }
    }

    @Test func `a start planned while others wait takes its place among them`() {
        var queue = StartQueue()
        queue.add(start(1, part: 0))
        queue.add(start(2, part: 0.5))
        queue.removeFirst()
        queue.add(start(3, part: 0.25))
        #expect(queue.first?.number == 3)
        queue.removeFirst()
        #expect(queue.first?.number == 2)
        queue.removeAll()
        #expect(queue.first == nil)
    }
}
