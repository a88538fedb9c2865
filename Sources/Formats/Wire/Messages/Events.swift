import FoundationEssentials
import Instrument
import JSON
import Music
import PatternFormat

extension StepEvent: NotificationMessage {
    public static let method = Topic.step.rawValue

    /// `{"step": s, "frame": audio frame, "usecs": JACK time, "songStep": n, "tracks": {"bass": 5}}`, in which `tracks`,
    /// and from older daemons `songStep`, may be missing.
    public static let kind = Kind<StepEvent>.record(
        Member("step", .step, \.step), Member("frame", .audioFrame, \.frame), Member("usecs", .jackTime, \.usecs),
        .optional("songStep", .integer.meaning("Steps since the song's start.").counted(in: "steps"), \.songStep),
        .optional("tracks", .byTrack(.step), \.otherTracks),
        make: { StepEvent(step: $0, songStep: $3, tracks: $4 ?? [:], frame: $1, usecs: $2) })

    private var otherTracks: [Track: Int]? { tracks.isEmpty ? nil : tracks }
}

extension LaunchEvent: NotificationMessage {
    public static let method = Topic.launch.rawValue

    /// `{"track": t, "slot": n, "frame": audio frame, "usecs": JACK time}`, the last two only with audio.
    public static let kind = Kind<LaunchEvent>.record(
        Member("track", Kind<Track>.name, \.track), Member("slot", .slotNumber, \.slot),
        .optional("frame", .audioFrame, \.frame), .optional("usecs", .jackTime, \.usecs),
        make: { LaunchEvent(track: $0, slot: $1, frame: $2, usecs: $3) })
}

extension ScopeEvent: NotificationMessage {
    public static let method = Topic.scope.rawValue

    /// `{"usecs": t, "main": [min, max, ...], "tracks": {"melody": peak, ...}}`
    public static let kind = Kind<ScopeEvent>.record(
        Member("usecs", .jackTime, \.usecs),
        Member(
            "main",
            .array(of: .integer(in: -1000...1000)).meaning(
                "The lowest and highest samples of 128 parts, alternating, in thousandths of full scale."), \.main),
        Member("tracks", peaksKind, \.peaks),
        make: { ScopeEvent(usecs: $0, main: $1, peaks: $2) })

    private static let peaksKind = Kind<[Int]>.record(
        peak(.melody), peak(.chords), peak(.bass), peak(.rhythm), make: { [$0, $1, $2, $3] })

    private static func peak(_ track: Track) -> Member<[Int], Int> {
        Member(track.name, .integer(in: 0...1000), { $0[track.rawValue] })
    }
}

/// A text appears on the grid, or disappears.
public struct TooltipEvent: NotificationMessage {
    public static let method = Topic.tooltip.rawValue

    public var text: String
    /// First row of the text on the grid.
    public var row: Int
    /// How long it is shown from now on; 0 when it is gone, nil during a drag, which ends with another event.
    public var milliseconds: Int?
    /// Of an undo or a redo, what it changed: `the preset of Bass`.
    public var what: String?

    public init(text: String, row: Int, milliseconds: Int?, what: String? = nil) {
        self.text = text
        self.row = row
        self.milliseconds = milliseconds
        self.what = what
    }

    /// `{"text": t, "row": first row of the text, "ms": 1200, "what": "the preset of Bass"}`, `ms` and `what` optional.
    public static let kind = Kind<TooltipEvent>.record(
        Member("text", .string, \.text),
        Member("row", .integer.meaning("The first row of the text."), \.row),
        .optional(
            "ms",
            .integer.meaning("How long it is shown from now on: 0 when it is gone, left out while a drag is under way.")
                .counted(in: "ms"), \.milliseconds),
        .optional("what", .string.meaning("Of an undo or a redo, what it changed: `the preset of Bass`."), \.what),
        make: { TooltipEvent(text: $0, row: $1, milliseconds: $2, what: $3) })
}

/// The client's device should vibrate.
public struct HapticEvent: NotificationMessage {
    public static let method = Topic.haptic.rawValue

    /// `light`, `medium`, `heavy` or `rigid`.
    public var style: String
    /// 0 to 1.
    public var intensity: Double

