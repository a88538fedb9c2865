import Logging
import NIOCore
import OSC
import ServerSupport
import Wire

/// The current senders of messages, by UDP and by TCP; used on the event loop only.
final class SenderTable {
    /// Packets that could not be read, and messages that were dropped.
    struct Losses: Equatable {
        var malformed = 0
        var dropped = 0
    }

    /// What has become of a packet.
    enum Reception: Equatable {
        /// It is carried out, or dropped because it never could be.
        case accepted
        /// It is not an OSC packet.
        case malformed
        /// There is no room for it now; see ``whenRoom(for:_:)``.
        case full
    }

    /// How a sender is answered.
    struct Reply: Sendable {
        /// The most bytes that the sender accepts in a packet.
        let longest: Int
        /// Sends a packet, to a port of the sender's machine, and returns when there is room for another.
        let send: @Sendable (_ packet: [UInt8], _ port: Int) async -> Void
    }

    private struct Entry {
        let number: Int
        let sender: Sender
        let peer: OSCPeer
        var lastHeard: NIODeadline
        /// Messages that wait to be carried out, and their bytes.
        var messages = 0
        var bytes = 0
        /// The size of the packet that there was no room for.
        var wanted = 0
        var isSubscriber = false
    }

    /// How long a sender must have been silent before it may be evicted.
    private static let pause = TimeAmount.seconds(1)
    /// Bytes of messages that may wait in total.
    static let byteCapacity = 16 << 20

    let acceptPause: AcceptPause
    private let socketPath: String
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let destinations: Destinations
    private let now: () -> Duration
    /// The senders by number, also those that are gone but have messages to be carried out.
    private var entries: [Int: Entry] = [:]
    /// The numbers of the current senders by name.
    private var numbers: [String: Int] = [:]
    private var lastNumber = 0
    private var places: HostQuota
    private var connections: HostQuota
    private var bytes: HostQuota
    /// How to resume each sender that waits for room.
    private var waiting: [String: () -> Void] = [:]
    private(set) var losses = Losses()

    /// - Parameters:
    ///   - limit: How many senders there may be, and how many TCP connections.
    ///   - bytes: Bytes of messages that may wait in total.
    ///   - destinations: Where UDP senders are answered.
    ///   - now: The time since the beginning of 1970, for time tags.
    init(
        socketPath: String, limit: Int, bytes: Int = byteCapacity, destinations: Destinations = Destinations(),
        eventLoop: any EventLoop, logger: Logger, now: @escaping () -> Duration
    ) {
        acceptPause = AcceptPause(logger: logger)
        self.socketPath = socketPath
        places = Self.quota(of: limit)
        connections = Self.quota(of: limit)
        self.bytes = Self.quota(of: bytes)
        self.destinations = destinations
        self.eventLoop = eventLoop
        self.logger = logger
        self.now = now
    }

    /// No other machine gets more than a quarter, and all of them together leave a quarter to this one.
    private static func quota(of total: Int) -> HostQuota {
        HostQuota(HostQuota.Limits(total: total, perHost: max(1, total / 4), reserved: total / 4))
    }

    var waitingBytes: Int { bytes.used }

    // MARK: Packets

    func receive(_ packetBytes: some Collection<UInt8>, from peer: OSCPeer, reply: Reply) -> Reception {
        var unreadable: [OSCUnreadable] = []
        guard let packet = try? OSCPacket(decoding: packetBytes, skipping: &unreadable) else {
            noteMalformed(from: peer)
            return .malformed
        }
        let isMalformed = unreadable.first?.size == packetBytes.count
        if isMalformed { noteMalformed(from: peer) } else { losses.dropped += unreadable.count }
        let plan = BundlePlan(packet, at: now())
        let wanted = plan.steps.filter { accepts($0.message, from: peer) }.map { ($0.delay, Received($0.message)) }
        let all = wanted + unreadable.filter(\.isAnswered).map { (.zero, Received($0)) }
        losses.dropped += plan.refused
        guard !all.isEmpty else { return .accepted }
        return admit(all, from: peer, reply)
    }

    private func noteMalformed(from peer: OSCPeer) {
        if losses.malformed == 0 { logger.notice("\(peer.name) sends invalid OSC packets, which are ignored") }
        losses.malformed += 1
    }

    /// Whether a message is for the sender's conversation. What a bridge sends is never answered: two of them, or a peer
    /// that sends everything back, would never stop.
    private func accepts(_ message: OSCMessage, from peer: OSCPeer) -> Bool {
        if message.address == OSCRequest.confirmation, peer.transport == .udp {
            let number = message.arguments.first?.whole.flatMap { Int32(exactly: $0) }
            if let number { destinations.confirm(number, from: peer) }
            return false
        }
        return !OSCRequest.isOwn(message)
    }

    private func admit(_ messages: [(Duration, Received)], from peer: OSCPeer, _ reply: Reply) -> Reception {
        let taken = messages.prefix(Sender.capacity)
        let size = taken.reduce(0) { $0 + $1.1.message.memory }
        guard size <= Sender.byteCapacity, let number = admit(peer, reply) else {
            losses.dropped += messages.count
            return .accepted
        }
        guard reserve(size, count: taken.count, for: number) else {
            entries[number]?.wanted = size
            return .full
        }
        losses.dropped += messages.count - taken.count
        for (delay, message) in taken { schedule(message, after: delay, for: number) }
        return .accepted
    }

