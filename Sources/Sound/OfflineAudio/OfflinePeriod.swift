import Engine

/// The engine's output of one period; valid only inside the closure that it was passed to.
public struct OfflinePeriod {
    /// The first frame, counted from the driver's start.
    public let startFrame: Int64
    public let frameCount: Int
    let buffers: PeriodBuffers

    /// Its first frames.
    public func first(_ frameCount: Int) -> OfflinePeriod {
        OfflinePeriod(startFrame: startFrame, frameCount: min(frameCount, self.frameCount), buffers: buffers)
    }

    /// The messages at a MIDI output, with their frames by the driver's count.
    public func messages(of port: EnginePort) -> [(frame: Int64, event: MidiEvent)] {
        let buffer = buffers.midi(of: port)
        return (0..<buffer.count).map { index in
            let event = buffer.event(index)
            return (startFrame + Int64(event.frame), event)
        }
    }

    /// The samples of an audio output; `frameCount` of them.
    public subscript(port: EnginePort) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: buffers.samples(of: port), count: frameCount)
    }
}

/// Memory for one period of all ports.
public final class PeriodBuffers {
    private let table: UnsafeMutablePointer<UnsafeMutableRawPointer>
    /// The ports that have memory.
    private let bound: [EnginePort]

    /// Silence.
    ///
    /// - Parameters:
    ///   - hasStems: Whether stems are bound, too.
    ///   - longest: Frames in the longest period.
    public init(hasStems: Bool = false, longest: Int = RtCycle.longest) {
        bound = EnginePort.all + (hasStems ? EnginePort.stems : [])
        table = .allocate(capacity: bound.count)
        for port in bound {
            (table + port.index).initialize(to: PeriodBuffers.memory(for: port, longest))
        }
    }

    deinit {
        for port in bound { table[port.index].deallocate() }
        table.deallocate()
    }

    private static func memory(for port: EnginePort, _ longest: Int) -> UnsafeMutableRawPointer {
        switch port.kind {
        case .audioOutput:
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: longest)
            samples.initialize(repeating: 0, count: longest)
            return UnsafeMutableRawPointer(samples)
        case .midiInput, .midiOutput:
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: MidiBuffer.byteCount, alignment: MemoryLayout<Int>.alignment)
            MidiBuffer(memory).clear()
            return memory
        }
    }

    /// The messages at a MIDI port.
    public func midi(of port: EnginePort) -> MidiBuffer { MidiBuffer(table[port.index]) }

    /// The ports that an engine renders into; valid as long as the buffers.
    public var ports: RtPorts { RtPorts(table, hasStems: bound.count > EnginePort.all.count) }

    /// The first of the samples of an audio output, which must be bound.
    public func samples(of port: EnginePort) -> UnsafeMutablePointer<Float> {
        precondition(port.index < bound.count, "stems are not bound")
        return table[port.index].assumingMemoryBound(to: Float.self)
    }
}
