/// A client's connection, numbered by the daemon.
public struct ClientID: Hashable, Sendable {
    /// Unique for the daemon's life.
    public let number: Int

    /// The client with a number.
    public init(_ number: Int) { self.number = number }
}
