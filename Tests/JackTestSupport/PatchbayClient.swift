import CJack

/// A JACK client that looks at others' ports and their metadata as they come, as a patchbay does.
///
/// It is to be closed before the server goes away, like a ``JackRecorder``.
public final class PatchbayClient {
    /// What JACK's callbacks reach.
    private final class View: Sendable {
        let news: AsyncStream<News>
        private let told: AsyncStream<News>.Continuation

        init() { (news, told) = AsyncStream.makeStream() }

        func publish(_ item: News) { told.yield(item) }
    }

    /// What JACK reported, in its order.
    public enum News: Equatable, Sendable {
        /// A port of somebody's is there.
        case port
        /// A property of somebody's was set, by its key.
        case property(String)
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
                guard isNew != 0, let window = context?.assumingMemoryBound(to: Window.self).pointee else { return }
                window.view.publish(.port)
            }, window)
        jack_set_property_change_callback(
            client,
            { _, key, change, context in
                guard change == PropertyCreated || change == PropertyChanged, let key,
                    let window = context?.assumingMemoryBound(to: Window.self).pointee
                else { return }
                window.view.publish(.property(String(cString: key)))
            }, window)
        jack_activate(client)
    }

    /// Frees the client.
    public func close() {
        jack_client_close(client)
        window.deinitialize(count: 1)
        window.deallocate()
    }

    /// Waits for JACK to report something that it had not reported yet.
    public func next() async -> News? {
        await view.news.first { _ in true }
    }
}
