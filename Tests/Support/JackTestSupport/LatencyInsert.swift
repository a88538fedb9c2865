import CJack

/// A JACK client that reports a latency from its input to its output, like an effect with look-ahead.
///
/// Close it before the server goes away, like a ``JackRecorder``.
public final class LatencyInsert {
    /// The latency callback's context.
    private struct Way {
        var input: OpaquePointer?
        var output: OpaquePointer?
        var frames: jack_nframes_t
    }

    private let client: OpaquePointer
    private let way: UnsafeMutablePointer<Way>

    /// Opens a client named `insert` with the ports `in` and `out`.
    ///
    /// - Parameter frames: The latency.
    public init(frames: Int, on server: JackServer) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open("insert", server.name, JackNoStartServer, &status) else {
            throw JackRecorder.Failure.cannotOpen
        }
        self.client = client
        way = .allocate(capacity: 1)
        way.initialize(
            to: Way(
                input: Self.port("in", JackPortIsInput, of: client),
                output: Self.port("out", JackPortIsOutput, of: client), frames: jack_nframes_t(frames)))
        jack_set_process_callback(client, { _, _ in 0 }, nil)
        jack_set_latency_callback(
            client, { mode, context in context.map { LatencyInsert.pass(mode, $0) } }, way)
        jack_activate(client)
    }

    /// Frees the client.
    public func close() {
        jack_client_close(client)
        way.deallocate()
    }

    private static func port(_ name: String, _ direction: JackPortFlags, of client: OpaquePointer) -> OpaquePointer? {
        jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(direction.rawValue), 0)
    }

    /// What jack.h requires of a client that adds latency.
    private static func pass(_ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer) {
        let way = context.assumingMemoryBound(to: Way.self).pointee
        let (from, to) = mode == JackPlaybackLatency ? (way.output, way.input) : (way.input, way.output)
        guard let from, let to else { return }
        var range = jack_latency_range_t()
        jack_port_get_latency_range(from, mode, &range)
        range.min += way.frames
        range.max += way.frames
        jack_port_set_latency_range(to, mode, &range)
    }
}
