import Engine

/// Which ports our ports are connected to: from our ports' short names (`main_L`) to the others' full names
/// (`system:playback_1`), which may contain any bytes (`ByteText`).
public typealias JackConnections = [String: Set<String>]

/// One connection of a port of ours.
struct PortConnection: Hashable, Sendable {
    /// Our port's short name.
    var port: String
    /// The other port's full name.
    var peer: String
}

/// The part of JACK's graph that matters to us.
struct PortGraph: Sendable, Equatable {
    var connections: JackConnections = [:]
    /// The full names of all ports that ours could be connected to.
    var inputs: Set<String> = []
    /// The physical audio inputs among them, such as speakers, in the server's order.
    var playback: [String] = []
    /// The MIDI outputs among them.
    var midiOutputs: Set<String> = []
    /// The MIDI inputs among them.
    var midiInputs: Set<String> = []
    /// Connections of our ports to each other, which are not remembered.
    var loops: Set<PortConnection> = []

    /// The MIDI ports that a port of ours can be connected to; none for an audio port.
    func midiPeers(of port: String) -> Set<String> {
        switch EnginePort.all.first(where: { $0.name == port })?.kind {
        case .midiInput: midiOutputs
        case .midiOutput: midiInputs
        case .audioOutput, nil: []
        }
    }
}

extension JackConnections {
    /// The connections one by one.
    var pairs: Set<PortConnection> {
        Set(flatMap { port, peers in peers.map { PortConnection(port: port, peer: $0) } })
    }

    init(_ pairs: Set<PortConnection>) {
        self.init()
        for connection in pairs {
            self[connection.port, default: []].insert(connection.peer)
        }
    }
}
