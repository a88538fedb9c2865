import Instrument
import JSON
import Music
import PatternFormat

/// A message from a MIDI port, or the outcome of `midi.learn`.
public struct MidiNews: NotificationMessage {
    public static let method = Topic.midi.rawValue

    /// The outcome of `midi.learn`.
    public enum Learned: Equatable, Sendable {
        case binding(MidiBinding)
        /// No message came within 30 s, another client began to learn, or there was no room for another binding.
        case nothing
    }

    /// A message that came in.
    public var arrival: ArrivedMessage?
    public var learned: Learned?

    public init(_ arrival: ArrivedMessage) { self.arrival = arrival }

    /// The outcome of `midi.learn`.
    public init(_ learned: Learned) { self.learned = learned }

    /// `{"port": "midi_in", "frame": n, "usecs": t, "bytes": [144, 60, 100]}`, or `{"learned": binding}` with an empty object
    /// if no message came.
    public static let kind = Kind<MidiNews>.record(
        Member<MidiNews, String?>.optional("port", .string, { $0.arrival?.port }),
        Member<MidiNews, Int64?>.optional("frame", .audioFrame, { $0.arrival?.frame }),
        Member<MidiNews, UInt64?>.optional("usecs", .jackTime, { $0.arrival?.usecs }),
        Member<MidiNews, [Int]?>.optional(
            "bytes", .array(of: .integer(in: 0...255)), { $0.arrival?.bytes.map(Int.init) }),
        Member<MidiNews, Learned?>.optional("learned", .learned, { $0.learned }),
        make: { MidiNews(port: $0, frame: $1, usecs: $2, bytes: $3, learned: $4) })

    private init(port: String?, frame: Int64?, usecs: UInt64?, bytes: [Int]?, learned: Learned?) {
        self.learned = learned
        guard learned == nil else { return }
        arrival = ArrivedMessage(
            port: port ?? "", frame: frame ?? 0, usecs: usecs ?? 0, bytes: (bytes ?? []).map { UInt8($0) })
    }
}

extension Kind<MidiNews.Learned> {
    fileprivate static let learned = Kind(
        expected: "a binding, or an empty object",
        schema: Kind<MidiBinding>.binding.schema.adding(["required": []]),
        reading: { json in
            if json.objectValue?.members.isEmpty == true { return .nothing }
            return (try? Kind<MidiBinding>.binding.value(of: json, field: "learned")).map { .binding($0) }
        },
        writing: { learned in
            switch learned {
            case .binding(let binding): Kind<MidiBinding>.binding.json(of: binding)
            case .nothing: [:]
            }
        })
}
