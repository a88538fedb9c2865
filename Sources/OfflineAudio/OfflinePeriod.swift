import Engine

/// What the engine rendered during one period; valid only while the closure runs that it was passed to.
public struct OfflinePeriod {
    /// The first frame, counted from the driver's start.
    public let startFrame: Int64
    /// Frames in the period.
    public let frameCount: Int
    let buffers: PeriodBuffers

    /// The samples of an audio output; `frameCount` of them.
    public subscript(port: EnginePort) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: buffers.samples(of: port), count: frameCount)
    }
}

/// Memory for one period of all ports.
public final class PeriodBuffers {
    /// Frames in the longest period.
    public static let capacity = 8192

    private let memory: UnsafeMutablePointer<Float>
    private let table: UnsafeMutablePointer<UnsafeMutableRawPointer>

    /// Silence.
    public init() {
        memory = .allocate(capacity: PeriodBuffers.capacity * EnginePort.all.count)
        memory.initialize(repeating: 0, count: PeriodBuffers.capacity * EnginePort.all.count)
        table = .allocate(capacity: EnginePort.all.count)
        for port in EnginePort.all {
            (table + port.index).initialize(to: UnsafeMutableRawPointer(memory + port.index * PeriodBuffers.capacity))
        }
    }

    deinit {
        memory.deallocate()
        table.deallocate()
    }

    /// What an engine renders into; valid as long as the buffers.
    public var ports: RtPorts { RtPorts(table) }

    /// The first of the samples of an audio output.
    public func samples(of port: EnginePort) -> UnsafeMutablePointer<Float> {
        memory + port.index * PeriodBuffers.capacity
    }
}
