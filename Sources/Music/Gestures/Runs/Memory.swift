import Grid
import Music

/// What fingers that were lifted leave behind for those that follow.
struct Memory: Sendable {
    var taps = QuickTaps()
    var swipes = Swipes()
    var tapTempo = TapTempo()
    var pickUps = PickUps()

    mutating func forget(_ client: ClientID) {
        taps.forget(client)
        swipes.forget(client)
        pickUps.forget(client)
    }
}

/// The pads that clients have picked up for copying: one for each client.
struct PickUps: Sendable {
    private var pads: [(client: ClientID, pad: Pad, until: Duration)] = []
    /// How often each client has pasted or dropped a picked-up pad, apart from timeouts.
    private var releases: [ClientID: Int] = [:]

    /// When the next one is dropped, nil while there is none.
    var nextDeadline: Duration? { pads.lazy.map(\.until).min() }

    var all: Set<Pad> { Set(pads.map(\.pad)) }

    /// The pad of a bank that a client has picked up.
    func pad(of client: ClientID, in bank: SlotBank) -> Pad? {
        pads.first { $0.client == client && $0.pad.bank == bank }?.pad
    }

    mutating func pickUp(_ pad: Pad, by client: ClientID, at now: Duration) {
        letGo(by: client)
        pads.append((client, pad, now + Threshold.pickedUp))
    }

    mutating func letGo(by client: ClientID) {
        pads.removeAll { $0.client == client }
        releases[client, default: 0] += 1
    }

    /// Changes once a client's pick-up can no longer be pasted.
    func releaseCount(of client: ClientID) -> Int { releases[client] ?? 0 }

    mutating func forget(_ client: ClientID) {
        letGo(by: client)
        releases[client] = nil
    }

    /// Drops pads that were picked up too long ago.
    mutating func expire(at now: Duration) { pads.removeAll { $0.until <= now } }
}

/// Finds a tempo from taps on its beats.
struct TapTempo: Sendable {
    /// How many intervals are averaged.
    private static let intervals = 8

    /// The times of the last taps, the oldest first; one more than intervals.
    private var taps: [TouchMoment] = []

    /// Forgets a tap, if it counted.
    mutating func retract(_ tap: TouchMoment) { taps.removeAll { $0 == tap } }

    /// Counts a tap.
    ///
    /// - Returns: The tempo so far, or the nearest that the clock plays; nil on the first tap after a pause.
    mutating func tap(at now: TouchMoment) -> ParameterValue? {
        if let last = taps.last, now.elapsed(since: last) >= Threshold.tapTempoPause { taps = [] }
        taps.append(now)
        taps = taps.suffix(TapTempo.intervals + 1)
        guard taps.count > 1 else { return nil }
        let mean = now.elapsed(since: taps[0]) / Double(taps.count - 1)
        return Parameter.tempo.row.kind().nearest(.number(Duration.seconds(60) / mean))
    }
}
