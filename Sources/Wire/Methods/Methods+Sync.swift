import JSON

// Time that is shared with others.
extension Methods {
    /// `sync.get`
    public static let playingMoment = Method(
        "sync.get", "Returns what plays now: at JACK's time `usecs` quarter note `beat` is heard, going on at `bpm`.",
        result: TimelineState.kind,
        example: .init(returns: ["beat": 0, "usecs": 0, "bpm": 120, "playing": false]))

    static let sync = [playingMoment.description]
}
