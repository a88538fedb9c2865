import Engine

/// Remembers the user's connections and decides which to restore.
///
/// A connection is forgotten when the user removes it, but not when the port at its other end disappears: it is
/// restored when that port is back, with the server or after it.
struct ConnectionMemory {
    /// See ``JackPatience/doubt``.
    private let doubt: Duration
    /// A connection that disappears within this time of a port was lost with it.
    static let coincidence = Duration.milliseconds(200)

    /// The connections to keep for the next run; nil until there have been any.
    private(set) var remembered: JackConnections?
    /// Connections that have existed during this client's life and whose other ends are still there.
    private var established: Set<Connection> = []
    /// The established connections that are gone.
    private var missing: [Connection: Absence] = [:]
    private var lastDeparture: Duration?

    private struct Absence {
        /// When the absence was noticed.
        var since: Duration
        /// Whether it was lost with a port: it is restored if that is still there, or there again.
        var isDeparture: Bool
    }

    /// Begins with the last run's connections; nil on the very first start.
    init(remembered: JackConnections?, connectsAtFirst: Bool, doubt: Duration = JackPatience().doubt) {
        self.doubt = doubt
        self.remembered = remembered ?? (connectsAtFirst ? nil : [:])
    }

    /// When to look at the graph again even without a notification.
    var deadline: Duration? {
        missing.values.map(\.since).min().map { $0 + doubt }
    }

    /// Updates the memory from the graph.
    ///
    /// - Returns: The connections to make.
    mutating func observe(_ graph: PortGraph, at now: Duration) -> Set<Connection> {
        let current = graph.connections.pairs
        guard let remembered = remembered?.pairs else {
            return observeFirst(graph, current)
        }
        let known = renumbered(remembered, in: graph)
        let gone = known.subtracting(current).filter { graph.inputs.contains($0.peer) }
        let lost = gone.intersection(established)
        missing = lost.reduce(into: [:]) { $0[$1] = missing[$1] ?? absence(since: now) }
        let due = missing.filter { now - $0.value.since >= doubt }
        missing = missing.filter { due[$0.key] == nil }
        let removedNames = Set(due.filter { !$0.value.isDeparture }.keys)
        established = current.union(missing.keys)
        self.remembered = JackConnections(known.union(current).subtracting(removedNames))
        return gone.subtracting(missing.keys).subtracting(removedNames)
    }

    /// Some client's ports are leaving, or have just left.
    mutating func portsLeft(at now: Duration) {
        lastDeparture = now
        for (connection, absence) in missing where now - absence.since <= Self.coincidence {
            missing[connection]?.isDeparture = true
        }
    }

    /// The server or the client is gone. The user has not removed the connections.
    mutating func forgetGraph() {
        established = []
        missing = [:]
    }

    private func absence(since now: Duration) -> Absence {
        Absence(since: now, isDeparture: lastDeparture.map { now - $0 <= Self.coincidence } ?? false)
    }

    /// The connections, with the name of each missing MIDI port replaced by the one port whose name differs only in
    /// numbers, if there is exactly one: the numbers of USB devices change when the machine restarts.
    private func renumbered(_ connections: Set<Connection>, in graph: PortGraph) -> Set<Connection> {
        Set(
            connections.map { connection in
                let peers = graph.midiPeers(of: connection.port)
                guard !peers.isEmpty, !peers.contains(connection.peer) else { return connection }
                let name = connection.peer.withoutNumbers
                let alike = peers.filter { peer in
                    peer.withoutNumbers == name
                        && !connections.contains(Connection(port: connection.port, peer: peer))
                }
                guard alike.count == 1, let peer = alike.first else { return connection }
                return Connection(port: connection.port, peer: peer)
            })
    }

    /// Only connections of the main ports are a choice: another program may already have connected a keyboard.
    private mutating func observeFirst(_ graph: PortGraph, _ current: Set<Connection>) -> Set<Connection> {
        let (mainLeft, mainRight) = (EnginePort.mainLeft.name, EnginePort.mainRight.name)
        guard !current.contains(where: { $0.port == mainLeft || $0.port == mainRight }) else {
            remembered = graph.connections
            established = current
            return []
        }
        guard let left = graph.playback.first else { return [] }
        let right = graph.playback.dropFirst().first ?? left
        return [
            Connection(port: mainLeft, peer: left), Connection(port: mainRight, peer: right),
        ]
    }
}

extension String {
    fileprivate var withoutNumbers: String { filter { !$0.isNumber } }
}
