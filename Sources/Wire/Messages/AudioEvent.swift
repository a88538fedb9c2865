import JSON

/// What left the main ports in a fiftieth of a second.
public struct AudioEvent: NotificationMessage {
    /// `audio`
    public static let method = Topic.audio.rawValue

    /// Clients that may listen at once.
    public static let maximumListeners = 16

    /// The audio frame of the first sample.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    /// Frames per second.
    public var rate: Int
    /// Samples per frame: 2, left and right.
    public var channels: Int
    /// 16-bit little-endian samples, interleaved; nil for silence.
    public var pcm: [UInt8]?

    /// What left the main ports.
    public init(frame: Int64, usecs: UInt64, rate: Int, channels: Int = 2, pcm: [UInt8]?) {
        self.frame = frame
        self.usecs = usecs
        self.rate = rate
        self.channels = channels
        self.pcm = pcm
    }

    /// Frames from the first one of this block to that of the next.
    public var frameCount: Int { rate / 50 }

    /// `{"frame": n, "usecs": t, "rate": 48000, "channels": 2, "pcm": "base64"}`, without `pcm` for silence
    public static let kind = Kind<AudioEvent>.record(
        Member("frame", .audioFrame, { Int($0.frame) }), Member("usecs", .jackTime, \.wholeUsecs),
        Member("rate", .integer.counted(in: "Hz"), \.rate), Member("channels", .integer, \.channels),
        .optional(
            "pcm", .base64.meaning("16-bit little-endian samples, left and right by turns; left out for silence."),
            \.pcm),
        make: { AudioEvent(frame: Int64($0), usecs: UInt64($1), rate: $2, channels: $3, pcm: $4) })

    private var wholeUsecs: Int { Int(clamping: usecs) }
}
