import CJack
import Dispatch
import Engine
import Synchronization
import SystemSupport

/// A client of a JACK server that is open and has its ports, but calls nobody yet.
///
/// `@unchecked Sendable`: JACK's handles may be used on any thread, one after the other.
@safe
struct OpenedClient: @unchecked Sendable {
    let handle: OpaquePointer
    /// In the order of `EnginePort.all`.
    private let ports: [OpaquePointer]

    /// Opens a client and registers its ports.
    ///
    /// - Throws: ``JackFailure``; no client is left open then.
    init(_ configuration: JackConfiguration) throws(JackFailure) {
        var status = CJack.JackStatus(0)
        guard
            let handle = unsafe cjack_client_open(
                configuration.clientName, configuration.serverName, JackNoStartServer, &status)
        else { throw JackFailure(openStatus: status.rawValue, configuration) }
        unsafe self.handle = unsafe handle
        do throws(JackFailure) {
            let rate = unsafe Int(jack_get_sample_rate(handle))
            guard Engine.sampleRates.contains(rate) else { throw .rate(rate) }
            var ports = unsafe [OpaquePointer]()
            for port in EnginePort.all { unsafe ports.append(try Self.register(port, of: handle)) }
            unsafe self.ports = unsafe ports
        } catch {
            JackClient.letNoticesArrive()
            unsafe jack_client_close(handle)
            throw error
        }
    }

    private static func register(_ port: EnginePort, of client: OpaquePointer) throws(JackFailure) -> OpaquePointer {
        let handle = unsafe jack_port_register(client, port.name, port.kind.jackType, port.kind.jackFlags, 0)
        guard let handle = unsafe handle else { throw .refused("JACK has no room for the port \(port.name)") }
        return unsafe handle
    }

    /// Hands its ports to the callbacks.
    func giveHandles(to state: UnsafeMutablePointer<CallbackState>) {
        for (index, port) in EnginePort.all.enumerated() {
            unsafe state.pointee.ports.keep(ports[index], of: port)
        }
    }

    func close() {
        JackClient.letNoticesArrive()
        unsafe jack_client_close(handle)
    }
}

/// The opening of the driver's first client on a thread of its own, while the rest of the program starts: it consists of
/// waiting for the server.
public final class JackOpening: Sendable {
    private let result = Mutex<Result<OpenedClient, JackFailure>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)
    private let isTaken = Atomic(false)

    /// Begins to open a client.
    public init(_ configuration: JackConfiguration) {
        JackLibrary.beQuiet()
        do throws(JackFailure) {
            try OrdinaryThread.startForJack(name: "jack-calls") { [self] in
                let opened = Result { () throws(JackFailure) in try OpenedClient(configuration) }
                result.withLock { $0 = opened }
                isDone.signal()
            }
        } catch {
            isTaken.store(true, ordering: .relaxed)
        }
    }

    /// The client, as soon as it is open; nil if it was taken before.
    ///
    /// - Throws: ``JackFailure``, why it could not be opened.
    func fetch() throws(JackFailure) -> OpenedClient? {
        guard !isTaken.exchange(true, ordering: .relaxed) else { return nil }
        isDone.wait()
        guard let opened = result.withLock({ $0.take() }) else { return nil }
        return try opened.get()
    }
}
