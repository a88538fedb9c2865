/// One of the engine's outputs.
public enum OfflinePort: Int, CaseIterable, Sendable {
    case mainLeft
    case mainRight
    case melody
    case chords
    case bass
    case rhythm
}

/// What the engine rendered during one period; valid only while the closure runs that it was passed to.
public struct OfflinePeriod {
    /// The first frame, counted from the driver's start.
    public let startFrame: Int64
    /// Frames in the period.
    public let frameCount: Int
    let buffers: PortBuffers

    /// The samples of a port; `frameCount` of them.
    public subscript(port: OfflinePort) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: buffers[port], count: frameCount)
    }
}

/// Memory for one period of all ports.
final class PortBuffers {
    /// Frames in the longest period.
    static let capacity = 8192

    private let memory: UnsafeMutablePointer<Float>

    init() {
        memory = .allocate(capacity: PortBuffers.capacity * OfflinePort.allCases.count)
        memory.initialize(repeating: 0, count: PortBuffers.capacity * OfflinePort.allCases.count)
    }

    deinit { memory.deallocate() }

    subscript(port: OfflinePort) -> UnsafeMutablePointer<Float> {
        memory + port.rawValue * PortBuffers.capacity
    }
}
