import Server
import ServiceLifecycle

/// Serves the control socket until the end.
struct ControlService: Service {
    /// How long clients that do not read are waited for.
    private static let patience = Duration.milliseconds(150)

    let server: ControlServer

    func run() async throws {
        try await gracefulShutdown()
        await server.shutdown(reason: "pixelboopd is stopping", within: Self.patience)
    }
}
