import JSON

// Time that is shared with others.
extension Methods {
    /// `sync.get`
    public static let playingMoment = Method(
        "sync.get", "Returns what plays now: at JACK's time `usecs` quarter note `beat` is heard, going on at `bpm`.",
        result: TimelineState.kind,
        example: .init(returns: ["beat": 16.5, "usecs": 81_000_000, "bpm": 120, "playing": true]))

    static let sync = [playingMoment.description]
}
