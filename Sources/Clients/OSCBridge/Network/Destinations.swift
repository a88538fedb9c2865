import Configuration
import NIOCore
import Synchronization
import Wire

/// Where answers and events go, for all senders.
final class Destinations: Sendable {
    private struct State {
        var confirmations: Confirmations
        /// The ports that UDP senders have asked for, also while they are silent.
        var ports = RecentTable<String, Int>(capacity: Confirmations.capacity, perHost: Confirmations.perHost)
        /// The ports that the bridge listens on.
        var own: Set<Int> = []
    }

    private let state: Mutex<State>

    /// - Parameter peers: Addresses that need no confirmation.
    init(peers: [PeerAddress] = []) { state = Mutex(State(confirmations: Confirmations(peers: peers))) }

    /// Excludes a port that the bridge listens on.
    func exclude(_ port: Int) { state.withLock { _ = $0.own.insert(port) } }

    /// Where a UDP sender's answers go.
    func place(of peer: OSCPeer) -> ConfirmedPlace {
        state.withLock { state in
            let port = state.ports.value(for: peer.name)
            if port != nil { state.ports.touch(peer.name) }
            return ConfirmedPlace(address: peer.address, port: port ?? peer.port)
        }
    }

    func redirect(_ peer: OSCPeer, to port: Int) throws(WireError) {
        let isOwn = state.withLock { state in
            if state.own.contains(port) { return true }
            state.ports.set(port, for: peer.name, of: peer.host)
            return false
        }
        if isOwn { throw WireError(.invalidParams, "port: \(port) is the bridge's own") }
    }

    func isConfirmed(_ place: ConfirmedPlace) -> Bool { state.withLock { $0.confirmations.isConfirmed(place) } }

    /// The number to send to a place that is not confirmed; nil if none is due.
    func challenge(_ place: ConfirmedPlace, at now: NIODeadline = .now()) -> Int32? {
        state.withLock { state in
            state.confirmations.isConfirmed(place) ? nil : state.confirmations.challenge(place, at: now)
        }
    }

    /// Confirms the place that was sent a number; returns whether the number was right.
    @discardableResult
    func confirm(_ number: Int32, from peer: OSCPeer) -> Bool {
        state.withLock { $0.confirmations.confirm(number, from: peer.address) }
    }
}
