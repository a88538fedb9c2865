/// Everything that the engine remembers while everything is silent: a plain value.
///
/// A new engine at the same rate, with the same score and kit of samples, that is given this memory goes on exactly as
/// the one that it was copied from. What follows from the score is not in it, and nothing that sounds.
public struct ControlMemory: Sendable, BitwiseCopyable {
    var synth: Synth.Memory
    var master: Master.Memory

    /// Bytes of a memory.
    public static var size: Int { MemoryLayout<ControlMemory>.size }

    /// The memory in bytes that ``bytes`` returned; nil if there are more or fewer. Other bytes are undefined behaviour.
    public init?(bytes: [UInt8]) {
        guard bytes.count == ControlMemory.size else { return nil }
        let memory = UnsafeMutablePointer<ControlMemory>.allocate(capacity: 1)
        defer { unsafe memory.deallocate() }
        unsafe UnsafeMutableRawPointer(memory).copyMemory(from: bytes, byteCount: bytes.count)
        self = unsafe memory.pointee
    }

    /// A memory to copy into.
    init() { self.init(bytes: [UInt8](repeating: 0, count: ControlMemory.size))! }

    /// The memory as bytes, for an engine of the same version.
    public var bytes: [UInt8] { unsafe withUnsafeBytes(of: self) { unsafe Array($0) } }
}

extension Callback {
    /// Whether everything is silent: no voice sounds, all strips and effects are at rest, no start or message is queued,
    /// and no key is down. Unlike ``Rest``, it does not depend on what comes in.
    var isSilent: Bool { unsafe synth.isSilent && master.pointee.isSilent }

    /// Copies what is remembered while everything is silent.
    func copyControlMemory(into memory: inout ControlMemory) {
        synth.copy(into: &memory.synth)
        memory.master = unsafe master.pointee.memory
    }

    /// Forgets everything, and remembers this instead.
    mutating func restore(_ memory: ControlMemory) {
        synth.restore(memory.synth, exchange)
        unsafe master.pointee = synth.makeMaster()
        unsafe master.pointee.restore(memory.master)
    }
}

extension Engine {
    /// Whether everything is silent: no voice sounds, all strips and effects are at rest, no start or message is queued,
    /// and no key is down. Between two cycles.
    public var isWhollySilent: Bool { unsafe context.pointee.isSilent }

    /// What the engine remembers; complete only while it ``isWhollySilent``. Between two cycles.
    public var controlMemory: ControlMemory {
        var memory = ControlMemory()
        unsafe context.pointee.copyControlMemory(into: &memory)
        return memory
    }

    /// Goes on as the engine that this was copied from, which had applied the score and the kit of samples that were
    /// published last; prepared at its rate, and only while no driver runs.
    public func restore(_ memory: ControlMemory) { unsafe context.pointee.restore(memory) }
}
