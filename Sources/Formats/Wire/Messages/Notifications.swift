import Grid
import Instrument
import JSON
import Music

/// The daemon's notifications, each described once.
public enum Notifications {
    /// All of them, in the order of the documentation.
    public static let all: [NotificationDescription] = [
        .init("The first line of every connection.", Welcome(version: "1.2.3")),
        .init(
            "The cells that changed since the last picture that this client was sent.",
            FrameUpdate(
                sequence: 9, base: 7,
                changes: [.init(index: 180, value: 0x00ffaa), .init(index: 181, value: 0x0a0a0a)])),
        .state,
        .init("A step started.", StepEvent(step: 3, songStep: 35, frame: 520_560, usecs: 6_332_128_301)),
        .init(
            "A slot begins to play.",
            LaunchEvent(track: .bass, slot: 3, frame: 520_560, usecs: 6_332_128_301)),
        .init("A text appears on the grid, or disappears.", TooltipEvent(text: "KICK", row: 10, milliseconds: 1200)),
        .init(
            "The touching client's device should vibrate.", HapticEvent(style: "light", intensity: 0.5)),
        .init("A request by players to the client that holds the timeline.", TimelineRequest.tempo(128)),
        .init(
            "A message came in at the MIDI input, or `midi.learn` has ended.",
            MidiNews(ArrivedMessage(frame: 520_560, usecs: 6_332_128_301, bytes: [144, 60, 100]))),
        .init(
            "What to draw on an oscilloscope, 30 times a second.",
            ScopeEvent(usecs: 6_332_128_301, main: [-212, 198, -190, 201], peaks: [401, 0, 120, 655])),
        .init(
            "A punch-in began or moved; with the effect alone, it has ended.",
            PunchEvent(effect: .filter, amount: 0.25, tracks: [.bass])),
        .init("A saved pattern was added, deleted or changed.", LibraryEvent()),
        .init(
            "The labels that changed since the last ones that this client was sent.",
            LabelUpdate(sequence: 2, base: 1, changes: [.init(index: 312, value: "")])),
        .init("The list of takes has changed, or a render of this client has come further.", TakeEvent.changed),
        .init(
            "A fiftieth of a second of audio.",
            AudioEvent(frame: 520_320, usecs: 6_332_123_301, rate: 48_000, pcm: nil)),
        .init("The daemon closes the connection next.", Bye(reason: "pixelboopd is stopping")),
    ]
}

/// The type-erased description of a notification.
public struct NotificationDescription: Sendable {
    /// The method that it calls at the client.
    public let name: String
    /// When it is sent, in a sentence.
    public let summary: String
    /// Its parameters as a JSON Schema.
    public let schema: Schema
    /// Example parameters.
    public let example: JSONObject
    /// Reads its parameters; nil for the state, whose patches mean nothing on their own.
    let read: (@Sendable (JSONValue) throws(FieldError) -> any NotificationMessage)?
    /// Whether the next version of the protocol removes it.
    public private(set) var isDeprecated = false

    /// The topic that it belongs to, nil if all clients get it.
    public var topic: Topic? { Topic(rawValue: name) }

    /// The same notification, to be removed in the next version of the protocol; its summary names what to use instead.
    public func deprecated() -> NotificationDescription {
        var copy = self
        copy.isDeprecated = true
        return copy
    }

    fileprivate init<Message: NotificationMessage>(_ summary: String, _ example: Message) {
        name = Message.method
        self.summary = summary
        schema = Message.kind.schema
        self.example = example.json
        read = { (parameters) throws(FieldError) in try Message(json: parameters) }
    }

    private init(name: String, summary: String, schema: Schema, example: JSONObject) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.example = example
        read = nil
    }

    fileprivate static let state = NotificationDescription(
        name: Topic.state.rawValue, summary: "What changed in the state.",
        schema: [
            "type": "object", "description": "A JSON merge patch (RFC 7386) of State.",
            "x-mergePatchOf": ["$ref": "#/components/schemas/State"],
        ], example: ["transport": ["state": "playing"], "bpm": 96])
}

/// A topic that a client may subscribe to, named like its notifications.
public enum Topic: String, CaseIterable, Sendable {
    /// The picture: a key frame, then changes.
    case frame
    /// All settings: the whole state, then changes.
    case state
    /// Each step as it is heard.
    case step
    /// The tooltips on the grid.
    case tooltip
    /// How the touching client's device should vibrate.
    case haptic
    /// Each slot that begins to play.
    case launch
    /// Requests by players to the client that holds the timeline.
    case sync
    /// Messages at the MIDI input, and the outcome of `midi.learn`.
    case midi
    /// Oscilloscope data of the main output.
    case scope
    /// The punch-ins: each as it begins, moves and ends.
    case punch
    /// Changes of the saved patterns.
    case library
    /// The texts of the lit step cells: all of them, then changes.
    case labels
    /// Changes of the takes; how far this client's renders are.
    case take
    /// The main output, on a connection of its own.
    case audio
}
