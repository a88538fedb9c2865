import JSON
import Music
import PatternFormat

extension TransportStatus: WireMessage {
    /// `{"state": "stopped", "step": 0, "record": false}`
    public static let kind = Kind<TransportStatus>.record(
        Member("state", .choice, \.state), Member("step", .step, \.step),
        .defaulted("record", .boolean, false, \.record),
        make: { TransportStatus(state: $0, step: $1, record: $2) }
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
    /// What calls the daemon for audio.
    public var driver: AudioDriver
    /// What the audio driver is doing.
    public var status: DriverState
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// Frames per second, nil while there is no sound.
    public var rate: Int?
    /// Frames per period, nil while there is no sound.
    public var period: Int?

    /// What the audio driver is doing.
    public init(
        driver: AudioDriver = .jack, status: DriverState, reason: String = "", rate: Int? = nil, period: Int? = nil
    ) {
        self.driver = driver
        self.status = status
        self.reason = reason
        self.rate = rate
        self.period = period
    }

    /// `{"driver": "jack", "status": "running", "reason": "", "rate": 48000, "period": 64}`
    public static let kind = Kind<AudioState>.record(
        .defaulted("driver", .choice, .jack, \.driver), Member("status", .choice, \.status),
        Member("reason", .string, \.reason),
        .optional("rate", .integer, \.rate), .optional("period", .integer, \.period),
        make: { AudioState(driver: $0, status: $1, reason: $2, rate: $3, period: $4) })
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

extension OpenLenses: WireMessage {
    /// `{"bass": "chance"}`; tracks without an open lens are left out.
    public static let kind = Kind<OpenLenses>.object(
        schema: Schema(
            [
                "type": "object",
                "properties": .object(
                    JSONObject(
                        Track.allCases.map { .init(name: $0.name, value: .object(Kind<Lens>.name.schema.json)) })),
            ]),
        reading: { (fields) throws(FieldError) in
            var lenses = OpenLenses()
            for track in Track.allCases { lenses[track] = try fields.optional(track.name, Kind<Lens>.name) }
            return lenses
        },
        writing: { lenses in
            JSONObject(
                Track.allCases.compactMap { track in
                    lenses[track].map { .init(name: track.name, value: Kind<Lens>.name.json(of: $0)) }
                })
        })
}
