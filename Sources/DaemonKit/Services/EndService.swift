import ServiceLifecycle
import UnixSignals

/// Ends, and ends all other services with it, at the first signal that asks the daemon to end.
///
/// The signals are trapped by the creator of this service, before clients can connect: `ServiceGroup` would trap them only once
/// all services run, and until then they would end the process at once, with edits that were not written yet.
struct EndService: Service {
    let signals: UnixSignalsSequence

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { return }
    }
}
