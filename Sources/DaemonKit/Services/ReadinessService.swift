import ServiceLifecycle
import Systemd

/// Notifies the service manager when clients can connect, and when the end begins.
struct ReadinessService: Service {
    let manager: ServiceManager?

    func run() async throws {
        manager?.notify(.ready)
        try await gracefulShutdown()
        manager?.notify(.stopping)
    }
}
