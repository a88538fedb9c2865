/// When pictures are sent: soon after each change, as often as the protocol requires but never faster than configured,
/// and again now and then. Times are since any fixed moment.
struct SendSchedule: Equatable, Sendable {
    /// Controllers fall back to their own pattern after a second or two without packets.
    static let repetition = Duration.milliseconds(900)

    /// The shortest time between pictures.
    let interval: Duration
    let sendsAfterChange: Int

    private var lastSend: Duration?
    private var remaining = 0
    private var changed: Duration?

    init(picturesPerSecond: Int, sendsAfterChange: Int = 1) {
        interval = .seconds(1) / picturesPerSecond
        self.sendsAfterChange = sendsAfterChange
    }

    /// Notes that the picture has changed.
    mutating func change(at now: Duration) {
        remaining = sendsAfterChange
        changed = now
    }

    /// When to send next; nil before there is a picture.
    var next: Duration? {
        guard let lastSend else { return changed }
        return lastSend + (remaining > 0 ? interval : Self.repetition)
    }

    /// Whether a picture is due; it then counts as sent.
    mutating func fetchDue(at now: Duration) -> Bool {
        guard let next, next <= now else { return false }
        lastSend = now
        remaining = max(0, remaining - 1)
        return true
    }
}
