import Grid
import JSON
import Music

/// The answer to `subscribe`: the current value of each topic that has one.
public struct SubscribeReply: WireMessage {
    /// The picture that the first diff changes.
    public var frame: KeyFrame?
    /// The state that the first patch changes, as JSON for applying patches.
    public var state: JSONValue?
    /// The labels that the first update changes.
    public var labels: LabelUpdate?

    public init(frame: KeyFrame? = nil, state: JSONValue? = nil, labels: LabelUpdate? = nil) {
        self.frame = frame
        self.state = state
        self.labels = labels
    }

    /// `{"frame": key frame, "state": state, "labels": labels}`
    public static let kind = Kind<SubscribeReply>.record(
        .optional("frame", KeyFrame.kind, \.frame), .optional("state", .state, \.state),
        .optional("labels", LabelUpdate.kind, \.labels),
        make: { SubscribeReply(frame: $0, state: $1, labels: $2) })
}

extension TouchOutcome: WireMessage {
    /// `{"gesture": "arpeggio", "notes": n, "frame": f}`, f null without audio; `{}` if nothing changed.
    public static let kind = Kind<TouchOutcome>.record(
        .optional("gesture", .string, \.gesture), .optional("notes", .integer, \.writtenNotes),
        .optional("frame", .integerOrNull, \.writtenFrame), make: TouchOutcome.init(gesture:notes:writtenFrame:))

    private init(gesture: String?, notes: Int?, writtenFrame frame: Int??) {
        self.init(gesture: gesture, notes: notes, frame: frame?.map { Int64($0) })
    }

    private var writtenNotes: Int? { gesture.map { _ in notes ?? 0 } }

    /// Null rather than left out if the change cannot be heard.
    private var writtenFrame: Int?? { gesture.map { _ in frame.map { Int($0) } } }
}

extension Kind<JSONValue> {
    /// The state as JSON for applying patches: another version's state may have members that this one does not know.
    static let state = Kind(
        expected: "an object", schema: InstrumentState.kind.schema,
        reading: { $0.objectValue.map { .object($0) } }, writing: { $0 })
}

public struct LibraryEntry: WireMessage {
    public var name: String
    /// When it was last written, as `2026-01-02T12:34:56Z`.
    public var modified: String
    /// Beats per minute.
    public var bpm: Double
    public var scale: String
    /// Steps that are played.
    public var length: Int

    public init(name: String, modified: String, bpm: Double, scale: String, length: Int) {
        self.name = name
        self.modified = modified
        self.bpm = bpm
        self.scale = scale
        self.length = length
    }

    /// One element of `library.list`.
    public static let kind = Kind<LibraryEntry>.record(
        Member("name", .string, \.name),
        Member("modified", .string.described(as: ["format": "date-time"]), \.modified), Member("bpm", .number, \.bpm),
        Member("scale", .string, \.scale), Member("length", .integer, \.length),
        make: { LibraryEntry(name: $0, modified: $1, bpm: $2, scale: $3, length: $4) })
}

public struct KitEntry: WireMessage {
    /// A file that cannot be used, or not as a whole.
    public struct Refusal: WireMessage {
        public var file: String
        /// The reason, for people.
        public var reason: String

        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }

        /// `{"file": "kick.wav", "reason": "there is no sound in it"}`
        public static let kind = Kind<Refusal>.record(
            Member("file", .string, \.file), Member("reason", .string, \.reason), make: Refusal.init)
    }

    public var name: String
    /// The drums that have a sample; none in a built-in kit.
    public var samples: [String]
    /// The files that cannot be used.
    public var refused: [Refusal]
    /// The files that are played as far as they go, as their ends are missing; nil from an older daemon.
    public var truncated: [Refusal]?

    /// A kit; built in unless it has samples or files.
    public init(name: String, samples: [String] = [], refused: [Refusal] = [], truncated: [Refusal]? = []) {
        self.name = name
        self.samples = samples
        self.refused = refused
        self.truncated = truncated
    }

    /// Whether it is one of the kits that every daemon has.
    public var isBuiltIn: Bool { Track.rhythm.soundNames.contains(name) }

    /// One element of `kit.list`.
    public static let kind = Kind<KitEntry>.record(
        Member("name", .string, \.name), Member("samples", .array(of: .string), \.samples),
        Member("refused", .array(of: Refusal.kind), \.refused),
        .optional("truncated", .array(of: Refusal.kind), \.truncated),
        make: { KitEntry(name: $0, samples: $1, refused: $2, truncated: $3) })
}

/// The answer to `export.midi`, `export.wav` and `take.midi`.
public struct ExportReply: WireMessage {
    /// The written file, nil if the content is in ``data``.
    public var path: String?
    /// The file's content in base64, nil if it was written to ``path``.
    public var data: String?
    /// The id of a render that was begun in the background; nil if there is a file.
    public var render: Int?
    /// Length in audio frames; nil for a render, whose end reports it.
    public var frames: Int?

    public init(path: String? = nil, data: String? = nil, frames: Int) {
        self.init(path: path, data: data, render: nil, frames: frames)
    }

    /// A render was begun in the background.
    public init(render: Int) { self.init(path: nil, data: nil, render: render, frames: nil) }

    private init(path: String?, data: String?, render: Int?, frames: Int?) {
        (self.path, self.data, self.render, self.frames) = (path, data, render, frames)
    }

    /// `{"path": ..., "frames": n}`, `{"data": ..., "frames": n}` or `{"render": id}`
    public static let kind = Kind<ExportReply>.record(
        .optional("path", .string, \.path), .optional("data", .string, \.data),
        .optional("render", .integer.meaning("The id of a render in the background."), \.render),
        .optional("frames", .integer, \.frames),
        make: { ExportReply(path: $0, data: $1, render: $2, frames: $3) })
}

/// One of the daemon's ports, as `audio.ports` and `midi.ports` list them.
public struct InstrumentPort: WireMessage, Equatable {
    /// The port's name, without that of the daemon's JACK client.
    public var name: String
    /// The full names of the ports that it is connected to, sorted.
    public var connections: [String]

    public init(name: String, connections: [String] = []) {
        self.name = name
        self.connections = connections
    }

    /// `{"name": "midi_in", "connections": ["a2j:Keystation [24] (capture): Keystation MIDI 1"]}`
    public static let kind = Kind<InstrumentPort>.record(
        Member("name", .string, \.name), Member("connections", .array(of: .string), \.connections),
        make: InstrumentPort.init)
}
