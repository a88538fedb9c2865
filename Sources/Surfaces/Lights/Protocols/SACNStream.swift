/// Streaming ACN, ANSI E1.31-2018: a packet for each universe; the list of universes every 10 s.
struct SACNStream: LightStream {
    static let name = "sACN"
    static let port: UInt16 = 5568
    /// A picture must be sent three times before it may be repeated slowly. (6.6.1)
    static let sendsAfterChange = 3

    static let universes = 1...63_999
    /// The universe to which lists of universes are sent.
    static let discoveryUniverse = 64_214

    /// Vectors, which identify the content of a layer.
    private enum Vector {
        static let rootData: UInt32 = 0x0000_0004
        static let rootExtended: UInt32 = 0x0000_0008
        static let dataPacket: UInt32 = 0x0000_0002
        static let extendedDiscovery: UInt32 = 0x0000_0002
        static let universeList: UInt32 = 0x0000_0001
        static let setProperty: UInt8 = 0x02
    }

    private static let priority: UInt8 = 100
    private static let terminated: UInt8 = 0x40
    /// Universes in one list.
    private static let listLimit = 512

    let universes: Universes
    private let identifier: [UInt8]
    private let source: [UInt8]
    /// The last packet's number, by universe.
    private var sequences: [Int: UInt8] = [:]

    /// - Parameters:
    ///   - identifier: The CID: 16 bytes that no other sender has.
    ///   - source: A name for people, of which at most 63 bytes are sent.
    init(_ universes: Universes, identifier: [UInt8], source: String) {
        self.universes = universes
        self.identifier = identifier
        var name = source
        while name.utf8.count > 63 { name.removeLast() }
        self.source = Array(name.utf8) + [UInt8](repeating: 0, count: 64 - name.utf8.count)
    }

    mutating func picture(_ channels: [UInt8]) -> [Packet] {
        universes.parts(of: channels).map { packet(universe: $0.universe, channels: $0.channels, options: 0) }
    }

    mutating func farewell(channels count: Int) -> [Packet] {
        universes.parts(of: [UInt8](repeating: 0, count: count)).map {
            packet(universe: $0.universe, channels: $0.channels, options: Self.terminated)
        }
    }

    mutating func announcement(channels count: Int) -> [Packet] {
        let numbers = Array(universes.numbers(channels: count))
        let last = (numbers.count - 1) / Self.listLimit
        return (0...last).map { page in
            list(numbers.dropFirst(page * Self.listLimit).prefix(Self.listLimit), page: page, last: last)
        }
    }

    private mutating func packet(universe: Int, channels: [UInt8], options: UInt8) -> Packet {
        let sequence = sequences[universe, default: 255] &+ 1
        sequences[universe] = sequence
        var property: [UInt8] = [Vector.setProperty, 0xa1, 0, 0, 0, 1]
        property.append(bigEndian: UInt16(1 + channels.count))
        // Start code 0: levels.
        property += [0] + channels
        var framing: [UInt8] = []
        framing.append(bigEndian: Vector.dataPacket)
        // No synchronization address.
        framing += source + [Self.priority, 0, 0, sequence, options]
        framing.append(bigEndian: UInt16(universe))
        framing += Self.layer(property)
        return root(Vector.rootData, framing, universe: universe)
    }

    private func list(_ numbers: ArraySlice<Int>, page: Int, last: Int) -> Packet {
        var list: [UInt8] = []
        list.append(bigEndian: Vector.universeList)
        list += [UInt8(page), UInt8(last)]
        for number in numbers { list.append(bigEndian: UInt16(number)) }
        var framing: [UInt8] = []
        framing.append(bigEndian: Vector.extendedDiscovery)
        framing += source + [0, 0, 0, 0] + Self.layer(list)
        return root(Vector.rootExtended, framing, universe: Self.discoveryUniverse)
    }

    private func root(_ vector: UInt32, _ framing: [UInt8], universe: Int) -> Packet {
        var content: [UInt8] = []
        content.append(bigEndian: vector)
        content += identifier + Self.layer(framing)
        // Sizes of preamble and postamble, and the protocol's name.
        let bytes = [0x00, 0x10, 0x00, 0x00] + Array("ASC-E1.17\0\0\0".utf8) + Self.layer(content)
        return Packet(bytes: bytes, target: .controllers(universe: universe))
    }

    /// A layer: flags and length, which counts itself, and the content.
    private static func layer(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: 0x7000 | UInt16(content.count + 2))
        return bytes + content
    }
}
