/// The Distributed Display Protocol (3waylabs.com/ddp), which WLED, FPP and xLights speak: a picture of any size as bytes
/// with an offset.
struct DDPStream: LightStream {
    static let name = "DDP"
    static let port: UInt16 = 4048

    /// Bytes of data in a packet: 480 lights, which fits an Ethernet frame.
    private static let dataLimit = 1440
    /// Version 1.
    private static let version: UInt8 = 0x40
    /// Show it all now.
    private static let push: UInt8 = 0x01
    /// Red, green and blue, 8 bits each.
    private static let dataType: UInt8 = 0x0b
    /// The default output device.
    private static let device: UInt8 = 1

    /// The byte at which the picture begins.
    let offset: Int
    /// 1 to 15; 0 would disable counting.
    private var sequence: UInt8 = 0

    init(offset: Int = 0) {
        self.offset = offset
    }

    mutating func picture(_ channels: [UInt8]) -> [Packet] {
        stride(from: 0, to: channels.count, by: Self.dataLimit).map { start in
            let end = min(start + Self.dataLimit, channels.count)
            return packet(channels[start..<end], isLast: end == channels.count)
        }
    }

    private mutating func packet(_ data: ArraySlice<UInt8>, isLast: Bool) -> Packet {
        sequence = sequence % 15 + 1
        var bytes: [UInt8] = [Self.version | (isLast ? Self.push : 0), sequence, Self.dataType, Self.device]
        bytes.append(bigEndian: UInt32(offset + data.startIndex))
        bytes.append(bigEndian: UInt16(data.count))
        return Packet(bytes: bytes + data)
    }
}
