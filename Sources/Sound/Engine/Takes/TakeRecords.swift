import Synchronization

// What the control side reads of takes, to keep it.

/// The numbers of what counts in a cycle; see ``Engine/publish(_:)``.
public struct TakeNumbers: Sendable, Equatable, BitwiseCopyable {
    /// Of the score; 0 is the one that the engine was made with.
    public var score: UInt
    /// Of the timeline; 0 for none.
    public var timeline: UInt
    /// Of the kit of samples; 0 for none.
    public var kit: Int

    @_noLocks @_noAllocation
    public init(score: UInt = 0, timeline: UInt = 0, kit: Int = 0) {
        (self.score, self.timeline, self.kit) = (score, timeline, kit)
    }
}

/// How a take begins: in silence.
public struct TakeBeginning: Sendable {
    /// Frames per second.
    public var sampleRate: Double
    /// The driver's number of its first frame.
    public var frame: Int64
    /// What counts before its first cycle.
    public var numbers: TakeNumbers
    /// What the engine remembers before its first cycle: ``ControlMemory/bytes``.
    public var memory: [UInt8]
    /// The ``ControlMemory/version`` of the engine that wrote it.
    public var memoryVersion: Int

    public init(
        sampleRate: Double, frame: Int64, numbers: TakeNumbers, memory: [UInt8],
        memoryVersion: Int = ControlMemory.version
    ) {
        (self.sampleRate, self.frame, self.numbers) = (sampleRate, frame, numbers)
        (self.memory, self.memoryVersion) = (memory, memoryVersion)
    }
}

/// Something that a log refers to by its number, which counts from then on.
public enum TakeReference: Sendable, Equatable {
    case score(UInt)
    case timeline(UInt)
    case kit(Int)
}

/// A part of a take's log, at most ``longest`` bytes, cut between two entries. The parts in their order are the log.
public struct TakeChunk: Sendable {
    public var bytes: [UInt8] = []
    /// What it refers to, in order.
    public var references: [TakeReference] = []
    /// Frames of the take so far, with this part, as a render has them.
    public var frameCount = 0
    /// Whether the music ran in the take so far.
    public var hasPlay = false
    /// From which frame on the take is not exact, as far as is known; nil if all of it is.
    public var exactFrameCount: Int?

    /// The most bytes in a part.
    public static let longest = 64 * 1024
}

/// How a take ends.
public struct TakeEnding: Sendable, Equatable, BitwiseCopyable {
    /// Frames of the take, up to its last sound.
    public var frameCount: Int
    /// Whether the music ran in it.
    public var hasPlay: Bool
    /// From which frame on it is not exact, because more happened than the control thread read; nil if all of it is.
    public var exactFrameCount: Int?

    public init(frameCount: Int, hasPlay: Bool, exactFrameCount: Int?) {
        (self.frameCount, self.hasPlay, self.exactFrameCount) = (frameCount, hasPlay, exactFrameCount)
    }
}

/// What the engine has recorded: for each take its beginning, the parts of its log, and its end.
public enum TakeRecord: Sendable {
    case began(TakeBeginning)
    case log(TakeChunk)
    case ended(TakeEnding)
}

extension Engine {
    /// The version of what this engine plays: a whole number, raised when golden audio changes, or ``ControlMemory``.
    public static let version = 1

    /// Turns the recording of takes on or off; at first it is off. A take that is under way ends with the next cycle.
    ///
    /// A take refers to the score, timeline and kit that count when it begins, so keep what was published before.
    public func setTakes(areWanted: Bool) { unsafe context.pointee.exchange.takes.setWanted(areWanted) }

    /// Nobody keeps the take that is under way: the next one begins after the next silent cycle, even while the music runs.
    public func abandonTake() { unsafe context.pointee.exchange.takes.setAbandoned(true) }

    /// Ends the take that is under way where it is, at the end of the program: only once no driver renders any more.
    public func endTake() { unsafe context.pointee.endTake() }

    /// The numbers of the score, the timeline and the kit that counted in the newest cycle. Once ``nextTakeRecord()`` has
    /// returned nil after this was read, what comes refers to no earlier ones.
    public var takeNumbers: TakeNumbers { unsafe context.pointee.exchange.takes.numbers }

    /// Whether anything was recorded that is unread.
    public var hasTakeRecords: Bool { unsafe !context.pointee.exchange.takes.isEmpty }

    /// The oldest unread record of a take; nil if there is none. To be read at least once a second.
    public func nextTakeRecord() -> TakeRecord? {
        unsafe context.pointee.exchange.takes.inbox.withLock { inbox in
            unsafe context.pointee.exchange.takes.take(into: &inbox.bytes)
            return inbox.next()
        }
    }

    /// Asks for the records of all cycles so far with the next cycle: usually they come each half second.
    public func hurryTake() { unsafe context.pointee.exchange.takes.hurry() }

    /// Whether what ``hurryTake()`` asked for is yet to come.
    public var isTakeHurried: Bool { unsafe context.pointee.exchange.takes.isHurried }

    /// How many takes could not begin, because too much was unread.
    public var missedTakes: UInt64 { unsafe context.pointee.exchange.takes.missed.value }
}
