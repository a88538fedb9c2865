import CJack
import Engine

/// How patchbays should show the client and its ports.
///
/// JACK keeps it in a database beside the server, which may be missing or broken; nothing depends on it.
enum JackMetadata {
    /// The result of setting a piece of the description.
    enum Outcome: Sendable {
        /// It was set, and there is more.
        case goesOn
        /// It was set, and was the last one.
        case complete
        /// JACK accepts no properties: a full database refuses all of them, and libdb reports each on standard error.
        case refused
    }

    /// How many properties are set at once: see ``DescriptionSchedule``.
    static let pieceSize = 16

    @safe
    private struct Property {
        var subject: jack_uuid_t
        /// One of JACK's constants.
        var key: UnsafePointer<CChar>?
        var value: String
        var type = "text/plain"
    }

    /// Sets one piece of the properties of an active client and its ports; the first is 0.
    static func describe(_ client: OpaquePointer, name: String, ports: borrowing PortTable, piece: Int) -> Outcome {
        guard let uuid = unsafe uuid(of: client, name: name) else { return .refused }
        let rest = properties(of: uuid, ports).dropFirst(piece * pieceSize)
        for property in rest.prefix(pieceSize) {
            guard
                unsafe jack_set_property(client, property.subject, property.key, property.value, property.type) == 0
            else { return .refused }
        }
        return rest.count > pieceSize ? .goesOn : .complete
    }

    private static func properties(of client: jack_uuid_t, _ ports: borrowing PortTable) -> [Property] {
        var properties = unsafe [Property(subject: client, key: cjack_key_icon_name(), value: iconName)]
        for port in EnginePort.all {
            let uuid = unsafe jack_port_uuid(ports.handle(of: port))
            unsafe properties += [
                Property(subject: uuid, key: cjack_key_pretty_name(), value: port.title),
                Property(subject: uuid, key: cjack_key_order(), value: String(port.index + 1), type: integerType),
                Property(subject: uuid, key: cjack_key_port_group(), value: port.group.rawValue),
            ]
            if port.kind.jackType == JACK_DEFAULT_MIDI_TYPE {
                unsafe properties.append(Property(subject: uuid, key: cjack_key_event_types(), value: "MIDI"))
            }
        }
        return properties
    }

    /// A name of the freedesktop.org icon theme specification.
    static let iconName = "pixelboop"
    private static let integerType = "http://www.w3.org/2001/XMLSchema#int"

    private static func uuid(of client: OpaquePointer, name: String) -> jack_uuid_t? {
        guard let text = unsafe jack_get_uuid_for_client_name(client, name) else { return nil }
        defer { unsafe jack_free(text) }
        var uuid: jack_uuid_t = 0
        return unsafe jack_uuid_parse(text, &uuid) == 0 ? uuid : nil
    }
}
