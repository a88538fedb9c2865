import NIOCore
import Session

/// The newest version of something, and the lines that turn earlier versions into it, each made at most once, however
/// many subscribers get it.
struct VersionFeed<Value> {
    private(set) var newest: Numbered<Value>
    /// Counts the versions, whose numbers may have gaps.
    private(set) var version = 1
    /// The earliest time at which the newest version could be sent.
    private(set) var ready: Duration

    /// By the base's number; nil where the newest looks the same.
    private var lines: [Int: ByteBuffer?] = [:]
    private let line: (_ base: Numbered<Value>, _ newest: Numbered<Value>) -> [UInt8]?

    /// A feed that starts with a version.
    ///
    /// - Parameter line: The line that turns one version into another, nil where both look the same.
    init(
        _ first: Numbered<Value>, ready: Duration,
        line: @escaping (_ base: Numbered<Value>, _ newest: Numbered<Value>) -> [UInt8]?
    ) {
        newest = first
        self.ready = ready
        self.line = line
    }

    /// Stores the newest version.
    ///
    /// - Returns: Whether it has another number than the last.
    @discardableResult
    mutating func accept(_ new: Numbered<Value>, ready: Duration) -> Bool {
        guard new.number != newest.number else { return false }
        newest = new
        version += 1
        self.ready = ready
        lines.removeAll(keepingCapacity: true)
        return true
    }

    /// A subscription that starts with the newest version.
    ///
    /// - Parameters:
    ///   - line: The line whose answer holds that version, nil if nothing is answered.
    ///   - rhythm: The last delivery to others.
    func subscription(
        rate: Int, answeredIn line: Int?, inRhythmWith rhythm: Duration
    ) -> Subscriptions.Feed<Value> {
        let schedule = DeliverySchedule(rate: rate, version: version, inRhythmWith: rhythm)
        return .init(base: newest, schedule: schedule, unansweredLine: line)
    }

    /// Sends a subscriber the newest version when it is due.
    ///
    /// - Parameter alongOthers: Whether others are served now anyway.
    /// - Returns: When to try again, nil if there is no need.
    mutating func deliver(
        to subscriber: inout Subscriptions.Feed<Value>, at now: Duration, alongOthers: Bool = false,
        send: (ByteBuffer) -> Void
    ) -> Duration? {
        switch subscriber.schedule.decision(on: version, at: now, alongOthers: alongOthers) {
        case .nothing: break
        case .wait(let until): return until
        case .send: sendNewest(to: &subscriber, at: now, send: send)
        }
        return nil
    }

    /// Sends a subscriber the newest version, whatever its rate.
    mutating func sendNewest(
        to subscriber: inout Subscriptions.Feed<Value>, at now: Duration, send: (ByteBuffer) -> Void
    ) {
        guard let line = update(from: subscriber.base) else { return subscriber.schedule.renumber(version) }
        send(line)
        subscriber.base = newest
        subscriber.schedule.delivered(version, at: now, ready: ready)
    }

    /// The line that turns an earlier version into the newest, nil where both look the same.
    mutating func update(from base: Numbered<Value>) -> ByteBuffer? {
        if let known = lines[base.number] { return known }
        let made = line(base, newest).map { ByteBuffer(bytes: $0) }
        lines[base.number] = .some(made)
        return made
    }
}
