import JSON
import PatternFormat

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
    /// Whether what is played at the MIDI input is written while the clock runs.
    public var record: Bool

    /// Whether the step clock runs, where it is, and whether it records.
    public init(state: Status, step: Int, record: Bool = false) {
        self.state = state
        self.step = step
        self.record = record
    }

    /// `{"state": "stopped", "step": 0, "record": false}`
    public static let kind = Kind<TransportState>.record(
        Member("state", .choice, \.state), Member("step", .step, \.step),
        .defaulted("record", .boolean, false, \.record),
        make: { TransportState(state: $0, step: $1, record: $2) }
    ).defined(as: "Transport")
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

    /// `{"undo": 0, "redo": 0}`
    public static let kind = Kind<HistoryCounts>.record(
        Member("undo", .integer, \.undo), Member("redo", .integer, \.redo),
        make: { HistoryCounts(undo: $0, redo: $1) }
    ).defined(as: "History")
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

    /// `{"status": "running", "reason": "", "rate": 48000, "period": 64}`
    public static let kind = Kind<AudioState>.record(
        Member("status", .choice, \.status), Member("reason", .string, \.reason),
        .optional("rate", .integer, \.rate), .optional("period", .integer, \.period),
        make: { AudioState(status: $0, reason: $1, rate: $2, period: $3) })
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

    /// `{"status": "running", "reason": ""}`
    public static let kind = Kind<StorageState>.record(
        Member("status", .choice, \.status), Member("reason", .string, \.reason),
        make: { StorageState(status: $0, reason: $1) })
}
