import CJack
import Engine

/// How patchbays are to show the client and its ports.
///
/// JACK keeps it in a database beside the server, which may be missing or broken; nothing depends on it.
enum JackMetadata {
    /// Describes a client and its ports, which have not been activated.
    ///
    /// - Returns: What could not be set, in words.
    static func describe(_ client: OpaquePointer, name: String, ports: borrowing PortTable) -> [String] {
        var failures: [String] = []
        func set(_ subject: jack_uuid_t, _ key: UnsafePointer<CChar>?, _ value: String, _ type: String) {
            if unsafe jack_set_property(client, subject, key, value, type) != 0 {
                failures.append(value)
            }
        }
        if let uuid = unsafe uuid(of: client, name: name) {
            unsafe set(uuid, cjack_key_icon_name(), iconName, textType)
        } else {
            failures.append(iconName)
        }
        for port in EnginePort.all {
            let uuid = unsafe jack_port_uuid(ports.handle(of: port))
            unsafe set(uuid, cjack_key_pretty_name(), port.title, textType)
            unsafe set(uuid, cjack_key_order(), String(port.index + 1), integerType)
            unsafe set(uuid, cjack_key_port_group(), port.group.rawValue, textType)
            if port.kind.jackType == JACK_DEFAULT_MIDI_TYPE {
                unsafe set(uuid, cjack_key_event_types(), "MIDI", textType)
            }
        }
        return failures.isEmpty ? [] : ["JACK took no metadata: \(failures.joined(separator: ", "))"]
    }

    /// A name of the freedesktop.org icon theme specification.
    static let iconName = "pixelboop"
    private static let textType = "text/plain"
    private static let integerType = "http://www.w3.org/2001/XMLSchema#int"

    private static func uuid(of client: OpaquePointer, name: String) -> jack_uuid_t? {
        guard let text = unsafe jack_get_uuid_for_client_name(client, name) else { return nil }
        defer { unsafe jack_free(text) }
        var uuid: jack_uuid_t = 0
        return unsafe jack_uuid_parse(text, &uuid) == 0 ? uuid : nil
    }
}
