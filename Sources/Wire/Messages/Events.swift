import JSON

/// A step started.
public struct StepEvent: NotificationMessage {
    /// `step`
    public static let method = Topic.step.rawValue

    /// 0 to 31.
    public var step: Int
    /// The audio frame on which it was heard.
    public var frame: Int64
    /// JACK's time for that frame in µs.
    public var usecs: UInt64

    /// A step started.
    public init(step: Int, frame: Int64, usecs: UInt64) {
        self.step = step
        self.frame = frame
        self.usecs = usecs
    }

    /// Reads `{"step": s, "frame": audio frame, "usecs": JACK time}`.
    public init(_ fields: Fields) throws(FieldError) {
        step = try fields("step", .integer)
        frame = Int64(try fields("frame", .integer))
        usecs = UInt64(try fields("usecs", .integer(in: 0...Int.max)))
    }

    /// `{"step": s, "frame": audio frame, "usecs": JACK time}`
    public var json: JSONObject {
        ["step": .integer(step), "frame": .integer(Int(frame)), "usecs": .integer(Int(clamping: usecs))]
    }
}

/// A text appeared on the grid, or goes.
public struct TooltipEvent: NotificationMessage {
    /// `tooltip`
    public static let method = Topic.tooltip.rawValue

    /// The text.
    public var text: String
    /// First row of the text on the grid.
    public var row: Int
    /// For how long it is shown from now on: nil while a drag is under way, at whose end there will be another event; 0
    /// when it is gone.
    public var milliseconds: Int?

    /// A text on the grid.
    public init(text: String, row: Int, milliseconds: Int?) {
        self.text = text
        self.row = row
        self.milliseconds = milliseconds
    }

    /// Reads `{"text": t, "row": first row of the text, "ms": 1200}`, in which `ms` may be missing.
    public init(_ fields: Fields) throws(FieldError) {
        text = try fields("text", .string)
        row = try fields("row", .integer)
        milliseconds = try fields.optional("ms", .integer)
    }

    /// `{"text": t, "row": first row of the text, "ms": 1200}`
    public var json: JSONObject {
        var object: JSONObject = ["text": .string(text), "row": .integer(row)]
        object["ms"] = milliseconds.map { .integer($0) }
        return object
    }
}

/// The client's device is to shake.
public struct HapticEvent: NotificationMessage {
    /// `haptic`
    public static let method = Topic.haptic.rawValue

    /// `light`, `medium`, `heavy` or `rigid`.
    public var style: String
    /// 0 to 1.
    public var intensity: Double

    /// The client's device is to shake.
    public init(style: String, intensity: Double) {
        self.style = style
        self.intensity = intensity
    }

    /// Reads `{"style": "light", "intensity": 0.5}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init(style: try fields("style", .string), intensity: try fields("intensity", .number))
    }

    /// `{"style": "light", "intensity": 0.5}`
    public var json: JSONObject { ["style": .string(style), "intensity": .number(intensity)] }
}

/// The daemon is about to close the connection.
public struct Bye: NotificationMessage {
    /// `bye`
    public static let method = "bye"

    /// Why, in words.
    public var reason: String

    /// The daemon is about to close the connection.
    public init(reason: String) {
        self.reason = reason
    }

    /// Reads `{"reason": ...}`.
    public init(_ fields: Fields) throws(FieldError) {
        reason = try fields("reason", .string)
    }

    /// `{"reason": ...}`
    public var json: JSONObject { ["reason": .string(reason)] }
}
