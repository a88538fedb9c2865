import CJack

/// A JACK client that looks at others' ports and their metadata as they come, as a patchbay does.
///
/// It is to be closed before the server goes away, like a ``JackRecorder``.
public final class PatchbayClient {
    /// What JACK's callbacks reach.
    private final class View: Sendable {
        /// For each port that came, whether it had a pretty name by then.
        let ports: AsyncStream<Bool>
        private let came: AsyncStream<Bool>.Continuation

        init() { (ports, came) = AsyncStream.makeStream() }

        func portCame(_ port: OpaquePointer) {
            var value: UnsafeMutablePointer<CChar>?
            var type: UnsafeMutablePointer<CChar>?
            let result = jack_get_property(jack_port_uuid(port), cjack_key_pretty_name(), &value, &type)
            jack_free(value)
            jack_free(type)
            came.yield(result == 0)
        }
    }

    /// What a callback is given.
    private struct Window {
        let client: OpaquePointer
        let view: View
    }

    private let client: OpaquePointer
    private let window: UnsafeMutablePointer<Window>
    private let view = View()

    /// Opens a client named `patchbay` without ports.
    public init(on server: JackServer) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open("patchbay", server.name, JackNoStartServer, &status) else {
            throw JackRecorder.Failure.cannotOpen
        }
        self.client = client
        window = .allocate(capacity: 1)
        window.initialize(to: Window(client: client, view: view))
        jack_set_process_callback(client, { _, _ in 0 }, nil)
        jack_set_port_registration_callback(
            client,
            { id, isNew, context in
                guard isNew != 0, let window = context?.assumingMemoryBound(to: Window.self).pointee,
                    let port = jack_port_by_id(window.client, id)
                else { return }
                window.view.portCame(port)
            }, window)
        jack_activate(client)
    }

    /// Frees the client.
    public func close() {
        jack_client_close(client)
        window.deinitialize(count: 1)
        window.deallocate()
    }

    /// Waits for somebody's next port; whether it had a pretty name when JACK told of it.
    public func nextPortIsDescribed() async -> Bool {
        await view.ports.first { _ in true } ?? false
    }
}
