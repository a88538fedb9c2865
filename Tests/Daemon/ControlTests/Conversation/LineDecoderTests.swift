import NIOCore
import ServerSupport
import TestSupport
import Testing

struct LineDecoderTests {
    private func lines(_ chunks: [String], maximumLength: Int = 16) -> (lines: [String], rest: String?) {
        var decoder = LineDecoder(maximumLength: maximumLength)
        var lines: [String] = []
        for chunk in chunks {
            decoder.append(ByteBuffer(string: chunk))
            while let element = decoder.next() {
                switch element {
                case .line(let line): lines.append(String(buffer: line))
                case .tooLong: lines.append("too long")
                }
            }
        }
        return (lines, decoder.rest().map { String(buffer: $0) })
    }

    @Test(
        arguments: [
            (["a\n"], ["a"], nil), (["a\nb\n"], ["a", "b"], nil), (["a", "b", "\n"], ["ab"], nil),
            (["\n\n"], ["", ""], nil), (["a\nb"], ["a"], "b"), (["a\r\n"], ["a\r"], nil), ([], [], nil),
            (["a", "\nb\nc", "d\n"], ["a", "b", "cd"], nil),
        ] as [([String], [String], String?)])
    func `lines are split at newlines, however the bytes arrive`(chunks: [String], expected: [String], rest: String?) {
        let (found, foundRest) = lines(chunks)
        #expect(found == expected)
        #expect(foundRest == rest)
    }

    @Test func `a line of the maximum length passes, one byte more does not, with or without its newline`() {
        #expect(lines(["0123456789abcdef\n"]).lines == ["0123456789abcdef"])
        #expect(lines(["0123456789abcdefg\n"]).lines == ["too long"])
        #expect(lines(["0123456789abcdefg"]).lines == ["too long"])
        #expect(lines(["0123456789", "abcdef", "g"]).lines == ["too long"])
        #expect(lines(["0123456789abcdef"]).lines == [])
    }

    @Test func `after too long a line the rest is ignored`() {
        let (found, rest) = lines(["0123456789abcdefg\nok\n", "ok\nrest"])
        #expect(found == ["too long"])
        #expect(rest == nil)
    }

    @Test func `read lines are removed`() {
        var decoder = LineDecoder(maximumLength: 100)
        decoder.append(ByteBuffer(string: "abc\n"))
        _ = decoder.next()
        let rest = decoder.rest()
        #expect(rest == nil)
    }

    @Test func `read lines free their memory, even if reads always end in the middle of a line`() {
        var decoder = LineDecoder(maximumLength: 1000)
        let chunk = String(repeating: "x", count: 500) + "\n" + String(repeating: "y", count: 500)
        for _ in 0..<1000 {
            decoder.append(ByteBuffer(string: chunk))
            while decoder.next() != nil {}
        }
        let rest = decoder.rest()
        #expect(rest?.readableBytes == 500)
        #expect((rest?.storageCapacity ?? .max) < 10_000)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `any split into chunks gives the same lines`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let expected = (0..<50).map { _ in
            String(repeating: "x", count: .random(in: 0...16, using: &random))
        }
        var bytes = Array(expected.map { $0 + "\n" }.joined().utf8)[...]
        var chunks: [String] = []
        while !bytes.isEmpty {
            let count = min(Int.random(in: 1...40, using: &random), bytes.count)
            chunks.append(String(decoding: bytes.prefix(count), as: UTF8.self))
            bytes = bytes.dropFirst(count)
        }
        #expect(lines(chunks).lines == expected)
    }
}
