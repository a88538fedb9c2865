import Music

// Events, which are reported once, when they are heard.

/// A step started: of the whole, or of tracks with a speed of their own.
public struct StepEvent: Equatable, Sendable {
    /// 0 to 31.
    public var step: Int
    /// The step of the song, counted from its start; nil from older daemons.
    public var songStep: Int?
    /// The steps of tracks that are on a different step, 0 to 31.
    public var tracks: [Track: Int]
    /// The audio frame on which it was heard.
    public var frame: Int64
    /// JACK's time for that frame in µs.
    public var usecs: UInt64

    public init(step: Int, songStep: Int? = nil, tracks: [Track: Int] = [:], frame: Int64, usecs: UInt64) {
        self.step = step
        self.songStep = songStep
        self.tracks = tracks
        self.frame = frame
        self.usecs = usecs
    }
}

/// A slot begins to play.
public struct LaunchEvent: Equatable, Sendable {
    public var track: Track
    /// The slot, from 1.
    public var slot: Int
    /// The audio frame from which it is heard, nil without audio.
    public var frame: Int64?
    /// JACK's time for that frame in µs, nil without audio.
    public var usecs: UInt64?

    /// A slot begins to play.
    public init(track: Track, slot: Int, frame: Int64?, usecs: UInt64?) {
        self.track = track
        self.slot = slot
        self.frame = frame
        self.usecs = usecs
    }
}

/// What an oscilloscope shows of the last thirtieth of a second, in thousandths of full scale.
public struct ScopeEvent: Equatable, Sendable {
    /// JACK's time of its end in µs.
    public var usecs: UInt64
    /// The lowest and the highest sample of each of 128 equal parts of the main output, in alternation, left and right
    /// together: -1000 to 1000.
    public var main: [Int]
    /// The highest absolute sample of each track, in their order: 0 to 1000.
    public var peaks: [Int]

    public init(usecs: UInt64, main: [Int], peaks: [Int]) {
        self.usecs = usecs
        self.main = main
        self.peaks = peaks
    }
}

/// A message arrived at a MIDI port.
public struct ArrivedMessage: Equatable, Sendable {
    /// The port's name.
    public var port: String
    /// The audio frame on which it arrived.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    /// One to three bytes.
    public var bytes: [UInt8]

    public init(port: String = "midi_in", frame: Int64, usecs: UInt64, bytes: [UInt8]) {
        self.port = port
        self.frame = frame
        self.usecs = usecs
        self.bytes = bytes
    }
}

/// A punch-in begins or moves, or has ended.
public struct PunchEvent: Equatable, Sendable {
    public var effect: PunchEffect
    /// 0 to 1, nil when it has ended.
    public var amount: Double?
    /// The tracks on which it acts, nil when it has ended.
    public var tracks: [Track]?

    /// The end of a punch-in, unless it says how it is held.
    public init(effect: PunchEffect, amount: Double? = nil, tracks: [Track]? = nil) {
        self.effect = effect
        self.amount = amount
        self.tracks = tracks
    }

    /// Whether it goes on.
    public var isHeld: Bool { amount != nil }
}
