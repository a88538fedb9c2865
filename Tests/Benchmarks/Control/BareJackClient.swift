import CJack

/// A JACK client with a process callback of a few lines.
final class BareJackClient {
    private let handle: OpaquePointer

    /// Joins a server.
    init(name: String, server: String) throws {
        var status = JackStatus(0)
        guard let handle = cjack_client_open(name, server, JackNoStartServer, &status) else {
            throw Rig.Failure(description: "no JACK client on \(server) (status \(status.rawValue))")
        }
        self.handle = handle
    }

    deinit { jack_client_close(handle) }

    /// Adds an audio port.
    func register(_ name: String, _ flags: JackPortFlags) throws -> OpaquePointer {
        guard let port = jack_port_register(handle, name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0) else {
            throw Rig.Failure(description: "no JACK port \(name)")
        }
        return port
    }

    /// Starts to be called with a context, which must last as long as the client.
    func activate(_ context: UnsafeMutableRawPointer, _ callback: @escaping JackProcessCallback) {
        jack_set_process_callback(handle, callback, context)
        jack_activate(handle)
    }

    /// Connects another client's output to an input of this one.
    func connect(_ output: String, to input: OpaquePointer) throws {
        let result = jack_connect(handle, output, jack_port_name(input))
        guard result == 0 else { throw Rig.Failure(description: "JACK does not connect \(output) (\(result))") }
    }
}
