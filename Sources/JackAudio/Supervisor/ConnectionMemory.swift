/// Remembers the user's connections and says which are to be made again.
///
/// A connection is forgotten when the user takes it away, not when the port at its other end goes: that one is connected
/// again when it comes back, be that with the server or after it.
struct ConnectionMemory {
    /// How long the other port must outlive a connection before the user counts as having taken it away: JACK reports a
    /// leaving client's connections before its ports.
    static let doubt = Duration.seconds(1)

    /// The connections to keep for the next run; nil until there was a choice.
    private(set) var remembered: JackConnections?
    /// Connections that existed in this client's life and whose other ends have been there since.
    private var established: Set<Connection> = []
    /// Of these, the ones that are gone, and since when.
    private var missing: [Connection: Duration] = [:]

    /// A memory of the last run; nil on the very first start.
    init(remembered: JackConnections?, connectsAtFirst: Bool) {
        self.remembered = remembered ?? (connectsAtFirst ? nil : [:])
    }

    /// When to look at the graph again although nothing seems to happen.
    var deadline: Duration? {
        missing.values.min().map { $0 + Self.doubt }
    }

    /// Learns from the graph.
    ///
    /// - Returns: The connections to make.
    mutating func observe(_ graph: PortGraph, at now: Duration) -> Set<Connection> {
        let current = graph.connections.pairs
        guard let known = remembered?.pairs else {
            return observeFirst(graph, current)
        }
        let gone = known.subtracting(current).filter { graph.inputs.contains($0.peer) }
        let takenAway = gone.intersection(established)
        missing = takenAway.reduce(into: [:]) { $0[$1] = missing[$1] ?? now }
        let forgotten = takenAway.filter { now - missing[$0, default: now] >= Self.doubt }
        for connection in forgotten { missing[connection] = nil }
        established = current.union(takenAway).subtracting(forgotten)
        remembered = JackConnections(known.union(current).subtracting(forgotten))
        return gone.subtracting(takenAway)
    }

    /// The server or the client is gone, and with it all connections: none of them was taken away.
    mutating func forgetGraph() {
        established = []
        missing = [:]
    }

    private mutating func observeFirst(_ graph: PortGraph, _ current: Set<Connection>) -> Set<Connection> {
        guard current.isEmpty else {
            remembered = graph.connections
            established = current
            return []
        }
        guard let left = graph.playback.first else { return [] }
        let right = graph.playback.dropFirst().first ?? left
        return [
            Connection(port: OutputPort.mainLeft.name, peer: left),
            Connection(port: OutputPort.mainRight.name, peer: right),
        ]
    }
}
