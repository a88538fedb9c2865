import Glibc
import TestSupport
import Testing

@testable import Engine

@Suite struct TripleBufferTests {
    @Test func `nothing is new before anything was published`() {
        let buffer = TripleBuffer(0)
        #expect(buffer.fetchNewest() == nil)
    }

    @Test func `the newest value is read once`() {
        let buffer = TripleBuffer(0)
        buffer.publish(7)
        #expect(buffer.fetchNewest()?.pointee == 7)
        #expect(buffer.fetchNewest() == nil)
    }

    @Test func `of several values only the last is read, and the writer learns which are never seen`() {
        let buffer = TripleBuffer(0)
        #expect(buffer.publish(1) == false)
        for number in 2...5 { #expect(buffer.publish(number) == true) }
        #expect(buffer.fetchNewest()?.pointee == 5)
        #expect(buffer.fetchNewest() == nil)
        #expect(buffer.publish(6) == false)
    }

    @Test func `the writer never gets the slot that the reader holds`() {
        let buffer = TripleBuffer(0)
        var held: UnsafePointer<Int>?
        for round in 1...50 {
            #expect(UnsafePointer(buffer.draft) != held)
            buffer.publish(round)
            #expect(UnsafePointer(buffer.draft) != held)
            if round % 3 != 0, let newest = buffer.fetchNewest() { held = newest }
            #expect(UnsafePointer(buffer.draft) != held)
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
    /// One thread publishes, and one takes.
    private nonisolated(unsafe) let buffer = TripleBuffer(InlineArray<8, UInt64>(repeating: 0))

    func write(_ number: UInt64) {
        for index in 0..<8 { buffer.draft.pointee[index] = number }
        buffer.publish()
    }

    func read() -> [UInt64]? {
        buffer.fetchNewest().map { newest in (0..<8).map { newest.pointee[$0] } }
    }
}
