import Configuration
import NIOCore

/// An address and a port that datagrams may be sent to.
struct ConfirmedPlace: Hashable, Sendable {
    var address: String
    var port: Int

    /// Its address; nil for this machine.
    var host: String? { address.hasPrefix("127.") || address == "::1" ? nil : address }
}

/// Which places have confirmed that they want answers and events. Anyone can send a datagram in another's name, and what
/// it asks for must not flood that other. So a place gets a random number, and proves with it that it listens there.
struct Confirmations: Sendable {
    private struct Challenge {
        /// Nil after too many wrong numbers, until the next one is sent.
        var number: Int32?
        var sent: NIODeadline
        var wrong = 0
    }

    /// How long to wait before a place gets its number again.
    static let pause = TimeAmount.seconds(1)
    /// Wrong numbers after which a place gets another, so that nobody can try them all.
    static let tries = 8
    /// Places of one machine that may be confirmed, and that may be asked within ``pause``.
    static let perHost = 8
    static let capacity = 1024

    private let peers: [PeerAddress]
    private var confirmed = RecentTable<ConfirmedPlace, Bool>(capacity: capacity, perHost: perHost)
    private var challenges = RecentTable<ConfirmedPlace, Challenge>(capacity: capacity, perHost: perHost)

    /// - Parameter peers: Those that need no confirmation.
    init(peers: [PeerAddress]) { self.peers = peers }

    mutating func isConfirmed(_ place: ConfirmedPlace) -> Bool {
        if place.host == nil { return true }
        if peers.contains(where: { $0.address == place.address && ($0.port ?? place.port) == place.port }) {
            return true
        }
        guard confirmed.value(for: place) != nil else { return false }
        confirmed.touch(place)
        return true
    }

    /// The number to send to a place; nil if it has just been sent one.
    mutating func challenge(_ place: ConfirmedPlace, at now: NIODeadline) -> Int32? {
        let former = challenges.value(for: place)
        let last = former ?? challenges.next(toForgetFor: place.host).flatMap { challenges.value(for: $0) }
        if let last, last.sent + Self.pause > now { return nil }
        let number = former?.number ?? Int32.random(in: 1 ... .max)
        let wrong = former?.number == nil ? 0 : former?.wrong ?? 0
        challenges.set(Challenge(number: number, sent: now, wrong: wrong), for: place, of: place.host)
        return number
    }

    /// Confirms the place that was sent a number.
    ///
    /// - Parameter address: Where the number came from. The port may be another one.
    /// - Returns: Whether it was right.
    mutating func confirm(_ number: Int32, from address: String) -> Bool {
        let host = ConfirmedPlace(address: address, port: 0).host
        for place in challenges.keys(of: host) {
            guard var challenge = challenges.value(for: place) else { continue }
            if challenge.number == number {
                challenges.remove(place)
                confirmed.set(true, for: place, of: host)
                return true
            }
            challenge.wrong += 1
            if challenge.wrong >= Self.tries { challenge.number = nil }
            challenges.set(challenge, for: place, of: host)
        }
        return false
    }
}
