import PixelBoopClient
import ServiceCommand

/// Something that shows the grid, plays it, or both: a controller with pads, a wall of lights, a bridge to another protocol.
///
/// A ``SurfaceCommand`` connects it to the daemon, again whenever the daemon was away, and ends it. All of these functions
/// are called one after the other, but for ``run()``, which goes on beside them; an actor is the natural surface.
public protocol Surface: Sendable {
    /// What it wants to be sent.
    var interest: Interest { get }

    /// There is a connection, over which nothing was received yet.
    ///
    /// - Parameter client: For touches and calls. What it throws after the daemon has gone may be ignored:
    ///   ``disconnected()`` follows.
    func connected(to client: PixelBoopClient) async

    /// Something that it is interested in. After a connection the present picture and state come first.
    func received(_ event: ClientEvent) async

    /// The connection is gone. What the surface shows is no longer true, and what was held has been released.
    func disconnected() async

    /// Works with its devices until the task is cancelled, then leaves them as they should be, within half a second.
    ///
    /// - Throws: Why it cannot work at all, which ends the program. That a device is missing is no reason: it may come later.
    func run() async throws
}

extension Surface {
    /// Nothing.
    public func connected(to client: PixelBoopClient) async {}

    /// Nothing.
    public func disconnected() async {}

    /// Waits.
    public func run() async throws { await untilCancelled() }
}

/// What a surface wants to be sent, and how it says hello.
public struct Interest: Equatable, Sendable {
    /// The events.
    public var topics: Set<Topic>
    /// Pictures a second at most, 1 to 240.
    public var maximumFrameRate: Int
    /// How exactly it knows where its fingers are.
    public var touch: TouchSurface

    /// Pictures, up to 60 a second, for a surface that knows cells only, by default.
    public init(in topics: Set<Topic> = [.frame], maximumFrameRate: Int = 60, touch: TouchSurface = .cell) {
        self.topics = topics
        self.maximumFrameRate = maximumFrameRate
        self.touch = touch
    }
}
