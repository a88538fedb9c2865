import CJack
import Engine
import Glibc

/// How patchbays are to show the client and its ports.
///
/// JACK keeps it in a database beside the server, which may be missing or broken; nothing depends on it.
enum JackMetadata {
    /// Describes a client and its ports, which have not been activated: others see the ports only then.
    ///
    /// It takes some 50 ms under jackd, and ends with the first property that is refused: a database that is full refuses
    /// all of them, and libdb complains about each on standard error.
    ///
    /// - Returns: That one was refused, in words.
    static func describe(_ client: OpaquePointer, name: String, ports: borrowing PortTable) -> [String] {
        var isTaken = true
        var pace = MetadataPace()
        func set(_ subject: jack_uuid_t, _ key: UnsafePointer<CChar>?, _ value: String, _ type: String) {
            guard isTaken else { return }
            isTaken = unsafe jack_set_property(client, subject, key, value, type) == 0
            if pace.isPauseDue(), JackLibrary.needsMetadataPaced { usleep(MetadataPace.pause) }
        }
        if let uuid = unsafe uuid(of: client, name: name) {
            unsafe set(uuid, cjack_key_icon_name(), iconName, textType)
        } else {
            isTaken = false
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
        return isTaken ? [] : ["JACK took no metadata: patchbays show plain port names"]
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

/// When to wait while metadata are set.
///
/// jackd tells every client of each property that is set, and waits for room in the client's socket; there is room for 32
/// such messages (jackd 1.9.21 under Linux's default of 208 KiB). A client that is being closed no longer reads. If it loses
/// its core before jackd is told to close it, and we set more than 32 properties meanwhile, jackd hangs for ever.
struct MetadataPace {
    /// How many properties are set without a pause.
    static let burst = 16
    /// How long a pause is in µs: long enough for a program that lost its core to get it back.
    static let pause: UInt32 = 25_000

    private var count = 0

    /// Counts a property that was set; whether to wait now.
    mutating func isPauseDue() -> Bool {
        count += 1
        return count.isMultiple(of: Self.burst)
    }
}
