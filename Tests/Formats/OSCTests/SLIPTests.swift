import TestSupport
import Testing

@testable import OSC

struct SLIPTests {
    @Test func `a packet is sent between two ENDs, with its own escaped`() {
        #expect(SLIP.encode([1, 0xc0, 2, 0xdb, 3]) == [0xc0, 1, 0xdb, 0xdc, 2, 0xdb, 0xdd, 3, 0xc0])
    }

    @Test(arguments: 0..<10) func `packets come out of the stream as they went in, however it is split`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let packets = (0..<20).map { _ in
            (0..<Int.random(in: 1...40, using: &random)).map { _ in
                [0xc0, 0xdb, 0xdc, 0xdd, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
        }
        var rest = packets.flatMap(SLIP.encode)[...]
        var decoder = SLIPDecoder(limit: 40)
        var received: [[UInt8]] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...9, using: &random)
            received += try decoder.receive(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(received == packets)
    }

    @Test func `a packet that is too long, or has a needless escape, ends the stream`() {
        var decoder = SLIPDecoder(limit: 3)
        #expect(throws: SLIPDecoder.Failure.tooLong) { try decoder.receive([1, 2, 3, 4]) }
        var other = SLIPDecoder(limit: 3)
        #expect(throws: SLIPDecoder.Failure.badEscape) { try other.receive([0xdb, 1]) }
    }
}
