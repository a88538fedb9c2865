import JSON

/// The answer to `subscribe`: the present value of the topics that have one.
public struct SubscribeReply: WireMessage {
    /// The picture that the first diff is against.
    public var frame: KeyFrame?
    /// The state that the first patch is against, as JSON, to which patches are applied.
    public var state: JSONValue?

    /// The present value of what was asked for.
    public init(frame: KeyFrame? = nil, state: JSONValue? = nil) {
        self.frame = frame
        self.state = state
    }

    /// Reads `{"frame": key frame, "state": state}`, either of which may be missing.
    public init(_ fields: Fields) throws(FieldError) {
        frame = try fields.optional("frame", .message(KeyFrame.self))
        state = try fields.optional("state", .object).map { .object($0) }
    }

    /// `{"frame": key frame, "state": state}`
    public var json: JSONObject {
        var object = JSONObject()
        object["frame"] = frame.map { .object($0.json) }
        object["state"] = state
        return object
    }
}

/// The answer to a `touch` that was sent as a request.
public struct TouchOutcome: WireMessage {
    /// What the touch turned out to be, nil when the pattern is as before.
    public var gesture: String?
    /// Cells written.
    public var notes: Int?
    /// The audio frame from which it can be heard, nil without audio.
    public var frame: Int64?

    /// The answer to a touch; to one that changed nothing unless told otherwise.
    public init(gesture: String? = nil, notes: Int? = nil, frame: Int64? = nil) {
        self.gesture = gesture
        self.notes = notes
        self.frame = frame
    }

    /// Reads `{"gesture": "arpeggio", "notes": n, "frame": f}` or `{}`.
    public init(_ fields: Fields) throws(FieldError) {
        gesture = try fields.optional("gesture", .string)
        notes = try fields.optional("notes", .integer)
        frame = try fields.optional("frame", .integerOrNull).flatMap { $0 }.map { Int64($0) }
    }

    /// `{"gesture": "arpeggio", "notes": n, "frame": f}`, f null without audio; `{}` when nothing changed.
    public var json: JSONObject {
        guard let gesture else { return [:] }
        return [
            "gesture": .string(gesture), "notes": .integer(notes ?? 0),
            "frame": frame.map { .integer(Int($0)) } ?? .null,
        ]
    }
}

extension Kind<Int?> {
    fileprivate static let integerOrNull = Kind(
        expected: "an integer or null", schema: ["type": ["integer", "null"]]
    ) { (value: JSONValue) -> Int?? in
        value.isNull ? .some(nil) : value.intValue.map { .some($0) }
    }
}

/// A pattern in the library.
public struct LibraryEntry: WireMessage {
    /// The name it was saved under.
    public var name: String
    /// When it was last written, as `2026-01-02T12:34:56Z`.
    public var modified: String
    /// Beats per minute.
    public var bpm: Double
    /// The scale's name.
    public var scale: String
    /// Steps that are played.
    public var length: Int

    /// A pattern in the library.
    public init(name: String, modified: String, bpm: Double, scale: String, length: Int) {
        self.name = name
        self.modified = modified
        self.bpm = bpm
        self.scale = scale
        self.length = length
    }

    /// Reads one element of `library.list`.
    public init(_ fields: Fields) throws(FieldError) {
        name = try fields("name", .string)
        modified = try fields("modified", .string)
        bpm = try fields("bpm", .number)
        scale = try fields("scale", .string)
        length = try fields("length", .integer)
    }

    /// One element of `library.list`.
    public var json: JSONObject {
        [
            "name": .string(name), "modified": .string(modified), "bpm": .number(bpm), "scale": .string(scale),
            "length": .integer(length),
        ]
    }
}

/// The answer to `export.midi` and `export.wav`.
public struct ExportReply: WireMessage {
    /// The file that was written, nil when the data is in ``data``.
    public var path: String?
    /// The file's content in base64, nil when it was written to ``path``.
    public var data: String?
    /// Length in audio frames.
    public var frames: Int

    /// What an export made.
    public init(path: String? = nil, data: String? = nil, frames: Int) {
        self.path = path
        self.data = data
        self.frames = frames
    }

    /// Reads `{"path": ..., "frames": n}` or `{"data": ..., "frames": n}`.
    public init(_ fields: Fields) throws(FieldError) {
        path = try fields.optional("path", .string)
        data = try fields.optional("data", .string)
        frames = try fields("frames", .integer)
    }

    /// `{"path": ..., "frames": n}` or `{"data": ..., "frames": n}`
    public var json: JSONObject {
        var object = JSONObject()
        object["path"] = path.map { .string($0) }
        object["data"] = data.map { .string($0) }
        object["frames"] = .integer(frames)
        return object
    }
}
