import JSON
import PatternFormat

/// The answer to `take.list`.
public struct TakeList: WireMessage, Equatable {
    public enum Status: String, CaseIterable, Sendable {
        case keeping
        /// The daemon is set to keep none.
        case off
        /// Nothing is recorded for now: ``TakeList/reason`` says why.
        case stopped
    }

    /// The newest first.
    public var takes: [ListedTake]
    public var status: Status
    /// Why nothing is recorded, for people; nil while takes are kept or switched off.
    public var reason: String?

    public init(takes: [ListedTake], status: Status = .keeping, reason: String? = nil) {
        (self.takes, self.status, self.reason) = (takes, status, reason)
    }

    /// `{"takes": [...], "status": "keeping"}`, with `reason` while takes are stopped.
    public static let kind = Kind<TakeList>.record(
        Member("takes", .array(of: ListedTake.kind), \.takes), Member("status", .choice, \.status),
        .optional("reason", .string.meaning("Why nothing is recorded, for people."), \.reason),
        make: { TakeList(takes: $0, status: $1, reason: $2) })
}

/// A take in the answer to `take.list`.
public struct ListedTake: WireMessage, Equatable {
    /// From 1, and never used again.
    public var number: Int
    /// When it began, as `2026-01-02T12:34:56Z`.
    public var began: String
    /// Its length up to its last sound.
    public var seconds: Double
    /// The pattern's name, empty for none.
    public var pattern: String
    /// Whether it is kept until it is deleted.
    public var isStarred: Bool
    /// Seconds from its beginning from which on a render may differ from what was heard; nil if all of it is exact.
    public var inexactFrom: Double?
    /// Whether it is still being recorded.
    public var isCurrent: Bool
    /// Whether it is short and without play; of these fewer are kept.
    public var isSketch: Bool
    /// Frames per second.
    public var rate: Int
    /// Bytes on disk.
    public var size: Int

    public init(
        number: Int, began: String, seconds: Double, pattern: String = "", isStarred: Bool = false,
        inexactFrom: Double? = nil, isCurrent: Bool = false, isSketch: Bool = false, rate: Int = 48_000, size: Int = 0
    ) {
        (self.number, self.began, self.seconds, self.pattern) = (number, began, seconds, pattern)
        (self.isStarred, self.inexactFrom, self.isCurrent) = (isStarred, inexactFrom, isCurrent)
        (self.isSketch, self.rate, self.size) = (isSketch, rate, size)
    }

    /// Whether all of it can be rendered as it was heard, to the bit.
    public var isExact: Bool { inexactFrom == nil }

    /// One element of `takes`.
    public static let kind = Kind<ListedTake>.record(
        Member("number", .takeNumber, \.number),
        Member("began", .string.described(as: ["format": "date-time"]), \.began),
        Member("seconds", .number.meaning("The length up to the last sound.").counted(in: "s"), \.seconds),
        Member("pattern", .string.meaning("The pattern's name, empty for none."), \.pattern),
        Member("starred", .boolean, \.isStarred),
        Member("exact", .boolean.meaning("Whether a render is what was heard, to the bit."), \.isExact),
        .optional(
            "inexactFrom", .number.meaning("From where on it is not exact; left out if it is.").counted(in: "s"),
            \.inexactFrom),
        Member("current", .boolean.meaning("Whether it is still being recorded."), \.isCurrent),
        Member("sketch", .boolean.meaning("Whether it is under 10 s long, without play."), \.isSketch),
        Member("rate", .integer.counted(in: "Hz"), \.rate),
        Member("size", .integer.counted(in: "bytes"), \.size),
        make: { number, began, seconds, pattern, isStarred, _, inexactFrom, isCurrent, isSketch, rate, size in
            ListedTake(
                number: number, began: began, seconds: seconds, pattern: pattern, isStarred: isStarred,
                inexactFrom: inexactFrom, isCurrent: isCurrent, isSketch: isSketch, rate: rate, size: size)
        })

    /// The take that the documentation's examples have.
    public static let example = ListedTake(
        number: 12, began: "2026-01-02T12:34:56Z", seconds: 182.4, pattern: "groove", isStarred: true, size: 40_960)
}

