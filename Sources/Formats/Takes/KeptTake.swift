/// What is known of a take when it begins.
public struct TakeHead: Equatable, Sendable {
    /// The engine's version: renders by another may differ.
    public var engineVersion: Int
    /// The processor's: `x86_64`.
    public var architecture: String
    /// Frames per second.
    public var sampleRate: Int
    /// Seconds since 1970-01-01 UTC.
    public var began: Int
    /// The pattern's name, empty for none.
    public var pattern: String

    #if arch(x86_64)
        /// This program's ``architecture``.
        public static let ownArchitecture = "x86_64"
    #elseif arch(arm64)
        /// This program's ``architecture``.
        public static let ownArchitecture = "arm64"
    #else
        /// This program's ``architecture``.
        public static let ownArchitecture = "other"
    #endif

    public init(engineVersion: Int, architecture: String, sampleRate: Int, began: Int, pattern: String) {
        self.engineVersion = engineVersion
        self.architecture = architecture
        self.sampleRate = sampleRate
        self.began = began
        self.pattern = pattern
    }
}

/// How far a take has come.
public struct TakeProgress: Equatable, Sendable {
    /// Its length up to its last sound, in frames.
    public var frames: Int64
    /// Whether the transport has played.
    public var hasPlayed: Bool
    /// The frame from which on it is not exact; nil if all of it is.
    public var inexactFrom: Int64?

    public init(frames: Int64 = 0, hasPlayed: Bool = false, inexactFrom: Int64? = nil) {
        self.frames = frames
        self.hasPlayed = hasPlayed
        self.inexactFrom = inexactFrom
    }
}

/// A take in the database.
public struct KeptTake: Equatable, Sendable {
    /// From 1; counts up, and is never used again.
    public var number: Int64
    /// The version of its content's format.
    public var format: Int
    public var head: TakeHead
    public var progress: TakeProgress
    /// Whether it stays until somebody deletes it.
    public var isStarred: Bool
    /// Whether it is still being recorded.
    public var isCurrent: Bool
    /// Bytes of its compressed content.
    public var size: Int

    /// The version of the content's format that this program writes, and the only one that it reads.
    public static let readableFormat = 1

    /// Its length up to its last sound, in seconds.
    public var seconds: Double { seconds(ofFrames: progress.frames) }

    /// How many seconds a number of its frames are.
    public func seconds(ofFrames frames: Int64) -> Double { Double(frames) / Double(max(head.sampleRate, 1)) }

    /// The most frames that a take can have; a damaged number may be larger.
    public static let longest: Int64 = 1 << 40

    /// Without play and shorter than this, in seconds, it is a sketch.
    static let longestSketch = 10

    /// Whether it is a sketch, of which fewer are kept.
    public var isSketch: Bool {
        // The numbers are from a file: they may be any.
        !progress.hasPlayed && Double(progress.frames) < Double(Self.longestSketch) * Double(head.sampleRate)
    }
}

/// How many takes are kept.
public struct TakeLimits: Equatable, Sendable {
    /// The newest takes that are kept, besides starred ones.
    public var takes: Int
    /// The newest sketches that are kept, likewise.
    public var sketches: Int
    /// Bytes that the database may have.
    public var size: Int
    /// Bytes of the disk that are left free for the session.
    public var freeSpace: Int

    public init(takes: Int = 200, sketches: Int = 20, size: Int = 1 << 30, freeSpace: Int = 256 << 20) {
        self.takes = takes
        self.sketches = sketches
        self.size = size
        self.freeSpace = freeSpace
    }
}
