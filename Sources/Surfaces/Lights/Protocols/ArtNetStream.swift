/// Art-Net 4 (art-net.org.uk, "Art-Net 4 Protocol Release V1.4"): ArtDmx for each universe, then ArtSync, so that all
/// controllers show it at once.
struct ArtNetStream: LightStream {
    static let name = "Art-Net"
    static let port: UInt16 = 6454

    /// The valid port addresses.
    static let universes = 0...32_767

    private static let identification = Array("Art-Net\0".utf8)
    private static let protocolVersion: UInt16 = 14
    private static let sync: UInt16 = 0x5200
    private static let dmx: UInt16 = 0x5000

    let universes: Universes
    /// 1 to 255, counting pictures; 0 would disable counting.
    private var sequence: UInt8 = 0

    init(_ universes: Universes) {
        self.universes = universes
    }

    mutating func picture(_ channels: [UInt8]) -> [Packet] {
        sequence = sequence % 255 + 1
        return universes.parts(of: channels).map(packet) + [
            Packet(bytes: Self.header(Self.sync) + [0, 0], target: .networks)
        ]
    }

    private func packet(universe: Int, channels: [UInt8]) -> Packet {
        // An even number of channels.
        let data = channels + [UInt8](repeating: 0, count: channels.count % 2)
        var bytes = Self.header(Self.dmx)
        // No physical input; the lower byte of the port address before the upper one.
        bytes += [sequence, 0, UInt8(universe & 0xff), UInt8(universe >> 8)]
        bytes.append(bigEndian: UInt16(data.count))
        return Packet(bytes: bytes + data, target: .controllers(universe: universe))
    }

    /// The start of a packet: the identification, the code with its lower byte first, the version.
    private static func header(_ code: UInt16) -> [UInt8] {
        var bytes = identification + [UInt8(code & 0xff), UInt8(code >> 8)]
        bytes.append(bigEndian: protocolVersion)
        return bytes
    }
}
