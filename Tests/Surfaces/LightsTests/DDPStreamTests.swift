import Testing

@testable import Lights

struct DDPStreamTests {
    @Test func `a small picture is one packet, byte for byte as published`() {
        var stream = DDPStream()
        #expect(
            stream.picture([1, 2, 3, 4, 5, 6])
                == [
                    Packet(bytes: [
                        0x41,  // version 1, push
                        0x01,  // sequence
                        0x0b,  // RGB, 8 bits
                        0x01,  // the default device
                        0, 0, 0, 0,  // offset
                        0, 6,  // length
                        1, 2, 3, 4, 5, 6,
                    ])
                ])
    }

    @Test func `a large picture is split, and shown with the last packet`() {
        var stream = DDPStream()
        let channels: [UInt8] = (0..<3168).map { UInt8($0 % 251) }
        let packets = stream.picture(channels).map(\.bytes)
        #expect(packets.map(\.count) == [1450, 1450, 298])
        #expect(packets.map { Array($0[..<4]) } == [[0x40, 1, 0x0b, 1], [0x40, 2, 0x0b, 1], [0x41, 3, 0x0b, 1]])
        #expect(
            packets.map { Array($0[4..<10]) } == [
                [0, 0, 0, 0, 5, 0xa0], [0, 0, 5, 0xa0, 5, 0xa0], [0, 0, 0x0b, 0x40, 1, 0x20],
            ])
        #expect(packets.flatMap { $0[10...] } == channels)
    }

    @Test func `packets are counted from 1 to 15`() {
        var stream = DDPStream()
        for count in 0..<32 {
            let number = UInt8(count % 15 + 1)
            #expect(stream.picture([0, 0, 0]).map { $0.bytes[1] } == [number])
        }
    }

    @Test func `a picture begins at the configured channel`() {
        var stream = DDPStream(offset: 30)
        #expect(stream.picture([9, 9, 9]).map { Array($0.bytes[4..<10]) } == [[0, 0, 0, 30, 0, 3]])
    }
}
