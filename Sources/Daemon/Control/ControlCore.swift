import Logging
import NIOCore
import Session
import Wire

/// The control core as the rest of the daemon sees it: reports from other threads to the control loop, and its orderly
/// end. It serves whatever clients are attached to it, and knows no sockets.
public struct ControlCore: Sendable {
    public struct Settings: Sendable {
        /// The program's version, for the welcome.
        public var version: String
        /// How many clients may be connected at once.
        public var maximumClients = 1024
        /// Limits that clients must respect.
        public var limits = Welcome.Limits()
        /// How long one client's calls may keep the others waiting, give or take one call.
        package var turn = Duration.milliseconds(1)

        /// Up to 1024 clients unless changed.
        public init(version: String) {
            self.version = version
        }
    }

    /// The event loop that everything runs on.
    package let eventLoop: any EventLoop
    /// The loop to which clients are attached.
    package let loop: NIOLoopBound<ControlLoop>

    /// A core without clients.
    ///
    /// - Parameters:
    ///   - eventLoop: The control event loop, whose executor the session must be on.
    ///   - didPass: Called on the control event loop after each round, to look for changes and to feed a watchdog.
    /// - Throws: If the event loop has ended.
    public init(
        _ settings: Settings, on eventLoop: any EventLoop, session: Session, services: any ControlServices,
        logger: Logger, didPass: @escaping @Sendable () -> Void = {}
    ) async throws {
        self.eventLoop = eventLoop
        loop = try await eventLoop.submit {
            let loop = ControlLoop(
                on: eventLoop, session: session, services: services, settings: settings, logger: logger,
                didPass: didPass)
            return NIOLoopBound(loop, eventLoop: eventLoop)
        }.get()
    }

    // MARK: Reports from other threads

    /// Has the session polled soon; called from any thread except the process callback's.
    public func wake() {
        eventLoop.execute { [loop] in loop.value.schedulePass() }
    }

    /// Calls the session from any thread, then delivers the changes.
    public func notify(_ words: @escaping @Sendable (isolated Session, Duration) -> Void) {
        eventLoop.execute { [loop] in
            let now = loop.value.now
            loop.value.withSession { words($0, now) }
            loop.value.schedulePass()
        }
    }

    /// Sets how many clients may be connected at once; excess ones stay connected.
    public func allowClients(_ count: Int) {
        eventLoop.execute { [loop] in loop.value.settings.maximumClients = count }
    }

    /// Fades out all sound; returns once the command is passed to the process callback.
    public func silence() async {
        try? await eventLoop.submit { [loop] in loop.value.withSession { $0.silence() } }.get()
    }

    /// Reports whether edits reach the disk.
    public func storageChanged(to state: StorageState) {
        eventLoop.execute { [loop] in loop.value.storageChanged(to: state) }
    }

    /// Reports that takes have begun, ended or changed otherwise.
    public func takesChanged() {
        eventLoop.execute { [loop] in loop.value.takesChanged() }
    }

    /// Reports why no takes are kept, although they should be; nil when they are.
    public func takesStopped(because reason: String?) {
        eventLoop.execute { [loop] in loop.value.takesStopped(because: reason) }
    }

    // MARK: The end

    /// Sends `bye` to all clients, closes their connections once it is sent, and accepts no more clients.
    ///
    /// - Parameters:
    ///   - reason: The reason in `bye`.
    ///   - limit: How long to wait for clients that do not read.
    public func shutdown(reason: String, within limit: Duration) async {
        let gone = eventLoop.flatSubmit { [loop, eventLoop] in
            let control = loop.value
            control.dismissAll(reason: reason)
            let cut = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { control.abortAll() }
            return control.allGone().assumeIsolated().always { _ in
                cut.cancel()
                control.stop()
            }.nonisolated()
        }
        try? await gone.get()
    }
}
