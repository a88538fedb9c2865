/// Where the transport's time comes from, and who hears ours.
public struct SyncSettings: Sendable, BitwiseCopyable {
    /// What is followed.
    public enum Source: UInt8, Sendable, BitwiseCopyable {
        /// Nothing: the tempo is the score's, and starts and stops are commands.
        case own
        /// JACK's transport, whether it rolls or not.
        case jack
        /// The best of the sources that are present; else our own.
        case automatic
    }

    /// What is followed.
    public var source: Source
    /// Whether we ask to be JACK's timebase master.
    public var leadsJack: Bool

    /// Settings; the default follows and leads nobody.
    @_noLocks @_noAllocation
    public init(source: Source = .own, leadsJack: Bool = false) {
        self.source = source
        self.leadsJack = leadsJack
    }
}

/// What the transport follows at present.
public enum FollowedSource: UInt8, Sendable, BitwiseCopyable {
    /// Nothing.
    case own
    case jack

    // Comparing enum values would reach for their metadata.

    @_noLocks @_noAllocation
    func isSame(as other: FollowedSource) -> Bool {
        switch (self, other) {
        case (.own, .own), (.jack, .jack): true
        default: false
        }
    }
}
