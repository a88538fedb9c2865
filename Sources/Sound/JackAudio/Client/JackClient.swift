import CJack
import CLinux
import Engine
import Glibc
import Synchronization
import SystemSupport

/// One client of one JACK server, from its opening to its closing.
///
/// Opening, closing and the calls for the graph block on the server, forever if it hangs.
///
/// `@unchecked Sendable`: these calls are made on one thread; other threads call only what JACK allows on any.
@safe
struct JackClient: @unchecked Sendable {
    private let handle: OpaquePointer
    private let context: CallbackContext
    private var state: UnsafeMutablePointer<CallbackState> { unsafe context.state }

    let session: JackSession

    /// Opens a client and registers its ports and callbacks, but does not start it.
    ///
    /// - Parameter opened: The client, if it is open already.
    /// - Throws: ``JackFailure``; no client is left open then.
    init(
        _ configuration: JackConfiguration, context: CallbackContext, opened: OpenedClient? = nil
    ) throws(JackFailure) {
        let state = unsafe context.state
        unsafe state.pointee.reset()
        let opened = if let opened { opened } else { try OpenedClient(configuration) }
        let handle = unsafe opened.handle
        unsafe opened.giveHandles(to: state)
        guard unsafe registerCallbacks(of: handle, context: state) else {
            opened.close()
            throw .refused("JACK refused the callbacks")
        }
        session = unsafe JackSession(
            clientName: String(cString: jack_get_client_name(handle)), sampleRate: Int(jack_get_sample_rate(handle)),
            period: Int(jack_get_buffer_size(handle)), realtimePriority: nil)
        unsafe state.pointee.client.pointee = unsafe handle
        unsafe state.pointee.sampleRate.store(session.sampleRate, ordering: .relaxed)
        unsafe state.pointee.period.store(session.period, ordering: .relaxed)
        unsafe self.handle = unsafe handle
        self.context = context
    }

    /// Opens a client and starts it.
    ///
    /// libjack locks memory itself, a page for each client of the server, and gives up if the limit allows no more. Then
    /// ours is released for a second try.
    ///
    /// - Throws: ``JackFailure``; no client is left open then.
    static func started(
        _ configuration: JackConfiguration, context: CallbackContext, _ memory: MemoryKeeping, opening: JackOpening?
    ) throws(JackFailure) -> JackClient {
        do throws(JackFailure) {
            return try startedAtOnce(configuration, context: context, memory, opened: try opening?.fetch())
        } catch {
            guard case .refused = error, memory.release() else { throw error }
            return try startedAtOnce(configuration, context: context, memory)
        }
    }

    private static func startedAtOnce(
        _ configuration: JackConfiguration, context: CallbackContext, _ memory: MemoryKeeping,
        opened: OpenedClient? = nil
    ) throws(JackFailure) -> JackClient {
        let client = try JackClient(configuration, context: context, opened: opened)
        do throws(JackFailure) {
            try client.start(memory)
            return client
        } catch {
            letNoticesArrive()
            client.close()
            throw error
        }
    }

    /// Prepares the engine and starts the process callback.
    ///
    /// No callback may run yet, neither of this client nor of an earlier one.
    ///
    /// - Throws: ``JackFailure``; then the client must still be closed.
    private func start(_ memory: MemoryKeeping) throws(JackFailure) {
        guard try context.prepareEngine(sampleRate: session.sampleRate) else {
            throw .refused("the client was opened too late")
        }
        // JACK is open and the engine has its memory for this rate: what is locked now is what the callback uses.
        memory.lock()
        // libjack's thread inherits the name of the one that starts it.
        unsafe clinux_name_thread("jack-process")
        defer { unsafe clinux_name_thread("jack-calls") }
        guard unsafe jack_activate(handle) == 0 else { throw .refused("JACK cannot activate the client") }
        unsafe AudioThread.keepStackInMemory(of: jack_client_thread_id(handle))
    }

    /// Sets one piece of the metadata of the client and its ports; the first is 0.
    func describe(piece: Int) -> JackMetadata.Outcome {
        unsafe JackMetadata.describe(handle, name: session.clientName, ports: state.pointee.ports, piece: piece)
    }

    /// Becomes timebase master unless there is one, or releases the timebase.
    func leadTimebase(_ isWanted: Bool) {
        if isWanted {
            unsafe state.pointee.transport.isTimebaseOurs.store(
                becomeTimebaseMaster(handle, context: state), ordering: .releasing)
        } else {
            unsafe state.pointee.transport.isTimebaseOurs.store(false, ordering: .releasing)
            _ = unsafe jack_release_timebase(handle)
        }
    }

