import Instrument
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
    public var undo: Int
    public var redo: Int

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

/// The answer to an undo or a redo.
public struct HistoryReply: WireMessage {
    /// Steps that can be undone now.
    public var undo: Int
    /// Steps that can be redone now.
    public var redo: Int
    /// What it changed: `the preset of Bass`; nil when there was nothing to undo or redo.
    public var what: String?

    public init(undo: Int, redo: Int, what: String? = nil) {
        self.undo = undo
        self.redo = redo
        self.what = what
    }

    /// `{"undo": 0, "redo": 1, "what": "the preset of Bass"}`
    public static let kind = Kind<HistoryReply>.record(
        Member("undo", .integer, \.undo), Member("redo", .integer, \.redo),
        .optional("what", .string.meaning("What it changed; left out when there was nothing."), \.what),
        make: { HistoryReply(undo: $0, redo: $1, what: $2) })
}

extension AudioState: WireMessage {
    /// `{"driver": "jack", "status": "running", "reason": "", "rate": 48000, "period": 64}`
    public static let kind = Kind<AudioState>.record(
        .defaulted("driver", .choice, .jack, \.driver), Member("status", .choice, \.status),
        Member("reason", .string, \.reason),
        .optional("rate", .integer, \.rate), .optional("period", .integer, \.period),
        make: { AudioState(driver: $0, status: $1, reason: $2, rate: $3, period: $4) })
}

/// Whether edits reach the disk.
public struct StorageState: WireMessage {
    public enum Status: String, CaseIterable, Sendable {
        case running
        /// Nothing is written for now; editing continues.
        case failing
    }

    public var status: Status
    /// The reason for failing, for people; empty while running.
    public var reason: String
    /// Why no takes are kept, for people; nil while they are, or if that is switched off.
    public var takes: String?

    public init(status: Status = .running, reason: String = "", takes: String? = nil) {
        self.status = status
        self.reason = reason
        self.takes = takes
    }

    /// `{"status": "running", "reason": ""}`, with `takes` while they are stopped.
    public static let kind = Kind<StorageState>.record(
        Member("status", .choice, \.status), Member("reason", .string, \.reason),
        .optional("takes", .string.meaning("Why no takes are kept, for people."), \.takes),
        make: { StorageState(status: $0, reason: $1, takes: $2) })
}

extension OpenLenses: WireMessage {
    /// `{"bass": "chance"}`; tracks without an open lens are left out.
    public static let kind = Kind(
        expected: "an object", schema: byTrack.schema,
        throwing: { (json) throws(FieldError) in
            var lenses = OpenLenses()
            for (track, lens) in try byTrack.value(of: json) { lenses[track] = lens }
            return lenses
        },
        writing: { lenses in
            let open = Track.allCases.compactMap { track in lenses[track].map { (track, $0) } }
            return byTrack.json(of: Dictionary(uniqueKeysWithValues: open))
        })

    private static let byTrack = Kind.byTrack(Kind<Lens>.name)
}
