import Instrument
import JSON
import PatternFormat

// Takes as sound and MIDI files; renders in the background, for clients that cannot name files.
extension Methods {
    public static let renderTake = Method(
        "take.render",
        """
        Renders a take to a sound file; the current take up to now. With `path` it answers when the file is complete. \
        Without, it answers with the render's id at once, topic `take` reports progress and end, and `take.data` returns \
        the file: one such render at a time, which ends with its client and with the client's next one.
        """,
        take,
        .optional("path", .absolutePath, "Where to."),
        .optional(
            "format", Kind<RenderFormat>.choice,
            "How the samples are stored: by default float with a path, flac without."),
        .optional(
            "stems", .boolean,
            "Whether to write the parts of the mix, too; all are then WAV files of 32-bit floats, and all appear or none."
        ),
        .optional(
            "rate", .integer(in: AudioLimits.sampleRates).counted(in: "Hz"),
            "Sample rate; by default the take's own, at which it is as it sounded, to the bit."),
        .optional(
            "from", .seconds, "Where the part to write begins, from the take's beginning; by default there."),
        .optional("to", .seconds, "Where it ends; by default with the take."),
        make: RenderCall.init(take:path:format:stems:rate:from:to:),
        values: { ($0.take, $0.path, $0.format, $0.stems, $0.rate, $0.from, $0.to) },
        result: RenderReply.kind, errors: [.notFound, .storage, .heldByAnother],
        example: .init(
            ["take": 12, "path": "/tmp/take.wav"],
            returns: .object(
                RenderReply(path: "/tmp/take.wav", RenderedSound(frames: 8_755_200, seconds: 182.4)).json)))

    public static let renderData = Method(
        "take.data",
        "Returns a part of what was rendered without a path, for its client after the render's end; one request at a time.",
        .required("render", .integer, "The render's id."),
        .required(
            "offset", .integer(in: 0...Int.max).counted(in: "bytes"), "Where the part begins in the file."),
        .optional("stem", .string, "Which of the render's files: by default mix."),
        result: RenderedData.kind, errors: [.notFound, .storage],
        example: .init(
            ["render": 3, "offset": 0], returns: ["data": "ZkxhQw==", "size": 4, "end": true]))

    public static let cancelRender = Method(
        "take.cancel", "Ends renders of this client, which are then answered or reported as cancelled.",
        .optional("render", .integer, "The render's id; by default all, those with a path included."),
        result: .nothing, errors: [.notFound], example: .init(returns: [:]))

    public static let takeMIDI = Method(
        "take.midi", "Exports every note of a take as it was sent or sounded, with its tempo, to a MIDI file.", take,
        MethodParameter<String?>.optional(
            "path", .absolutePath, "Where to; without it the result holds the file, in base64, at most 1 MiB."),
        result: ExportReply.kind, errors: [.notFound, .storage],
        example: .init(
            ["take": 12, "path": "/tmp/take.mid"], returns: ["path": "/tmp/take.mid", "frames": 8_755_200]))

    static let renders = [
        renderTake.description, renderData.description, cancelRender.description, takeMIDI.description,
    ]
}

/// How a render's samples are stored.
public enum RenderFormat: String, CaseIterable, Sendable {
    /// WAV with 32-bit floats, as they sounded.
    case float
    /// WAV with 24 bits.
    case pcm24
    /// FLAC with 24 bits.
    case flac
}

/// What is rendered, for `take.render`; nil for what the daemon chooses.
public struct RenderCall: Equatable, Sendable {
    /// The take's number.
    public var take: Int
    /// Where to, absolute; nil to fetch it with `take.data`.
    public var path: String?
    public var format: RenderFormat?
    /// Whether to write the parts of the mix, too.
    public var stems: Bool?
    /// Frames per second, 8000 to 192000; nil for the take's own.
    public var rate: Int?
    /// Seconds from the take's beginning; nil for there.
    public var from: Double?
    /// Seconds from the take's beginning; nil for its end.
    public var to: Double?

    public init(
        take: Int, path: String? = nil, format: RenderFormat? = nil, stems: Bool? = nil, rate: Int? = nil,
        from: Double? = nil, to: Double? = nil
    ) {
        (self.take, self.path, self.format, self.stems, self.rate) = (take, path, format, stems, rate)
        (self.from, self.to) = (from, to)
    }
}

extension Kind<Double> {
    /// A time in a take.
    fileprivate static let seconds = Kind.number(in: 0...1e9).counted(in: "s")
}
