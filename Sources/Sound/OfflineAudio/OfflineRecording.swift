import Engine

/// All ports' audio over a stretch of time, in memory.
public struct OfflineRecording: Sendable {
    /// Frames per second.
    public let sampleRate: Double
    /// The driver's frame of the first sample.
    public let startFrame: Int64
    private var ports: [[Float]]

    public subscript(port: EnginePort) -> [Float] { ports[port.index] }

    init(sampleRate: Double, startFrame: Int64, capacity: Int) {
        self.sampleRate = sampleRate
        self.startFrame = startFrame
        ports = EnginePort.audio.map { _ in
            var samples: [Float] = []
            samples.reserveCapacity(capacity)
            return samples
        }
    }

    mutating func append(_ period: OfflinePeriod) {
        for port in EnginePort.audio { ports[port.index].append(contentsOf: period[port]) }
    }
}

extension OfflineDriver {
    /// Renders frames and keeps them all; see ``render(frames:periods:_:)``.
    public func record(frames frameCount: Int, periods: [Int] = [1024]) -> OfflineRecording {
        var recording = OfflineRecording(sampleRate: sampleRate, startFrame: frame, capacity: frameCount)
        render(frames: frameCount, periods: periods) { recording.append($0) }
        return recording
    }
}
