import Testing

@testable import Lights

struct ArtNetStreamTests {
    private let sync: [UInt8] = [
        0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00,  // "Art-Net", 0
        0x00, 0x52,  // OpSync, lower byte first
        0, 14,  // the protocol's version
        0, 0,
    ]

    @Test func `a small picture is a packet and a sync, byte for byte as published`() {
        var stream = ArtNetStream(Universes(first: 0x1234, start: 1))
        #expect(
            stream.picture([1, 2, 3, 4, 5, 6])
                == [
                    Packet(
                        bytes: [
                            0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00,  // "Art-Net", 0
                            0x00, 0x50,  // OpDmx, lower byte first
                            0, 14,  // the protocol's version
                            1,  // sequence
                            0,  // physical
                            0x34, 0x12,  // sub-net and universe, net
                            0, 6,  // length
                            1, 2, 3, 4, 5, 6,
                        ], target: .controllers(universe: 0x1234)),
                    Packet(bytes: sync, target: .networks),
                ])
    }

    @Test func `a universe has an even number of channels`() {
        var stream = ArtNetStream(Universes(first: 0, start: 1))
        #expect(stream.picture([1, 2, 3])[0].bytes[16...] == [0, 4, 1, 2, 3, 0])
    }

    @Test func `the whole grid takes seven universes and one sync`() {
        var stream = ArtNetStream(Universes(first: 2, start: 1))
        let packets = stream.picture([UInt8](repeating: 1, count: 3168))
        #expect(packets.dropLast().map { $0.bytes.count - 18 } == [510, 510, 510, 510, 510, 510, 108])
        #expect(packets.dropLast().map(\.target) == (2...8).map { .controllers(universe: $0) })
        #expect(packets.last == Packet(bytes: sync, target: .networks))
    }

    @Test func `pictures are counted from 1 to 255, the same in all universes`() {
        var stream = ArtNetStream(Universes(first: 0, start: 1))
        for count in 0..<600 {
            let packets = stream.picture([UInt8](repeating: 0, count: 513)).dropLast()
            let number = UInt8(count % 255 + 1)
            #expect(packets.map { $0.bytes[12] } == [number, number])
        }
    }
}
