import TestSupport
import Testing

@testable import Takes

/// The compression of takes.
@Suite struct DeflateTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `everything up to a flush can be read`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (deflate, inflate) = (DeflateStream(), InflateStream())
        for _ in 0..<40 {
            let count = [0, 1, 40, 5000, 200_000].randomElement(using: &random)!
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...(seed % 2 == 0 ? 3 : 255), using: &random) }
            let middle = Int.random(in: 0...count, using: &random)
            let compressed =
                deflate.compress(Array(bytes[..<middle])) + deflate.compress(Array(bytes[middle...])) + deflate.flush()
            var expanded: [UInt8] = []
            var rest = compressed[...]
            while !rest.isEmpty {
                let piece = rest.prefix(.random(in: 1...70_000, using: &random))
                expanded += try inflate.expand(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(expanded == bytes)
        }
    }

    @Test func `what is no deflated stream is refused`() {
        #expect(throws: MalformedTake.self) { try InflateStream().expand([0xff, 0xff, 0xff, 0xff, 1, 2, 3]) }
    }
}
