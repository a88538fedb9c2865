/// A MIDI message of at most three bytes, and its frame in the cycle.
public struct MidiEvent: Sendable, BitwiseCopyable, Equatable {
    /// Frames since the cycle's first.
    public var frame: Int32
    /// How many bytes it has, 1 to 3.
    public var count: UInt8
    /// Its bytes; unused ones are 0.
    public var status: UInt8
    /// See ``status``.
    public var first: UInt8
    /// See ``status``.
    public var second: UInt8

    @_noLocks @_noAllocation
    public init(frame: Int32, count: UInt8 = 1, _ status: UInt8, _ first: UInt8 = 0, _ second: UInt8 = 0) {
        self.frame = frame
        self.count = count
        self.status = status
        self.first = first
        self.second = second
    }
}

/// The messages of one cycle at a MIDI port, in the order of their frames: a view of memory that a driver owns.
@unsafe
public struct MidiBuffer: BitwiseCopyable {
    /// How many messages a buffer has room for.
    public static var capacity: Int {
        @_noLocks @_noAllocation @_transparent get { 1024 }
    }

    /// The memory that a buffer needs, in bytes; aligned for an `Int`.
    public static var byteCount: Int {
        @_noLocks @_noAllocation get {
            unsafe MemoryLayout<Int>.size + capacity * MemoryLayout<MidiEvent>.stride
        }
    }

    private let memory: UnsafeMutableRawPointer

    /// A view of a port's memory.
    @_noLocks @_noAllocation
    public init(_ memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

    /// How many messages there are.
    public var count: Int {
        @_noLocks @_noAllocation get { unsafe memory.load(as: Int.self) }
    }

    /// Whether there is any message but active sensing, which some keyboards send all the time.
    var hasMessages: Bool {
        for index in unsafe 0..<count where unsafe event(index).status != 0xfe || event(index).count > 1 { return true }
        return false
    }

    @_noLocks @_noAllocation
    public func event(_ index: Int) -> MidiEvent {
        unsafe memory.load(
            fromByteOffset: MemoryLayout<Int>.size + index * MemoryLayout<MidiEvent>.stride, as: MidiEvent.self)
    }

    /// Removes all messages.
    @_noLocks @_noAllocation
    public func clear() { unsafe memory.storeBytes(of: 0, as: Int.self) }

    /// Adds a message at or after the last one's frame; drops it when there is no room.
    @_noLocks @_noAllocation
    public func append(_ event: MidiEvent) {
        let count = unsafe self.count
        guard unsafe count < MidiBuffer.capacity else { return }
        unsafe memory.storeBytes(
            of: event, toByteOffset: MemoryLayout<Int>.size + count * MemoryLayout<MidiEvent>.stride,
            as: MidiEvent.self)
        unsafe memory.storeBytes(of: count + 1, as: Int.self)
    }
}
