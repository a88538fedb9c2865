import Engine
import Grid
import Instrument
import Music

/// The keys that clients hold.
///
/// Each held key keeps a place in the engine's queue for its release. So only presses can be refused.
final class HeldKeys {
    /// How many keys a client may hold.
    static let perClient = 16
    /// How long a remote client may be silent while it holds keys.
    private static let patience: Duration = .seconds(2)

    private struct Hand {
        var keys: Set<PlayedKey> = []
        /// When they are released unless there is another word of a remote client.
        var deadline: Duration?
    }

    private var hands: [ClientID: Hand] = [:]
    private var heldCount = 0
    private let link: AudioLink

    init(_ link: AudioLink) { self.link = link }

    /// When the next client has been silent for too long, nil for never.
    var deadline: Duration? { hands.values.compactMap(\.deadline).min() }

    /// Presses a key, or strikes a held one again.
    func press(_ key: PlayedKey, velocity: Int, by client: ClientID, at now: Duration) throws(CommandError) {
        let hand = hands[client] ?? Hand()
        let isNew = !hand.keys.contains(key)
        guard !isNew || hand.keys.count < Self.perClient else { throw .tooManyKeys(limit: Self.perClient) }
        guard link.engine.keyRoom > heldCount + (isNew ? 1 : 0) else { throw .noAudio("the audio driver hangs") }
        if isNew { heldCount += 1 }
        hands[client, default: Hand()].keys.insert(key)
        send(key, velocity: velocity, by: client, at: now)
    }

    /// Releases a key, if the client holds it.
    func release(_ key: PlayedKey, by client: ClientID, at now: Duration) {
        guard hands[client]?.keys.remove(key) != nil else { return }
        heldCount -= 1
        if hands[client]?.keys.isEmpty == true { hands[client] = nil }
        send(key, velocity: 0, by: client, at: now)
    }

    /// Releases all keys of a client.
    func releaseAll(of client: ClientID, at now: Duration) {
        for key in hands[client]?.keys ?? [] { release(key, by: client, at: now) }
    }

    /// Releases all keys: there is no driver.
    func releaseAll(at now: Duration) {
        for client in hands.keys { releaseAll(of: client, at: now) }
    }

    /// A remote client lives: if it holds keys, it may be silent from now on.
    func hear(_ client: ClientID, at now: Duration) {
        hands[client]?.deadline = now + Self.patience
    }

    /// Releases the keys of remote clients that have been silent for too long.
    func advance(to now: Duration) {
        for (client, hand) in hands where hand.deadline.map({ $0 <= now }) == true {
            releaseAll(of: client, at: now)
        }
    }

    private func send(_ key: PlayedKey, velocity: Int, by client: ClientID, at now: Duration) {
        let sent = RtKey(
            owner: Int32(truncatingIfNeeded: client.number), track: UInt8(key.track.rawValue), key: UInt8(key.key),
            velocity: UInt8(velocity))
        _ = link.send(sent, at: now)
        link.poller.expectNotices(from: now)
    }
}

extension Session {
    /// Presses a key for a client, or strikes one again that it holds; it sounds with the next period's first frame.
    ///
    /// - Parameter velocity: 1 to 127; 0 releases the key.
    public func press(
        _ key: PlayedKey, velocity: Int, by client: ClientID, at now: Duration
    ) throws(CommandError) {
        if velocity == 0 { return try release(key, by: client, at: now) }
        guard link.isRunning else { throw .noAudio(audio.reason) }
        try heldKeys.press(key, velocity: velocity, by: client, at: now)
        hear(client, at: now)
    }

    /// Releases a key of a client; does nothing if the client does not hold it.
    public func release(_ key: PlayedKey, by client: ClientID, at now: Duration) throws(CommandError) {
        guard link.isRunning else { throw .noAudio(audio.reason) }
        heldKeys.release(key, by: client, at: now)
    }

    /// A client has said something. Remote ones must, every 2 s, while they hold keys or punch-ins.
    public func hear(_ client: ClientID, at now: Duration) {
        guard surface(of: client).isRemote else { return }
        heldKeys.hear(client, at: now)
        heldPunchIns.hear(client, at: now)
    }
}
