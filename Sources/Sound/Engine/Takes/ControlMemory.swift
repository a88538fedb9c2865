/// Everything that the engine remembers while everything is silent: a plain value.
///
/// A new engine at the same rate, with the same score and kit of samples, that is given this memory goes on exactly as
/// the one that it was copied from. What follows from the score is not in it, and nothing that sounds.
public struct ControlMemory: Sendable, BitwiseCopyable {
    var synth: Synth.Memory
    var master: Master.Memory

    /// The version of its fields: a whole number, raised when any of them changes.
    public static let version = 1

    /// Bytes of a memory.
    public static var size: Int { MemoryLayout<ControlMemory>.size }

    /// Bytes that are not as many as a memory has.
    public struct WrongSize: Error, Equatable {}

    /// The memory in bytes that ``bytes`` returned, of the same ``version``. Other bytes are undefined behaviour.
    public init(bytes: [UInt8]) throws(WrongSize) {
        guard bytes.count == ControlMemory.size else { throw WrongSize() }
        self.init(bytes)
    }

    /// A memory to copy into.
    init() { self.init([UInt8](repeating: 0, count: ControlMemory.size)) }

    private init(_ bytes: [UInt8]) {
        let memory = UnsafeMutablePointer<ControlMemory>.allocate(capacity: 1)
        defer { unsafe memory.deallocate() }
        unsafe UnsafeMutableRawPointer(memory).copyMemory(from: bytes, byteCount: ControlMemory.size)
        self = unsafe memory.pointee
    }

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

    /// Goes on at another rate, as after ``prepare(sampleRate:)``, but the punch-ins that are held act on. Only while no
    /// driver runs.
    ///
    /// - Throws: ``UnplayableRate`` if it is not among the ``sampleRates``; nothing has changed then.
    public func convert(to sampleRate: Double) throws(UnplayableRate) {
        guard Engine.plays(sampleRate: sampleRate) else { throw UnplayableRate(sampleRate: sampleRate) }
        unsafe context.pointee.convert(to: sampleRate)
    }
}
