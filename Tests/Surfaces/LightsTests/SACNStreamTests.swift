import Testing

@testable import Lights

struct SACNStreamTests {
    private let identifier = (0..<16).map { UInt8(0xa0 + $0) }
    private var source: [UInt8] { Array("PixelBoop".utf8) + [UInt8](repeating: 0, count: 55) }

    private func stream(first: Int = 0x0102, start: Int = 1) -> SACNStream {
        SACNStream(Universes(first: first, start: start), identifier: identifier, source: "PixelBoop")
    }

    private let preamble: [UInt8] =
        [0x00, 0x10, 0x00, 0x00] + [0x41, 0x53, 0x43, 0x2d, 0x45, 0x31, 0x2e, 0x31, 0x37, 0, 0, 0]

    /// A packet with three channels, as in E1.31, table 4-1.
    private func packet(sequence: UInt8, options: UInt8, _ channels: [UInt8]) -> [UInt8] {
        let root: [UInt8] = [
            0x70, 0x71,  // flags, and the length from here
            0, 0, 0, 4,  // data
        ]
        let framing: [UInt8] = [
            0x70, 0x5b,  // flags, and the length from here
            0, 0, 0, 2,  // a packet of data
        ]
        let property: [UInt8] = [
            100,  // priority
            0, 0,  // no synchronization
            sequence, options,
            1, 2,  // universe
            0x70, 0x0e,  // flags, and the length from here
            2, 0xa1, 0, 0, 0, 1,  // set property, one byte each from 0 on
            0, 4,  // values
            0,  // levels
        ]
        return [preamble, root, identifier, framing, source, property, channels].flatMap(\.self)
    }

    @Test func `a small picture is one packet, byte for byte as published`() {
        var stream = stream()
        #expect(
            stream.picture([7, 8, 9])
                == [
                    Packet(bytes: packet(sequence: 0, options: 0, [7, 8, 9]), target: .controllers(universe: 0x0102))
                ])
        #expect(stream.picture([7, 8, 9]).map(\.bytes) == [packet(sequence: 1, options: 0, [7, 8, 9])])
    }

    @Test func `a full universe is a packet of 636 bytes, and each universe counts its own packets`() {
        var stream = stream(first: 1)
        for count in 0..<300 {
            let packets = stream.picture([UInt8](repeating: 5, count: 1020))
            #expect(packets.map(\.bytes.count) == [636, 636])
            #expect(packets.map { $0.bytes[111] } == [UInt8(count % 256), UInt8(count % 256)])
            #expect(packets.map { Array($0.bytes[113...114]) } == [[0, 1], [0, 2]])
        }
    }

    @Test func `the end of the stream is marked by its option`() {
        var stream = stream()
        #expect(stream.farewell(channels: 3).map(\.bytes) == [packet(sequence: 0, options: 0x40, [0, 0, 0])])
    }

    @Test func `universes are announced, byte for byte as published`() {
        var stream = stream()
        let root: [UInt8] = [0x70, 0x6c, 0, 0, 0, 8]
        let framing: [UInt8] = [0x70, 0x56, 0, 0, 0, 2]
        let list: [UInt8] = [0, 0, 0, 0, 0x70, 0x0c, 0, 0, 0, 1, 0, 0, 0x01, 0x02, 0x01, 0x03]
        let expected = [preamble, root, identifier, framing, source, list].flatMap(\.self)
        #expect(
            stream.announcement(channels: 513)
                == [Packet(bytes: expected, target: .controllers(universe: 64_214))])
    }

    @Test func `a long list of universes has pages`() {
        var stream = stream(first: 1)
        let packets = stream.announcement(channels: 510 * 513).map(\.bytes)
        #expect(packets.map(\.count) == [120 + 1024, 122])
        #expect(packets.map { Array($0[118...119]) } == [[0, 1], [1, 1]])
        #expect(Array(packets[1][120...]) == [0x02, 0x01])
    }

    @Test func `a name that is too long is cut between characters`() {
        var stream = SACNStream(
            Universes(first: 1, start: 1), identifier: identifier, source: String(repeating: "ü", count: 40))
        let name = stream.picture([1, 2, 3])[0].bytes[44..<108]
        #expect(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) == String(repeating: "ü", count: 31))
    }
}
