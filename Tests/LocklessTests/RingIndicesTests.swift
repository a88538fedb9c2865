import Glibc
import Lockless
import TestSupport
import Testing

@Suite struct RingIndicesTests {
    @Test func `slots come round in order`() {
        let ring = RingIndices(capacityBits: 2)
        #expect(ring.capacity == 4)
        for count in 0..<10 {
            #expect(ring.slotToEmpty() == nil)
            #expect(ring.slotToFill() == count % 4)
            ring.didFill()
            #expect(ring.filledCount() == 1)
            #expect(ring.slotToEmpty() == count % 4)
            ring.didEmpty()
        }
    }

    @Test func `a full ring takes nothing until a slot is emptied`() {
        let ring = RingIndices(capacityBits: 2)
        for _ in 0..<4 {
            #expect(ring.slotToFill() != nil)
            ring.didFill()
        }
        #expect(ring.slotToFill() == nil)
        #expect(ring.filledCount() == 4)
        ring.didEmpty()
        #expect(ring.slotToFill() == 0)
    }

    @Test func `what one thread puts in another takes out, all of it and in order`() async {
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

/// A ring of numbers, each of which takes two words that must be seen together.
private final class SharedRing: Sendable {
    private let indices = RingIndices(capacityBits: 3)
    /// A slot is only ever touched by the side that the indices gave it to.
    private nonisolated(unsafe) let slots = UnsafeMutablePointer<(UInt64, UInt64)>.allocate(capacity: 8)

    deinit { slots.deallocate() }

    func push(_ number: UInt64) -> Bool {
        guard let slot = indices.slotToFill() else { return false }
        slots[slot] = (number, ~number)
        indices.didFill()
        return true
    }

    func pop() -> UInt64? {
        guard let slot = indices.slotToEmpty() else { return nil }
        let (number, complement) = slots[slot]
        indices.didEmpty()
        return complement == ~number ? number : .max
    }
}
