struct Packet: Equatable, Sendable {
    enum Target: Equatable, Sendable {
        /// Each controller that gets a protocol's pictures; with multicast, the group of a universe.
        case controllers(universe: Int)
        /// All hosts in the controllers' networks.
        case networks
    }

    var bytes: [UInt8]
    var target = Target.controllers(universe: 0)
}

/// A protocol for lights: turns pictures into numbered packets, without sockets or clocks.
protocol LightStream: Sendable {
    static var name: String { get }
    /// The protocol's UDP port.
    static var port: UInt16 { get }
    /// How often a changed picture is sent before it is repeated slowly.
    static var sendsAfterChange: Int { get }

    /// A picture, as red, green and blue of each light in the order of the wires.
    mutating func picture(_ channels: [UInt8]) -> [Packet]

    /// Packets that are sent every 10 s along with pictures of this many channels.
    mutating func announcement(channels count: Int) -> [Packet]

    /// Packets that end the stream, after the last picture of this many channels.
    mutating func farewell(channels count: Int) -> [Packet]
}

extension LightStream {
    static var sendsAfterChange: Int { 1 }
    mutating func announcement(channels count: Int) -> [Packet] { [] }
    mutating func farewell(channels count: Int) -> [Packet] { [] }
}

extension [UInt8] {
    /// Appends a number in network byte order, highest byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
