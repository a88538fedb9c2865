import JSON
import Music
import PatternFormat

/// A slot's properties apart from its notes.
public struct SlotState: WireMessage {
    /// Steps of its own loop, nil if it follows the pattern's length.
    public var length: Int?
    /// Its speed, nil for sixteenth steps.
    public var speed: Speed?
    /// The parameters that move, nil for none.
    public var motions: MotionState?

    /// All defaults unless given.
    public init(length: Int? = nil, speed: Speed? = nil, motions: MotionState? = nil) {
        (self.length, self.speed, self.motions) = (length, speed, motions)
    }

    public init(_ notes: SlotNotes) {
        self.init(
            length: notes.length, speed: notes.speed == .normal ? nil : notes.speed,
            motions: notes.motions.isEmpty ? nil : MotionState(notes.motions))
    }

    /// `{"length": 12, "speed": "3/2", "motions": {"parameters": ["tone"], "revision": 4711}}`.
    public static let kind = Kind<SlotState>.record(
        .optional("length", .slotLength, \.length), .optional("speed", .name, \.speed),
        .optional("motions", MotionState.kind, \.motions),
        make: { SlotState(length: $0, speed: $1, motions: $2) }
    ).defined(as: "Slot")
}

/// The moving parameters of a slot; `motion.get` returns their points.
public struct MotionState: WireMessage {
    /// The parameters that have points.
    public var parameters: [Parameter]
    /// Differs when the points differ, and is the same when they are the same.
    public var revision: Int

    public init(parameters: [Parameter], revision: Int) {
        self.parameters = parameters
        self.revision = revision
    }

    public init(_ motions: Motions) { self.init(parameters: motions.parameters, revision: motions.revision) }

    /// `{"parameters": ["tone"], "revision": 4711}`.
    public static let kind = Kind<MotionState>.record(
        Member("parameters", .array(of: .movable), \.parameters), Member("revision", .integer, \.revision),
        make: { MotionState(parameters: $0, revision: $1) }
    ).defined(as: "Motions")
}

extension Kind<Parameter> {
    /// A parameter that can move, by name.
    public static let movable = one(of: Parameter.movable) { $0.row.name }
}

extension Kind<[Int: SlotState]> {
    /// Slots with properties other than defaults, by number.
    static let bySlot = Kind.object(
        schema: Schema(
            [
                "type": "object", "propertyNames": ["pattern": "^[1-8]$"],
                "additionalProperties": .object(SlotState.kind.schema.json),
            ], containing: [SlotState.kind.schema]),
        reading: { (fields) throws(FieldError) in
            var slots: [Int: SlotState] = [:]
            for number in 1...Slot.count { slots[number] = try fields.optional(String(number), SlotState.kind) }
            return slots
        },
        writing: { slots in
            JSONObject(slots.sorted { $0.key < $1.key }, named: { String($0.key) }) {
                SlotState.kind.json(of: $0.value)
            }
        })
}
