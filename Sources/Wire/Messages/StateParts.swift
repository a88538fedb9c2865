import JSON

/// Whether the step clock runs, and where it is.
public struct TransportState: WireMessage {
    /// Whether the step clock runs.
    public enum Status: String, CaseIterable, Sendable {
        case stopped
        case playing
        case paused
    }

    /// Whether the step clock runs.
    public var state: Status
    /// The current step, 0 to 31.
    public var step: Int

    /// Whether the step clock runs, and where it is.
    public init(state: Status, step: Int) {
        self.state = state
        self.step = step
    }

    /// Reads `{"state": "stopped", "step": 0}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init(state: try fields("state", .choice), step: try fields("step", .integer))
    }

    /// `{"state": "stopped", "step": 0}`
    public var json: JSONObject { ["state": .string(state.rawValue), "step": .integer(step)] }
}

/// How many steps can be undone and redone.
public struct HistoryCounts: WireMessage {
    /// Steps that can be undone.
    public var undo: Int
    /// Steps that can be redone.
    public var redo: Int

    /// How many steps can be undone and redone.
    public init(undo: Int, redo: Int) {
        self.undo = undo
        self.redo = redo
    }

    /// Reads `{"undo": 0, "redo": 0}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init(undo: try fields("undo", .integer), redo: try fields("redo", .integer))
    }

    /// `{"undo": 0, "redo": 0}`
    public var json: JSONObject { ["undo": .integer(undo), "redo": .integer(redo)] }
}

/// What the audio driver is doing.
public struct AudioState: WireMessage {
    /// What the audio driver is doing.
    public enum Status: String, CaseIterable, Sendable {
        case running
        case noServer = "no server"
        case lost
        case off
    }

    /// What the audio driver is doing.
    public var status: Status
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// Frames per second, nil while there is no sound.
    public var rate: Int?
    /// Frames per period, nil while there is no sound.
    public var period: Int?

    /// What the audio driver is doing.
    public init(status: Status, reason: String = "", rate: Int? = nil, period: Int? = nil) {
        self.status = status
        self.reason = reason
        self.rate = rate
        self.period = period
    }

    /// Reads `{"status": "running", "reason": "", "rate": 48000, "period": 64}`.
    public init(_ fields: Fields) throws(FieldError) {
        status = try fields("status", .choice)
        reason = try fields("reason", .string)
        rate = try fields.optional("rate", .integer)
        period = try fields.optional("period", .integer)
    }

    /// `{"status": "running", "reason": "", "rate": 48000, "period": 64}`
    public var json: JSONObject {
        var object: JSONObject = ["status": .string(status.rawValue), "reason": .string(reason)]
        object["rate"] = rate.map { .integer($0) }
        object["period"] = period.map { .integer($0) }
        return object
    }
}

/// Whether edits reach the disk.
public struct StorageState: WireMessage {
    /// Whether edits reach the disk.
    public enum Status: String, CaseIterable, Sendable {
        case running
        /// Nothing is written for now; editing goes on.
        case failing
    }

    /// Whether edits reach the disk.
    public var status: Status
    /// What keeps them from it, in words; empty while running.
    public var reason: String

    /// Whether edits reach the disk.
    public init(status: Status = .running, reason: String = "") {
        self.status = status
        self.reason = reason
    }

    /// Reads `{"status": "running", "reason": ""}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init(status: try fields("status", .choice), reason: try fields("reason", .string))
    }

    /// `{"status": "running", "reason": ""}`
    public var json: JSONObject { ["status": .string(status.rawValue), "reason": .string(reason)] }
}
