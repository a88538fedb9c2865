import PixelBoopClient
import ServiceCommand

/// Something that shows the grid, plays it, or both: a controller with pads, a wall of lights, a bridge to another protocol.
///
/// A ``SurfaceCommand`` connects it to the daemon, reconnects it when the daemon is back, and stops it. Its functions
/// are called one at a time, except ``run()``, which runs concurrently; an actor is the natural surface.
public protocol Surface: Sendable {
    /// The events that it wants.
    var interest: Interest { get }

    /// Called when there is a new connection, before anything is received.
    ///
    /// - Parameter client: For touches and calls. Errors that it throws after the daemon is gone may be ignored:
    ///   ``disconnected()`` follows.
    func connected(to client: PixelBoopClient) async

    /// Called with each event that it wants. After each connection the current picture and state come first.
    func received(_ event: ClientEvent) async

    /// Called when the connection is lost. What the surface shows is outdated, and its touches have been released.
    func disconnected() async

    /// Works with its devices until the task is cancelled, then leaves them as they should be, within half a second.
    ///
    /// - Throws: Why it cannot work at all, which ends the program. Not for a missing device, which may come later.
    func run() async throws
}

extension Surface {
    /// Does nothing.
    public func connected(to client: PixelBoopClient) async {}

    /// Does nothing.
    public func disconnected() async {}

    /// Waits until cancelled.
    public func run() async throws { await untilCancelled() }
}

/// The events that a surface wants, and how it introduces itself.
public struct Interest: Equatable, Sendable {
    /// The topics of the events.
    public var topics: Set<Topic>
    /// The most pictures per second, 1 to 240.
    public var maximumFrameRate: Int
    /// How exactly it knows where its fingers are.
    public var touch: TouchSurface

    /// By default pictures, up to 60 a second, for a surface that knows only cells.
    public init(in topics: Set<Topic> = [.frame], maximumFrameRate: Int = 60, touch: TouchSurface = .cell) {
        self.topics = topics
        self.maximumFrameRate = maximumFrameRate
        self.touch = touch
    }
}
