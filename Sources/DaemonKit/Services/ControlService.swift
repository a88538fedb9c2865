import Control
import ServiceLifecycle
import UnixSocket

/// Serves the control socket until the end.
struct ControlService: Service {
    /// How long clients that do not read are waited for.
    private static let patience = Duration.milliseconds(150)

    let socket: ControlSocket
    let control: ControlCore

    func run() async throws {
        try await gracefulShutdown()
        await socket.close()
        await control.shutdown(reason: "pixelboopd is stopping", within: Self.patience)
    }
}
