import Configuration
import ServiceCommand

/// The command line of a surface's program: its flags, its configuration, and how it makes the surface. The rest is
/// common to all surfaces.
public protocol SurfaceCommand: CompanionCommand {
    /// The surface that the program provides.
    associatedtype Device: Surface

    /// Makes the surface.
    ///
    /// - Throws: Why that fails, which ends the program.
    func makeSurface(_ settings: Settings<Table>, in context: CompanionContext) throws -> Device
}

extension SurfaceCommand {
    /// Keeps the surface connected to the daemon, and runs it.
    public func work(_ settings: Settings<Table>, in context: CompanionContext) async throws {
        let surface = try makeSurface(settings, in: context)
        context.ready("playing on \(settings.socketPath)")
        let link = DaemonLink(name: Table.program, socketPath: settings.socketPath, logger: context.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await link.follow(surface) }
            group.addTask { try await surface.run() }
            // Both run until they are cancelled, unless the surface cannot work.
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
