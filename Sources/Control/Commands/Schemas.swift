import Grid
import JSON
import Music
import Wire

/// What results look like, as JSON Schemas.
enum Schemas {
    static let empty: JSONObject = ["type": "object", "maxProperties": 0]
    static let keyFrame = reference("KeyFrame")
    static let state = reference("State")
    static let transport = reference("Transport")
    static let track = reference("Track")
    static let history = reference("History")
    static let pattern = reference("Pattern")

    static let greeting = object(
        [
            ("server", text), ("version", text), ("protocol", integer), ("cols", integer), ("rows", integer),
            ("limits", object([("line", integer), ("unread", integer)])), ("client", text),
            ("touch", object([("resolution", text), ("cellPixels", number)])), ("remote", flag),
        ], required: ["server", "version", "protocol", "cols", "rows", "limits", "client", "touch"])

    static let touch = object(
        [("gesture", text), ("notes", integer), ("frame", ["type": ["integer", "null"]])], required: [])

    static let subscription = object([("frame", keyFrame), ("state", state)], required: [])

    static let tempo = object([("bpm", number)])

    static let libraryList: JSONObject = [
        "type": "array",
        "items": .object(
            object([
                ("name", text), ("modified", ["type": "string", "format": "date-time"]), ("bpm", number),
                ("scale", text), ("length", integer),
            ])),
    ]

    static let export = object([("path", text), ("data", text), ("frames", integer)], required: ["frames"])

    static let openRPC: JSONObject = ["type": "object"]

    static let statistics = object([
        ("uptime", number),
        (
            "audio",
            object(
                [
                    ("status", text), ("reason", text), ("rate", integer), ("period", integer), ("xruns", integer),
                    ("load", number), ("worst", number), ("droppedNotices", integer),
                ], required: ["status", "reason", "xruns", "load", "worst", "droppedNotices"])
        ),
        (
            "clients",
            [
                "type": "array",
                "items": .object(object([("id", integer), ("name", text), ("frames", frameCounts)])),
            ]
        ),
        ("frames", frameCounts), ("errors", integer), ("memory", integer),
    ])

    /// The schemas that are referred to by name.
    static let components: JSONObject = [
        "KeyFrame": .object(
            object([
                ("seq", integer), ("cols", ["const": .integer(Frame.columns)]),
                ("rows", ["const": .integer(Frame.rows)]),
                (
                    "rgb",
                    [
                        "type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 0xff_ffff],
                        "minItems": .integer(Frame.cellCount), "maxItems": .integer(Frame.cellCount),
                    ]
                ),
            ])),
        "State": .object(stateSchema),
        "Transport": .object(
            object([("state", Kind<TransportState.Status>.choice.schema), ("step", Kind<Int>.step.schema)])),
        "Track": .object(object([("mute", flag), ("solo", flag), ("gain", number), ("pan", number)])),
        "History": .object(object([("undo", integer), ("redo", integer)])),
        "Pattern": .object(patternSchema),
    ]

    private static let stateSchema = object([
        ("transport", transport), ("bpm", number), ("swing", number), ("scale", Kind<Scale>.scale.schema),
        ("root", Kind<PitchClass>.root.schema), ("length", integer), ("colors", Kind<ColorMode>.colorMode.schema),
        ("ghosts", flag), ("tracks", object(Track.allCases.map { ($0.name, track) })), ("history", history),
        ("pattern", object([("name", text)])),
        (
            "audio",
            object(
                [
                    ("status", Kind<AudioState.Status>.choice.schema), ("reason", text), ("rate", integer),
                    ("period", integer),
                ], required: ["status", "reason"])
        ),
        ("storage", object([("status", Kind<StorageState.Status>.choice.schema), ("reason", text)])),
    ])

    private static let patternSchema = object(
        [
            ("version", ["const": 1]), ("name", text), ("created", text), ("modified", text), ("bpm", number),
            ("scale", Kind<Scale>.scale.schema), ("rootNote", Kind<PitchClass>.root.schema),
            ("length", Kind<Int>.integer(in: 8...32).schema),
            ("swing", Kind<Double>.number(in: 0.5...0.75).schema),
            ("tracks", object(Track.allCases.map { ($0.name, patternTrack) }, required: [])),
        ], required: ["tracks"])

    private static let patternTrack = object(
        [
            ("type", text),
            (
                "notes",
                [
                    "type": "array",
                    "items": .object(
                        object(
                            [("col", integer), ("row", integer), ("pitch", integer), ("velocity", text)],
                            required: ["col", "pitch", "velocity"])),
                ]
            ),
        ], required: [])

    private static let frameCounts = object([("sent", integer), ("dropped", integer)])
    private static let text: JSONObject = ["type": "string"]
    private static let number: JSONObject = ["type": "number"]
    private static let integer: JSONObject = ["type": "integer"]
    private static let flag: JSONObject = ["type": "boolean"]

    private static func reference(_ name: String) -> JSONObject {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// An object of these members, all of them required unless told otherwise.
    private static func object(_ members: [(String, JSONObject)], required: [String]? = nil) -> JSONObject {
        [
            "type": "object",
            "properties": .object(JSONObject(members.map { .init(name: $0.0, value: .object($0.1)) })),
            "required": .array((required ?? members.map(\.0)).map { .string($0) }),
        ]
    }
}
