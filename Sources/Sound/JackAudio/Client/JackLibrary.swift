import CJack
import Engine
import SystemSupport

/// The JACK library that the program was started with: jackd's, or PipeWire's in its place.
enum JackLibrary {
    /// Keeps the library from printing messages of its own, on standard error and standard output.
    static func beQuiet() {
        unsafe jack_set_error_function { _ in }
        unsafe jack_set_info_function { _ in }
    }

    /// Whether a second client may be opened while the first one's server hangs.
    ///
    /// In PipeWire's library the clients of a process are independent. jackd's has one lock for all of them, and
    /// opening a client frees those of a server that has just died (jackaudio/jack2 issue 627); but it always reports
    /// such a death.
    static var keepsClientsApart: Bool { cjack_is_pipewire() }
}

/// Looks for a server on a connection of its own, on a thread of its own.
enum JackProbe {
    /// Starts looking. The thread ends when the server answers, or is gone; that may be never.
    ///
    /// - Parameters:
    ///   - client: The name of a client that our server would have.
    ///   - answered: Called if a server answers, with whether it has that client.
    static func start(
        _ configuration: JackConfiguration, for client: String, answered: @escaping @Sendable (Bool) -> Void
    ) throws(JackFailure) {
        try OrdinaryThread.startForJack(name: "jack-probe") {
            var status = CJack.JackStatus(0)
            guard
                let probe = unsafe cjack_client_open(
                    "\(configuration.clientName)-probe", configuration.serverName, JackNoStartServer, &status)
            else { return }
            let hasClient = unsafe jack_port_by_name(probe, "\(client):\(EnginePort.mainLeft.name)") != nil
            unsafe jack_client_close(probe)
            answered(hasClient)
        }
    }
}
