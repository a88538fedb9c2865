import Glibc
import TestSupport
import Testing

@testable import Engine

@Suite struct RingTests {
    @Test func `elements are removed in the order in which they were added, slot after slot`() {
        let ring = Ring(capacityBits: 2, 0)
        #expect(ring.capacity == 4 && ring.isEmptied)
        for number in 1...10 {
            #expect(ring.first == nil && ring.slotToEmpty() == nil && ring.pop() == nil)
            #expect(ring.slotToFill() == (number - 1) % 4)
            #expect(ring.push(number) == true)
            #expect(
                ring.count == 1 && ring.first == number && ring.slotToEmpty() == (number - 1) % 4 && !ring.isEmptied)
            #expect(ring.pop() == number)
            #expect(ring.isEmptied && ring.filledTotal == UInt(number) && ring.emptiedTotal == UInt(number))
        }
    }

    @Test func `a full ring accepts nothing until an element is removed`() {
        let ring = Ring(capacityBits: 2, 0)
        for number in 1...4 { #expect(ring.push(number) == true) }
        #expect(ring.push(5) == false && ring.slotToFill() == nil && ring.count == 4)
        ring.removeFirst()
        #expect(ring.push(6) == true && ring.count == 4)
        #expect((0..<4).map { _ in ring.pop() } == [2, 3, 4, 6])
    }

    @Test(arguments: 0..<8)
    func `the oldest elements are read in place, without those that were dropped`(turns: Int) {
        let ring = Ring(capacityBits: 3, 0)
        for number in 0..<turns {
            #expect(ring.push(number) == true)
            ring.removeFirst()
        }
        for number in 1...7 { #expect(ring.push(number) == true) }
        // One that comes later is neither dropped nor read.
        let count = ring.count
        #expect(ring.push(8) == true)
        let kept = ring.drop(among: count) { $0.isMultiple(of: 3) || $0 == 1 }
        let oldest = ring.oldest(kept)
        #expect((0..<oldest.count).map { oldest[$0] } == [2, 4, 5, 7])
        ring.removeFirst(kept)
        #expect(ring.count == 1 && ring.first == 8)
    }

    @Test func `elements pass from one thread to another, all of them and in order`() async {
        let shared = SharedRing()
        let count: UInt64 = 200_000
        async let producer: Void = onThread {
            for number in 0..<count {
                while !shared.push(number) { sched_yield() }
            }
        }
        let wrong = await onThread {
            (0..<count).filter { expected in
                while true {
                    if let number = shared.pop() { return number != expected }
                    sched_yield()
                }
            }
        }
        await producer
        #expect(wrong.isEmpty)
        #expect(shared.pop() == nil)
    }
}

/// A ring of numbers, each in two words that must be seen together.
private final class SharedRing: Sendable {
    private struct Pair: BitwiseCopyable {
        var number: UInt64
        var complement: UInt64
    }

    /// One thread pushes, and one pops.
    private nonisolated(unsafe) let ring = Ring(capacityBits: 3, Pair(number: 0, complement: 0))

    func push(_ number: UInt64) -> Bool { ring.push(Pair(number: number, complement: ~number)) }

    func pop() -> UInt64? {
        ring.pop().map { $0.complement == ~$0.number ? $0.number : .max }
    }
}