/// What a render has written.
public struct RenderedSound: WireMessage, Equatable {
    /// Length in audio frames.
    public var frames: Int
    /// Length in seconds.
    public var seconds: Double
    /// The drums whose samples are missing or have changed, and so sound otherwise.
    public var drums: [String]
    /// Why it may differ from what was heard, for people; nil if nothing is known.
    public var warning: String?

    public init(frames: Int, seconds: Double, drums: [String] = [], warning: String? = nil) {
        (self.frames, self.seconds, self.drums, self.warning) = (frames, seconds, drums, warning)
    }

    /// `{"frames": n, "seconds": s, "drums": []}`, with `warning` if there is one.
    public static let kind = Kind<RenderedSound>.record(
        Member("frames", .integer, \.frames), Member("seconds", .number.counted(in: "s"), \.seconds),
        Member(
            "drums", .array(of: .string).meaning("Those whose samples are missing or have changed."), \.drums),
        .optional("warning", .string.meaning("Why it may differ from what was heard, for people."), \.warning),
        make: { RenderedSound(frames: $0, seconds: $1, drums: $2, warning: $3) })
}

extension Kind<RenderedSound?> {
    /// Its members as members of a larger object that may have none of them.
    static let ifRendered = Kind(
        expected: RenderedSound.kind.expected, schema: RenderedSound.kind.schema.adding(["required": []]),
        throwing: { (json) throws(FieldError) in
            json.objectValue?["frames"] == nil ? nil : try RenderedSound.kind.value(of: json)
        },
        writing: { $0.map { .object($0.json) } ?? [:] })
}

/// The answer to `take.render`.
public struct RenderReply: WireMessage, Equatable {
    /// The written file; nil without.
    public var path: String?
    /// What is in the file.
    public var sound: RenderedSound?
    /// The id of a render that was begun in the background; nil with a path.
    public var render: Int?

    /// The file is complete.
    public init(path: String, _ sound: RenderedSound) { (self.path, self.sound) = (path, sound) }

    /// A render was begun in the background.
    public init(render: Int) { self.render = render }

    /// `{"path": ..., "frames": n, "seconds": s, "drums": []}`, or `{"render": id}`
    public static let kind = Kind<RenderReply>.record(
        .optional("path", .string, \.path),
        .optional("render", .integer.meaning("The id of a render in the background."), \.render),
        .embedded(Kind<RenderedSound?>.ifRendered, \.sound), make: { RenderReply(path: $0, render: $1, sound: $2) })

    private init(path: String?, render: Int?, sound: RenderedSound?) {
        (self.path, self.render, self.sound) = (path, render, sound)
    }
}

/// The answer to `take.data`.
public struct RenderedData: WireMessage, Equatable {
    /// A part of the file in base64.
    public var data: String
    /// Bytes in the whole file.
    public var size: Int
    /// Whether it is the last part.
    public var isEnd: Bool

    /// Bytes in a part at most.
    public static let longest = 256 << 10

    public init(data: String, size: Int, isEnd: Bool) { (self.data, self.size, self.isEnd) = (data, size, isEnd) }

    /// `{"data": base64, "size": bytes, "end": true}`
    public static let kind = Kind<RenderedData>.record(
        Member(
            "data", .string.meaning("At most 256 KiB in base64.").described(as: ["contentEncoding": "base64"]), \.data),
        Member("size", .integer.meaning("The whole file's.").counted(in: "bytes"), \.size),
        Member("end", .boolean.meaning("Whether it is the last part."), \.isEnd),
        make: RenderedData.init)

    /// The answer with a part of a file as JSON, in a fraction of the time that its members take.
    public static func json(_ part: [UInt8], size: Int, isEnd: Bool) -> [UInt8] {
        var json = Array("{\"data\":".utf8)
        json.reserveCapacity(part.count / 3 * 4 + 64)
        json.appendJSON(base64: part)
        json += Array(",\"size\":".utf8)
        json.appendJSON(size)
        json += Array((isEnd ? ",\"end\":true}" : ",\"end\":false}").utf8)
        return json
    }
}

extension Kind<Int> {
    /// A take's number.
    static let takeNumber = Kind.integer(in: 1...Int(Int32.max))
}
