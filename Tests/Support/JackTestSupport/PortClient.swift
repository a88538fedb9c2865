import CJack
import Glibc
import Synchronization

/// A JACK client with ports that come and go, whose names may be any bytes.
///
/// Close it before the server goes away, like a ``JackRecorder``.
public final class PortClient: Sendable {
    // Used by one test at a time.
    nonisolated(unsafe) private let client: OpaquePointer
    private let isOpen = Atomic<Bool>(true)

    /// Opens a client with a name.
    public init(_ name: String, of server: JackServer) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open(name, server.name, JackNoStartServer, &status) else {
            throw JackRecorder.Failure.cannotOpen
        }
        self.client = client
        jack_activate(client)
    }

    deinit { close() }

    /// Adds a MIDI input.
    ///
    /// - Returns: Whether JACK had room for it.
    @discardableResult
    public func addInput(_ name: [UInt8]) -> Bool {
        (name + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                jack_port_register(
                    client, $0.baseAddress, JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0)
            }
        } != nil
    }

    @discardableResult
    public func addInput(_ name: String) -> Bool { addInput(Array(name.utf8)) }

    /// Removes an input.
    public func removeInput(_ name: [UInt8]) {
        guard let port = port(name) else { return }
        jack_port_unregister(client, port)
    }

    public func removeInput(_ name: String) { removeInput(Array(name.utf8)) }

    /// Connects an output of any client to an input of this one.
    public func connect(_ output: String, to input: [UInt8]) throws {
        guard let port = port(input), let name = jack_port_name(port), jack_connect(client, output, name) == 0 else {
            throw JackRecorder.Failure.cannotConnect(output)
        }
    }

    public func connect(_ output: String, to input: String) throws { try connect(output, to: Array(input.utf8)) }

    /// Whether an output of any client is connected to an input of this one.
    public func isConnected(_ output: String, to input: [UInt8]) -> Bool {
        port(input).map { jack_port_connected_to($0, output) != 0 } ?? false
    }

    public func isConnected(_ output: String, to input: String) -> Bool {
        isConnected(output, to: Array(input.utf8))
    }

    private func port(_ name: [UInt8]) -> OpaquePointer? {
        guard let own = jack_get_client_name(client) else { return nil }
        let full = Array(String(cString: own).utf8) + [UInt8(ascii: ":")] + name + [0]
        return full.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jack_port_by_name(client, $0.baseAddress) }
        }
    }

    /// Ends the client.
    public func close() {
        if isOpen.exchange(false, ordering: .relaxed) { jack_client_close(client) }
    }
}