    /// The process thread's real-time priority; nil if it has none.
    ///
    /// JACK requests it when the client is started.
    var realtimePriority: Int? { unsafe AudioThread.realtimePriority(of: jack_client_thread_id(handle)) }

    /// Blocks for a moment before a client is closed that could not be started, probably because the server has just
    /// left: closing cancels jackd2's notification thread, which reports that and may hold a lock that closing needs
    /// (jackaudio/jack2 issue 395).
    static func letNoticesArrive() { usleep(250_000) }

    /// Ends the process callback and all connections, and frees the client.
    func close() {
        let isServerGone = unsafe state.pointee.isServerGone.load(ordering: .acquiring)
        for port in isServerGone ? EnginePort.all : [] {
            unsafe cjack_forget_port(handle, state.pointee.ports.handle(of: port))
        }
        unsafe jack_client_close(handle)
        unsafe state.pointee.reset()
    }
}

// MARK: The graph

extension JackClient {
    /// The connections, and the ports that can be connected.
    func readGraph() -> PortGraph {
        let inputs = UInt(JackPortIsInput.rawValue)
        var graph = PortGraph()
        graph.midiInputs = Set(portNames(flags: inputs, type: JACK_DEFAULT_MIDI_TYPE))
        graph.midiOutputs = Set(portNames(flags: UInt(JackPortIsOutput.rawValue), type: JACK_DEFAULT_MIDI_TYPE))
        graph.inputs = Set(portNames(flags: inputs)).union(graph.midiInputs).union(graph.midiOutputs)
        graph.playback = portNames(flags: inputs | UInt(JackPortIsPhysical.rawValue))
        for port in EnginePort.all {
            guard let registered = unsafe state.pointee.ports.handle(of: port) else { continue }
            let peers = unsafe names(freeing: jack_port_get_all_connections(handle, registered))
            let (own, others) = (peers.filter(isOurs), peers.filter { !isOurs($0) })
            graph.loops.formUnion(own.map { PortConnection(port: port.name, peer: $0) })
            if !others.isEmpty { graph.connections[port.name] = Set(others) }
        }
        return graph
    }

    private func isOurs(_ port: String) -> Bool { port.hasPrefix("\(session.clientName):") }

    func disconnect(_ connections: Set<PortConnection>) {
        for connection in connections {
            let ends = ends(of: connection)
            unsafe jack_disconnect(handle, ByteText.cString(ends.output), ByteText.cString(ends.input))
        }
    }

    private func ends(of connection: PortConnection) -> (output: String, input: String) {
        let ours = "\(session.clientName):\(connection.port)"
        let isInput = EnginePort.all.contains { $0.name == connection.port && $0.kind == .midiInput }
        return isInput ? (connection.peer, ours) : (ours, connection.peer)
    }

    /// Makes connections.
    ///
    /// - Returns: The ones that JACK refused.
    func connect(_ connections: Set<PortConnection>) -> Set<PortConnection> {
        connections.filter { connection in
            let ends = ends(of: connection)
            let result = unsafe jack_connect(
                handle, ByteText.cString(ends.output), ByteText.cString(ends.input))
            return result != 0 && result != EEXIST
        }
    }

    private func portNames(flags: UInt, type: String = JACK_DEFAULT_AUDIO_TYPE) -> [String] {
        unsafe names(freeing: jack_get_ports(handle, nil, type, flags))
    }

    private func names(freeing list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let list = unsafe list else { return [] }
        defer { unsafe jack_free(list) }
        var names: [String] = []
        while let name = unsafe list[names.count] {
            unsafe names.append(ByteText.text(cString: name))
        }
        return names
    }
}

extension JackFailure {
    /// What `jack_client_open`'s status bits mean.
    init(openStatus bits: UInt32, _ configuration: JackConfiguration) {
        func has(_ bit: CJack.JackStatus) -> Bool { bits & bit.rawValue != 0 }
        self =
            if has(JackServerFailed) {
                .noServer(configuration.serverName)
            } else if has(JackVersionError) {
                .refused("the JACK server uses another protocol version")
            } else if has(JackShmFailure) {
                .refused("JACK's shared memory cannot be reached")
            } else if has(JackNameNotUnique) {
                .refused("JACK has no unique name for '\(configuration.clientName)'")
            } else {
                .refused("the JACK server refused the client (status \(bits))")
            }
    }
}
