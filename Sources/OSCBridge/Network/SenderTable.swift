import Logging
import NIOCore
import OSC

/// Those who send messages at this moment, by UDP and by TCP; on the event loop alone.
final class SenderTable {
    /// Packets that no one could read, and messages that were dropped.
    struct Losses: Equatable {
        var malformed = 0
        var dropped = 0
    }

    private struct Entry {
        let sender: Sender
        var lastHeard: NIODeadline
        var waiting = 0
    }

    private let socketPath: String
    private let limit: Int
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let now: () -> Duration
    private var entries: [String: Entry] = [:]
    private(set) var losses = Losses()

    /// A table without senders.
    ///
    /// - Parameters:
    ///   - limit: How many there may be.
    ///   - now: The time since the beginning of 1970, for time tags.
    init(
        socketPath: String, limit: Int, eventLoop: any EventLoop, logger: Logger, now: @escaping () -> Duration
    ) {
        self.socketPath = socketPath
        self.limit = limit
        self.eventLoop = eventLoop
        self.logger = logger
        self.now = now
    }

    /// A packet came.
    ///
    /// - Parameters:
    ///   - name: Of the sender: its protocol, address and port.
    ///   - longestAnswer: Bytes that the sender takes at once.
    ///   - reply: Sends a packet to it, and returns when there is room for another.
    /// - Returns: Whether it was one.
    func receive(
        _ bytes: some Collection<UInt8>, from name: String, longestAnswer: Int,
        reply: @escaping @Sendable ([UInt8]) async -> Void
    ) -> Bool {
        guard let packet = try? OSCPacket(decoding: bytes) else {
            if losses.malformed == 0 { logger.notice("\(name) sends what is no OSC; it is ignored") }
            losses.malformed += 1
            return false
        }
        guard admit(name, longestAnswer, reply) else {
            losses.dropped += 1
            return true
        }
        let plan = BundlePlan(packet, at: now())
        losses.dropped += plan.refused
        for step in plan.steps { schedule(step, for: name) }
        return true
    }

    private func admit(
        _ name: String, _ longestAnswer: Int, _ reply: @escaping @Sendable ([UInt8]) async -> Void
    ) -> Bool {
        if entries[name] == nil {
            guard entries.count < limit else { return false }
            logger.debug("\(name) begins")
            let conversation = Conversation(
                name: "OSC \(name)", socketPath: socketPath, longestAnswer: longestAnswer, send: reply)
            entries[name] = Entry(sender: Sender(conversation), lastHeard: .now())
        }
        entries[name]?.lastHeard = .now()
        return true
    }

    private func schedule(_ step: BundlePlan.Step, for name: String) {
        guard step.delay > .zero else { return enqueue(step.message, for: name) }
        guard let entry = entries[name], entry.waiting < Sender.capacity else {
            losses.dropped += 1
            return
        }
        entries[name]?.waiting += 1
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(step.delay)) {
            self.entries[name]?.waiting -= 1
            self.enqueue(step.message, for: name)
        }
    }

    private func enqueue(_ message: OSCMessage, for name: String) {
        if entries[name]?.sender.receive(message) != true { losses.dropped += 1 }
    }

    /// Ends with a sender.
    func remove(_ name: String) {
        entries.removeValue(forKey: name)?.sender.end()
    }

    /// Ends with those who were silent for long, and with topics that were not asked for again.
    func expire() {
        for (name, entry) in entries {
            guard entry.lastHeard + TimeAmount(Sender.patience) > .now() else {
                remove(name)
                continue
            }
            Task { await entry.sender.conversation.expire(at: .now) }
        }
    }

    /// Ends with all.
    func removeAll() {
        for name in entries.keys { remove(name) }
    }
}
