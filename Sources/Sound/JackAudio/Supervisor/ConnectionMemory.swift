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
    private var established: Set<PortConnection> = []
    /// The established connections that are gone.
    private var missing: [PortConnection: Absence] = [:]
    private var lastDeparture: Duration?
    /// For each remembered MIDI port that has been there, the ports that differ from it only in numbers and were there at
    /// the same time: none of them is that port under a new number.
    private var neighbours: [String: Set<String>] = [:]
    /// The ports that may be remembered ones under new numbers.
    private var successors: [PortConnection: Successor] = [:]
    /// Connections that were moved to a port with other numbers before theirs was ever seen: it may still come.
    private var moved: Set<PortConnection> = []

    private struct Successor: Equatable {
        var peer: String
        /// Since when it has been the only one.
        var since: Duration
    }

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
        (missing.values.map(\.since) + successors.values.map(\.since)).min().map { $0 + doubt }
    }

    /// Updates the memory from the graph.
    ///
    /// - Returns: The connections to make.
    mutating func observe(_ graph: PortGraph, at now: Duration) -> Set<PortConnection> {
        let current = graph.connections.pairs
        guard let remembered = remembered?.pairs else {
            return observeFirst(graph, current)
        }
        let back = moved.filter { graph.midiPeers(of: $0.port).contains($0.peer) }
        moved.subtract(back)
        let known = renumbered(remembered.union(back), in: graph, at: now)
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
        successors = [:]
    }

    private func absence(since now: Duration) -> Absence {
        Absence(since: now, isDeparture: lastDeparture.map { now - $0 <= Self.coincidence } ?? false)
    }

    /// The connections, with the name of each missing MIDI port replaced by the one port whose name differs only in
    /// numbers, if there is exactly one: the numbers of USB devices change when the machine restarts.
    ///
    /// That port must not have been there beside the missing one, as the first input of a synthesizer beside the second;
    /// and it must stay the only one for a moment, because a client's ports appear one after the other.
    private mutating func renumbered(
        _ connections: Set<PortConnection>, in graph: PortGraph, at now: Duration
    ) -> Set<PortConnection> {
        var found: [PortConnection: Successor] = [:]
        let known = connections.map { connection in
            guard let peer = successor(of: connection, among: connections, in: graph) else { return connection }
            let former = successors[connection].flatMap { $0.peer == peer ? $0 : nil }
            let successor = former ?? Successor(peer: peer, since: now)
            guard now - successor.since >= doubt else {
                found[connection] = successor
                return connection
            }
            if neighbours[connection.peer] == nil { moved.insert(connection) }
            return PortConnection(port: connection.port, peer: peer)
        }
        successors = found
        return Set(known)
    }

    /// The only port that can be a connection's missing one under a new number; nil if that is there, or others are alike.
    private mutating func successor(
        of connection: PortConnection, among connections: Set<PortConnection>, in graph: PortGraph
    ) -> String? {
        let peers = graph.midiPeers(of: connection.port)
        let name = connection.peer.withoutNumbers
        let alike = peers.filter { $0 != connection.peer && $0.withoutNumbers == name }
        if peers.contains(connection.peer) {
            neighbours[connection.peer, default: []].formUnion(alike)
            return nil
        }
        let strangers = alike.filter { peer in
            !(neighbours[connection.peer]?.contains(peer) ?? false)
                && !connections.contains(PortConnection(port: connection.port, peer: peer))
        }
        return strangers.count == 1 ? strangers.first : nil
    }

    /// Only connections of the main ports are a choice: another program may already have connected a keyboard.
    private mutating func observeFirst(_ graph: PortGraph, _ current: Set<PortConnection>) -> Set<PortConnection> {
        let (mainLeft, mainRight) = (EnginePort.mainLeft.name, EnginePort.mainRight.name)
        guard !current.contains(where: { $0.port == mainLeft || $0.port == mainRight }) else {
            remembered = graph.connections
            established = current
            return []
        }
        guard let left = graph.playback.first else { return [] }
        let right = graph.playback.dropFirst().first ?? left
        return [
            PortConnection(port: mainLeft, peer: left), PortConnection(port: mainRight, peer: right),
        ]
    }
}

extension String {
    fileprivate var withoutNumbers: String { filter { !$0.isNumber } }
}
