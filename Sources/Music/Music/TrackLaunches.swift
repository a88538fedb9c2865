/// The launches that wait on a track, or among the scenes: one that is queued, and the chain that continues after it.
///
/// A plain value, which the session publishes in the score. Session and process callback carry out launches by the same
/// rule, ``advance(by:)``, so that they agree on what plays after any number of them.
public struct TrackLaunches: Equatable, Sendable, BitwiseCopyable {
    /// The most links of a chain.
    public static let longestChain = 16

    /// The next launch, and when it is due.
    public struct Next: Equatable, Sendable, BitwiseCopyable {
        /// When a launch is due.
        public enum Moment: Equatable, Sendable, BitwiseCopyable {
            /// At the next launch point.
            case point
            /// With the next step.
            case step
            /// With the next step 0: a further link of a chain.
            case link
        }

        /// The slot's index.
        public var index: Int
        /// When it is due.
        public var moment: Moment

        /// A launch of a slot, 0 to 7.
        @_noLocks @_noAllocation
        public init(index: Int, moment: Moment) {
            self.index = index
            self.moment = moment
        }

        /// The steps on which it may take effect.
        ///
        /// - Parameter chosen: Those on which queued launches do.
        @_noLocks @_noAllocation
        public func quantum(_ chosen: LaunchQuantum) -> LaunchQuantum {
            switch moment {
            case .point: chosen
            case .step: .step
            case .link: .loop
            }
        }
    }

    /// The slot, or the scene, that is queued.
    public private(set) var queued: Int?
    package private(set) var moment = LaunchMoment.queued
    private var links = SIMD16<UInt8>()
    private var count = 0
    /// The link that plays; the last one while the chain's first link is queued.
    package private(set) var link = 0

    /// Nothing waits.
    @_noLocks @_noAllocation
    public init() {}

    /// A launch of a slot; or of several, one after the other, over and over: a chain, of at most 16 links.
    ///
    /// - Parameters:
    ///   - indices: 0 to 7, at least one.
    ///   - isPlaying: Whether the first of them already plays.
    public init(_ indices: [Int], _ moment: LaunchMoment = .queued, isPlaying: Bool = false) {
        if Set(indices).count > 1 {
            count = min(indices.count, TrackLaunches.longestChain)
            for link in 0..<count { links[link] = UInt8(indices[link]) }
        }
        if isPlaying { return }
        (queued, self.moment) = (indices.first, moment)
        link = max(0, count - 1)
    }

    /// What was kept of launches: their ``queued``, ``moment``, ``chain`` and ``link``.
    package init(queued: Int?, moment: LaunchMoment, chain: [Int], link: Int) {
        self.init(chain, isPlaying: true)
        (self.queued, self.moment) = (queued, moment)
        if count > 0 { self.link = link % count }
    }

    /// The slots, or the scenes, that follow each other; empty without a chain.
    public var chain: [Int] { (0..<count).map { Int(links[$0]) } }

    /// Whether there is a chain.
    public var isChain: Bool { @_noLocks @_noAllocation get { count > 0 } }

    /// The next launch; nil if nothing waits.
    public var next: Next? {
        @_noLocks @_noAllocation get {
            if let queued { return Next(index: queued, moment: moment == .now ? .step : .point) }
            return count == 0 ? nil : Next(index: Int(links[(link + 1) % count]), moment: .link)
        }
    }

    /// The next launch has been carried out.
    @_noLocks @_noAllocation
    public mutating func advance() { advance(by: 1) }

    /// A number of launches has been carried out.
    @_noLocks @_noAllocation
    public mutating func advance(by launches: Int64) {
        guard launches > 0 else { return }
        (queued, moment) = (nil, .queued)
        if count > 0 { link = (link + Int(launches % Int64(count))) % count }
    }
}
