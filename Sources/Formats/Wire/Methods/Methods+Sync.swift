import Instrument
import JSON
import Music

// Time shared with other programs.
extension Methods {
    public static let playingMoment = Method(
        "sync.get",
        "Returns what plays now: quarter note `beat` is heard at JACK's time `usecs`, and the tempo is `bpm`.",
        result: TimelineState.kind,
        example: .init(returns: ["beat": 0, "usecs": 0, "bpm": 120, "playing": false, "quantum": 4]))

    public static let timeline = Method(
        "sync.timeline",
        "Holds the timeline: quarter note `beat` is heard at JACK's time `usecs`, and the tempo is `bpm`.",
        .required("beat", .number(in: -1e9...1e9).counted(in: "beats"), "Quarter notes since the song's start."),
        .required("usecs", .time, "JACK's time at which that is heard, in µs."),
        .required("bpm", .number(in: 10...1000).counted(in: "BPM"), "Quarter notes a minute."),
        .optional(
            "playing", .boolean, "Whether the music runs; without it, players start and stop on their own."),
        .optional("playingUsecs", .time, "JACK's time from which `playing` holds; by default now."),
        .optional(
            "quantum", .number(in: 1...64).counted(in: "beats"),
            "Players join on a multiple of this many quarter notes; by default that of sync.set."),
        .optional(
            "peers", .integer(in: 0...100_000), "How many others share this time; `state` shows it."),
        make: Timeline.init(beat:time:bpm:isPlaying:playingTime:quantum:peers:),
        values: { ($0.beat, $0.time, $0.bpm, $0.isPlaying, $0.playingTime, $0.quantum, $0.peers) },
        result: .nothing, errors: [.heldByAnother],
        example: .init(["beat": 16, "usecs": 5_000_000, "bpm": 126, "playing": true], returns: [:]))

    public static let releaseTimeline = Method(
        "sync.release", "Gives up the timeline.", result: .nothing, errors: [.heldByAnother],
        example: .init(returns: [:]))

    public static let clockTimes = Method(
        "time.get", "Returns JACK's time and the system's clocks, read at one moment, in µs.",
        result: ClockTimes.kind, errors: [.noAudio],
        example: .init(returns: ["jack": 5_000_000, "monotonic": 5_000_100, "monotonicRaw": 5_000_000]))

    static let sync = [
        playingMoment.description, timeline.description, releaseTimeline.description, clockTimes.description,
    ]
}

extension Timeline {
    fileprivate init(
        beat: Double, time: Int, bpm: Double, isPlaying: Bool?, playingTime: Int?, quantum: Double?, peers: Int?
    ) {
        self.init(
            beat: beat, usecs: Int64(time), bpm: bpm, isPlaying: isPlaying, playingUsecs: playingTime.map { Int64($0) },
            quantum: quantum, peers: peers)
    }

    fileprivate var time: Int { Int(usecs) }
    fileprivate var playingTime: Int? { playingUsecs.map { Int($0) } }
}

extension Kind<Int> {
    /// JACK's time in µs.
    fileprivate static let time = Kind.integer(in: 0...(1 << 53)).counted(in: "µs")
}