    public init(style: String, intensity: Double) {
        self.style = style
        self.intensity = intensity
    }

    /// `{"style": "light", "intensity": 0.5}`
    public static let kind = Kind<HapticEvent>.record(
        Member("style", .string.meaning("light, medium, heavy or rigid."), \.style),
        Member("intensity", .number.meaning("0 to 1."), \.intensity),
        make: { HapticEvent(style: $0, intensity: $1) })
}

/// A saved pattern was added, deleted or changed.
public struct LibraryEvent: NotificationMessage {
    public static let method = Topic.library.rawValue

    public init() {}

    /// `{}`
    public static let kind = Kind<LibraryEvent>.record(make: { LibraryEvent() })
}

/// The daemon is about to close the connection.
public struct Bye: NotificationMessage {
    public static let method = "bye"

    /// The reason, for people.
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }

    /// `{"reason": ...}`
    public static let kind = Kind<Bye>.record(
        Member("reason", .string.meaning("The reason, for people."), \.reason), make: { Bye(reason: $0) })
}

extension Kind<Int64> {
    /// A frame of audio, counted from the driver's start.
    static let audioFrame = Kind<Int>.integer.meaning("The audio driver's count of frames.").counted(in: "frames")
        .refined({ Int64($0) }, back: { Int($0) })
}

extension Kind<UInt64> {
    /// JACK's time in µs.
    static let jackTime = Kind<Int>.integer(in: 0...Int.max).meaning("JACK's time.").counted(in: "µs")
        .refined({ UInt64($0) }, back: { Int(clamping: $0) })
}

/// A fiftieth of a second of the main output.
public struct AudioEvent: NotificationMessage {
    public static let method = Topic.audio.rawValue

    /// Maximum clients that listen at once.
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

    public init(frame: Int64, usecs: UInt64, rate: Int, channels: Int = 2, pcm: [UInt8]?) {
        self.frame = frame
        self.usecs = usecs
        self.rate = rate
        self.channels = channels
        self.pcm = pcm
    }

    /// The length of a block in frames.
    public var frameCount: Int { rate / 50 }

    /// `{"frame": n, "usecs": t, "rate": 48000, "channels": 2, "pcm": "base64"}`, without `pcm` for silence.
    public static let kind = Kind<AudioEvent>.record(
        Member("frame", .audioFrame, \.frame), Member("usecs", .jackTime, \.usecs),
        Member("rate", .integer.counted(in: "Hz"), \.rate), Member("channels", .integer, \.channels),
        .optional(
            "pcm", .base64.meaning("16-bit little-endian samples, left and right interleaved; left out for silence."),
            \.pcm),
        make: { AudioEvent(frame: $0, usecs: $1, rate: $2, channels: $3, pcm: $4) })

    /// The message as a line, its newline included; written without intermediate JSON values, because the samples are
    /// long.
    public var line: [UInt8] {
        DaemonNotification.line(method: AudioEvent.method, reserving: 4 * (pcm?.count ?? 0) / 3 + 128) { bytes in
            bytes.append(contentsOf: "{\"frame\":".utf8)
            bytes.appendJSON(Int(frame))
            bytes.append(contentsOf: ",\"usecs\":".utf8)
            bytes.appendJSON(Int(clamping: usecs))
            bytes.append(contentsOf: ",\"rate\":".utf8)
            bytes.appendJSON(rate)
            bytes.append(contentsOf: ",\"channels\":".utf8)
            bytes.appendJSON(channels)
            if let pcm {
                bytes.append(contentsOf: ",\"pcm\":".utf8)
                bytes.appendJSON(base64: pcm)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension Kind<[UInt8]> {
    /// Bytes as text.
    fileprivate static let base64 = Kind(
        expected: "base64", schema: ["type": "string", "contentEncoding": "base64"],
        reading: { json in
            // Foundation also reads text that is padded wrongly.
            guard let text = json.stringValue, let data = Data(base64Encoded: text),
                data.base64EncodedString() == text
            else { return nil }
            return Array(data)
        },
        writing: { .string(Data($0).base64EncodedString()) })
}
