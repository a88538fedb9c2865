/// A packet and its target.
struct Packet: Equatable, Sendable {
    enum Target: Equatable, Sendable {
        /// Each of the controllers that a protocol's pictures go to; those of a group listen to that of a universe.
        case controllers(universe: Int)
        /// Everybody in the networks that the controllers are in.
        case networks
    }

    var bytes: [UInt8]
    var target = Target.controllers(universe: 0)
}

/// A protocol of lights: makes numbered packets out of pictures, without sockets and clocks.
protocol LightStream: Sendable {
    static var name: String { get }
    /// The protocol's UDP port.
    static var port: UInt16 { get }
    /// How often a changed picture is sent before it is only repeated.
    static var sendsAfterChange: Int { get }

    /// A picture, as red, green and blue of each light in the order of the wires.
    mutating func picture(_ channels: [UInt8]) -> [Packet]

    /// Packets that are sent every 10 s beside pictures with this many channels.
    mutating func announcement(channels count: Int) -> [Packet]

    /// Packets that end the stream, after the last picture with this many channels.
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