    /// Counts a packet that is lost because there is no room for it.
    func drop() { losses.dropped += 1 }

    /// Calls a function once, when there is room for a sender's packets again.
    func whenRoom(for peer: OSCPeer, _ body: @escaping () -> Void) { waiting[peer.name] = body }

    /// The number of a peer's sender; nil when there is no place for it.
    private func admit(_ peer: OSCPeer, _ reply: Reply) -> Int? {
        if let number = numbers[peer.name] {
            entries[number]?.lastHeard = .now()
            return number
        }
        guard places.reserve(1, for: peer.host) || evict(for: peer) && places.reserve(1, for: peer.host)
        else { return nil }
        logger.debug("\(peer.name) begins")
        let conversation = OSCConversation(
            name: "OSC \(peer.name)", socketPath: socketPath, route: Route(to: peer, reply, destinations))
        lastNumber += 1
        let table = NIOLoopBound(self, eventLoop: eventLoop)
        let (number, loop) = (lastNumber, eventLoop)
        let sender = Sender(conversation) { bytes in
            loop.execute { table.value.finish(bytes, of: number) }
        }
        entries[number] = Entry(number: number, sender: sender, peer: peer, lastHeard: .now())
        numbers[peer.name] = number
        return number
    }

    /// Evicts a host's silent sender for a new one: some programs send each message from another port.
    ///
    /// - Returns: Whether a sender without pending messages was evicted.
    private func evict(for peer: OSCPeer) -> Bool {
        guard peer.transport == .udp else { return false }
        let idle = entries.values.filter { entry in
            entry.peer.transport == .udp && entry.peer.address == peer.address && entry.messages == 0
                && !entry.isSubscriber && entry.lastHeard + Self.pause < .now()
        }
        guard let oldest = idle.min(by: { $0.lastHeard < $1.lastHeard }) else { return false }
        remove(oldest.number)
        return true
    }

    private func reserve(_ size: Int, count: Int, for number: Int) -> Bool {
        guard let entry = entries[number], entry.messages + count <= Sender.capacity,
            entry.bytes + size <= Sender.byteCapacity, bytes.reserve(size, for: entry.peer.host)
        else { return false }
        entries[number]?.messages += count
        entries[number]?.bytes += size
        return true
    }

    private func schedule(_ message: Received, after delay: Duration, for number: Int) {
        if message.message.address == Self.subscription { entries[number]?.isSubscriber = true }
        guard delay > .zero else { return pass(message, to: number) }
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { self.pass(message, to: number) }
    }

    private static let subscription = OSCRequest.prefix + Methods.subscribe.name

    private func pass(_ message: Received, to number: Int) { entries[number]?.sender.receive(message) }

    private func finish(_ size: Int, of number: Int) {
        guard let entry = entries[number] else { return }
        entries[number]?.messages -= 1
        entries[number]?.bytes -= size
        bytes.release(size, of: entry.peer.host)
        removeIfDone(number)
        goOn()
    }

    /// Removes a sender whose connection is closed, once its messages are carried out.
    private func removeIfDone(_ number: Int) {
        guard let entry = entries[number], entry.messages == 0, numbers[entry.peer.name] != number else { return }
        remove(number)
    }

    /// Resumes senders that wait for room, once their earlier messages are carried out.
    private func goOn() {
        for name in waiting.keys {
            if let entry = numbers[name].flatMap({ entries[$0] }),
                entry.messages > 0 || !bytes.hasRoom(for: entry.wanted, of: entry.peer.host)
            {
                continue
            }
            waiting.removeValue(forKey: name)?()
        }
    }

    // MARK: Connections and ends

    /// Counts a TCP connection; false when there are too many.
    func open(_ peer: OSCPeer) -> Bool {
        if connections.reserve(1, for: peer.host) { return true }
        logger.debug("refused \(peer.name): too many connections")
        return false
    }

    /// A counted TCP connection is closed. What came before is carried out: programs may close it right after that.
    func close(_ peer: OSCPeer) {
        waiting[peer.name] = nil
        connections.release(1, of: peer.host)
        guard let number = numbers.removeValue(forKey: peer.name) else { return }
        removeIfDone(number)
    }

    private func remove(_ number: Int) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        if numbers[entry.peer.name] == number { numbers[entry.peer.name] = nil }
        entry.sender.end()
        places.release(1, of: entry.peer.host)
        bytes.release(entry.bytes, of: entry.peer.host)
        goOn()
    }

    /// Ends senders that have long been silent, and topics that were not asked for again.
    func expire(at now: NIODeadline = .now()) {
        for (number, entry) in entries {
            guard entry.lastHeard + TimeAmount(Sender.patience) > now else {
                remove(number)
                continue
            }
            Task { await entry.sender.conversation.expire(at: .now) }
        }
    }

    func removeAll() {
        for number in entries.keys { remove(number) }
    }
}
