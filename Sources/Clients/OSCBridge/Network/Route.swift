import NIOCore
import OSC
import Wire

/// How one sender is answered, and where. A TCP connection is its own route; a UDP sender may name another port of its
/// machine, and is answered only briefly until the place is confirmed.
struct Route: Sendable {
    /// An answer may be this many times as long as its request while the place is not confirmed.
    static let amplification = 3

    let peer: OSCPeer
    private let reply: SenderTable.Reply
    private let destinations: Destinations

    init(to peer: OSCPeer, _ reply: SenderTable.Reply, _ destinations: Destinations) {
        self.peer = peer
        self.reply = reply
        self.destinations = destinations
    }

    /// The most bytes that the sender accepts in a packet.
    var longest: Int { reply.longest }

    /// Whether everything may be sent to it. Connections by TCP have proved their address.
    var isConfirmed: Bool { peer.transport == .tcp || destinations.isConfirmed(destinations.place(of: peer)) }

    /// Sends a packet, and returns when there is room for another.
    func send(_ packet: [UInt8]) async {
        await reply.send(packet, peer.transport == .tcp ? peer.port : destinations.place(of: peer).port)
    }

    /// From now on answers and events go to another port of the sender's machine.
    func redirect(to port: Int) throws(WireError) {
        guard peer.transport == .udp else {
            throw WireError(.invalidRequest, "by TCP, answers come over the same connection")
        }
        try destinations.redirect(peer, to: port)
    }

    /// Asks the place to confirm itself, at most once a second.
    func challenge() async {
        guard peer.transport == .udp, let number = destinations.challenge(destinations.place(of: peer)) else { return }
        await send(OSCMessage(OSCRequest.confirmation, .integer(number)).bytes)
    }
}
