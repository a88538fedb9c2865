import Glibc
import Lockless
import TestSupport
import Testing

@Suite struct TripleBufferIndicesTests {
    @Test func `nothing is new before anything was written`() {
        let buffer = TripleBufferIndices()
        #expect(buffer.takeNewest() == nil)
    }

    @Test func `the newest value is taken once`() {
        let buffer = TripleBufferIndices()
        let first = buffer.slotToWrite()
        buffer.didWrite()
        #expect(buffer.takeNewest() == first)
        #expect(buffer.takeNewest() == nil)
    }

    @Test func `of several values only the last one is taken`() {
        let buffer = TripleBufferIndices()
        var last = -1
        for _ in 0..<5 {
            last = buffer.slotToWrite()
            buffer.didWrite()
        }
        #expect(buffer.takeNewest() == last)
        #expect(buffer.takeNewest() == nil)
    }

    @Test func `the writer never gets the slot that the reader holds`() {
        let buffer = TripleBufferIndices()
        var held = 2
        for round in 0..<50 {
            #expect(buffer.slotToWrite() != held)
            buffer.didWrite()
            #expect(buffer.slotToWrite() != held)
            if round % 3 != 0, let slot = buffer.takeNewest() { held = slot }
            #expect(buffer.slotToWrite() != held)
        }
    }

    @Test func `a reader on another thread sees whole values, never an older one after a newer`() async {
        let shared = SharedBuffer()
        let count: UInt64 = 200_000
        async let writer: Void = onThread { for number in 1...count { shared.write(number) } }
        let wrong = await onThread { () -> String? in
            var newest: UInt64 = 0
            while newest < count {
                guard let values = shared.read() else {
                    sched_yield()
                    continue
                }
                guard values.allSatisfy({ $0 == values[0] }), values[0] > newest else {
                    return "\(values) after \(newest)"
                }
                newest = values[0]
            }
            return nil
        }
        await writer
        #expect(wrong == nil)
    }
}

/// A buffer of values that are eight times the same number.
private final class SharedBuffer: Sendable {
    private let indices = TripleBufferIndices()
    /// A slot is only ever touched by the side that the indices gave it to.
    private nonisolated(unsafe) let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 24)

    deinit { slots.deallocate() }

    func write(_ number: UInt64) {
        let slot = indices.slotToWrite()
        for index in 0..<8 { slots[8 * slot + index] = number }
        indices.didWrite()
    }

    func read() -> [UInt64]? {
        indices.takeNewest().map { slot in (0..<8).map { slots[8 * slot + $0] } }
    }
}
