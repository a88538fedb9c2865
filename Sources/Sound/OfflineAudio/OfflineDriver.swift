import CLinux
import Engine

/// Drives an engine without an audio server: periods follow each other as fast as they can be rendered.
///
/// It does for exports, golden audio and tests what JACK's callback does for the daemon, through the same
/// ``Engine/Engine/render(_:_:)``. As there, the engine's arithmetic treats denormal numbers as zero; the caller's does not
/// change.
public final class OfflineDriver {
    /// A change to make before a period starts.
    public enum Change: Sendable {
        case score(Score)
        case command(RtCommand)
        case key(RtKey)
    }

    /// The engine, which must have no other driver.
    public let engine: Engine
    /// Frames per second.
    public let sampleRate: Double
    /// Frames rendered so far.
    public private(set) var frame: Int64 = 0

    /// The transport to follow: called with the frames of each period before it is rendered.
    public var outside: (Int) -> OutsidePosition = { _ in OutsidePosition() }
    /// Called after each period with a request of the engine to that transport.
    public var onRequest: (OutsideRequest) -> Void = { _ in }

    /// See ``Engine/RtCycle/connectionCount``.
    public var connectionCount: Int32 = 0
    /// Frames from when a sample leaves the engine to when it is heard.
    public var playbackLatency = 0
    /// See ``Engine/RtCycle/midiOutLatency``.
    public var midiOutLatency = 0
    /// See ``Engine/RtCycle/clockOutLatency``.
    public var clockOutLatency = 0
    /// Whether frames left out by ``skip(_:)`` count as elapsed time.
    public var countsGaps = true

    private let buffers: PeriodBuffers
    private var schedule: [(frame: Int64, change: Change)] = []
    private var midi: [(frame: Int64, event: MidiEvent)] = []

    /// A driver at frame 0 of an engine, which it prepares for a sample rate in Hz.
    ///
    /// - Parameter hasStems: Whether periods have `EnginePort.stems`, too.
    /// - Throws: ``Engine/UnplayableRate`` for a rate that is not one of ``Engine/Engine/sampleRates``.
    public init(engine: Engine, sampleRate: Double, hasStems: Bool = false) throws(UnplayableRate) {
        self.engine = engine
        buffers = PeriodBuffers(hasStems: hasStems)
        self.sampleRate = sampleRate
        try engine.prepare(sampleRate: sampleRate)
    }

    /// Microseconds from the start to the next frame.
    private var usecs: UInt64 { UInt64(Double(frame) * (1e6 / sampleRate) + 0.5) }

    /// Schedules a change for a frame that is not yet rendered: a period will start there. Changes for one frame happen
    /// in the order in which they were scheduled.
    public func schedule(_ change: Change, at frame: Int64) {
        precondition(frame >= self.frame, "frame \(frame) is already rendered")
        let index = schedule.firstIndex { $0.frame > frame } ?? schedule.endIndex
        schedule.insert((frame, change), at: index)
    }

    /// Adds a MIDI message on a frame that is not yet rendered. Messages of one frame arrive in the order in which they
    /// were added.
    public func receive(_ event: MidiEvent, at frame: Int64) {
        precondition(frame >= self.frame, "frame \(frame) is already rendered")
        let index = midi.lastIndex { $0.frame <= frame }.map { $0 + 1 } ?? 0
        midi.insert((frame, event), at: index)
    }

    /// Skips frames without rendering them, as a server does with a late client.
    public func skip(_ frameCount: Int) {
        frame += Int64(frameCount)
    }

    /// Renders frames and hands them out period by period.
    ///
    /// - Parameters:
    ///   - frameCount: Frames to render.
    ///   - periods: Lengths of the periods in frames, 1 to `RtCycle.longest`, used in turn; a scheduled change or the end cuts a
    ///     period short.
    ///   - sink: Called once a period.
    public func render(
        frames frameCount: Int, periods: [Int] = [1024], _ sink: (OfflinePeriod) throws -> Void
    ) rethrows {
        try advance(by: frameCount, in: periods) { count in
            render(count, buffers) { engine.render($0, $1) }
            try sink(OfflinePeriod(startFrame: frame - Int64(count), frameCount: count, buffers: buffers))
        }
    }

    /// Renders the tracks of frames, period by period, and leaves the rest of the work to another thread.
    ///
    /// - Parameters:
    ///   - frameCount: Frames to render, in periods of ``UnfinishedPeriod/longest``.
    ///   - next: Where the next period goes. An error that it throws ends the rendering.
    ///   - sink: Called with each period.
    public func renderTracks(
        frames frameCount: Int, into next: () throws -> UnfinishedPeriod, _ sink: (UnfinishedPeriod) -> Void
    ) rethrows {
        try advance(by: frameCount, in: [UnfinishedPeriod.longest]) { count in
            let period = try next()
            (period.startFrame, period.frameCount) = (frame, count)
            render(count, period.buffers) { engine.mix($0, $1, into: period.mix) }
            sink(period)
        }
    }

    /// Calls a function with the length of each period in turn.
    private func advance(by frameCount: Int, in periods: [Int], _ render: (_ count: Int) throws -> Void) rethrows {
        precondition(
            periods.allSatisfy((1...RtCycle.longest).contains), "periods have 1 to \(RtCycle.longest) frames")
        let end = frame + Int64(frameCount)
        var turn = 0
        while frame < end {
            makeChanges()
            let next = min(end, schedule.first?.frame ?? end)
            let count = min(periods[turn], Int(next - frame))
            turn = (turn + 1) % periods.count
            try render(count)
        }
    }

    private func makeChanges() {
        while let first = schedule.first, first.frame == frame {
            switch first.change {
            case .score(let score): engine.publish(score)
            case .command(let command):
                precondition(engine.send(command, at: usecs), "more commands for one frame than the engine accepts")
            case .key(let key):
                precondition(engine.send(key, at: usecs), "more keys for one frame than the engine accepts")
            }
            schedule.removeFirst()
        }
    }

    private func render(_ count: Int, _ buffers: PeriodBuffers, _ render: (RtCycle, RtPorts) -> OutsideRequest) {
        let cycle = RtCycle(
            frameCount: count, startFrame: frame, startUsecs: usecs, usecsPerFrame: 1e6 / sampleRate, nowUsecs: usecs,
            outside: outside(count), connectionCount: connectionCount, playbackLatency: playbackLatency,
            midiOutLatency: midiOutLatency, clockOutLatency: clockOutLatency, countsGaps: countsGaps)
        fillMidi(buffers.midi(of: .midiIn), count)
        let request = flushingDenormals { render(cycle, buffers.ports) }
        frame += Int64(count)
        if !request.isEmpty { onRequest(request) }
    }

    private func fillMidi(_ buffer: MidiBuffer, _ count: Int) {
        buffer.clear()
        let due = midi.prefix { $0.frame < frame + Int64(count) }
        for (frame, event) in due {
            var event = event
            event.frame = Int32(frame - self.frame)
            buffer.append(event)
        }
        midi.removeFirst(due.count)
    }
}

/// Does something with the arithmetic that the other drivers' threads have, and returns to the caller's.
func flushingDenormals<Result>(_ body: () -> Result) -> Result {
    let mode = clinux_arithmetic_mode()
    clinux_flush_denormals()
    defer { clinux_set_arithmetic_mode(mode) }
    return body()
}
