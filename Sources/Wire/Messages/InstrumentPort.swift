import JSON

/// One of the daemon's ports, as `audio.ports` and `midi.ports` list them.
public struct InstrumentPort: WireMessage, Equatable {
    /// The port's name, without that of the daemon's JACK client.
    public var name: String
    /// The full names of the ports that it is connected to, sorted.
    public var connections: [String]

    /// A port.
    public init(name: String, connections: [String] = []) {
        self.name = name
        self.connections = connections
    }

    /// `{"name": "midi_in", "connections": ["a2j:Keystation [24] (capture): Keystation MIDI 1"]}`
    public static let kind = Kind<InstrumentPort>.record(
        Member("name", .string, \.name), Member("connections", .array(of: .string), \.connections),
        make: InstrumentPort.init)
}
