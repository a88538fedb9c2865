import Engine
import Instrument

/// What a take's log refers to by numbers; see `Engine.publish(_:)`.
public struct TakeMaterials {
    /// The score with a number.
    public var score: (UInt) throws -> Score
    /// The timeline with a number.
    public var timeline: (UInt) throws -> TimelineNews
    /// The kit of samples with a number, prepared for a rate in Hz; nil for none.
    public var kit: (_ number: Int, _ sampleRate: Double) throws -> SampleKit?

    public init(
        score: @escaping (UInt) throws -> Score,
        timeline: @escaping (UInt) throws -> TimelineNews = { _ in TimelineNews() },
        kit: @escaping (_ number: Int, _ sampleRate: Double) throws -> SampleKit? = { _, _ in nil }
    ) {
        (self.score, self.timeline, self.kit) = (score, timeline, kit)
    }
}

/// Plays a take again, as it sounded: an engine gets the same cycles in the same order.
///
/// At the take's own rate the output is the same to the bit; at another rate all times are converted.
public final class TakeReplay {
    /// A part of the output.
    public enum Output {
        /// Valid until the next part comes.
        case period(OfflinePeriod)
        /// Frames that were lost.
        case silence(frameCount: Int)
    }

    /// What is wrong with a take.
    public enum Failure: Error, Equatable {
        /// It was made by an engine that remembers other things.
        case unknownMemory
        /// It, or its output, has a rate that no engine plays.
        case unplayableRate
        /// Its log is damaged.
        case damagedLog
    }

    /// Frames per second of the output.
    public let sampleRate: Double
    /// Frames put out so far.
    public private(set) var frameCount = 0
    /// The take's driver's number of the newest cycle's first frame.
    public private(set) var driverFrame: Int64 = 0
    /// The transport's state after the newest cycle.
    public private(set) var report: TransportReport?

    private let engine: Engine
    private let materials: TakeMaterials
    private let buffers: PeriodBuffers
    private let sourceRate: Double
    /// Frames of the output in one of the take's.
    private let ratio: Double
    private var last: TakeCycle
    private var next: TakeCycle
    private var punchIns = PunchIns()
    /// The messages of the next cycle.
    private var messages: [MidiEvent] = []

    /// A replay at a take's beginning.
    ///
    /// - Parameters:
    ///   - sampleRate: In Hz; nil for the take's own.
    ///   - hasStems: Whether periods have `EnginePort.stems`, too.
    public init(
        _ beginning: TakeBeginning, sampleRate: Double? = nil, hasStems: Bool = false, _ materials: TakeMaterials
    ) throws {
        self.sampleRate = sampleRate ?? beginning.sampleRate
        guard Engine.plays(sampleRate: beginning.sampleRate), Engine.plays(sampleRate: self.sampleRate) else {
            throw Failure.unplayableRate
        }
        guard beginning.memoryVersion == ControlMemory.version, let memory = try? ControlMemory(bytes: beginning.memory)
        else { throw Failure.unknownMemory }
        self.materials = materials
        sourceRate = beginning.sampleRate
        ratio = self.sampleRate / beginning.sampleRate
        buffers = PeriodBuffers(hasStems: hasStems)
        engine = try Engine(score: materials.score(beginning.numbers.score), takeCapacity: 1)
        last = TakeCycle(before: beginning.frame)
        next = last
        next = predicted(isFirst: true)
        if beginning.numbers.kit != 0 {
            try engine.publish(materials.kit(beginning.numbers.kit, self.sampleRate))
        }
        try engine.prepare(sampleRate: beginning.sampleRate)
        engine.restore(memory)
        if ratio != 1 { try engine.convert(to: self.sampleRate) }
    }

    /// Lets another score count from the next cycle on, until the log names one.
    public func play(_ score: Score) { engine.publish(score) }

    private func predicted(isFirst: Bool = false) -> TakeCycle {
        var next = last.next(sampleRate: sourceRate)
        next.isFirst = isFirst
        return next
    }

    /// Plays a part of the log, cut between two entries, and hands out what sounds.
    ///
    /// - Parameter sink: Called with each part of the output. An error that it throws ends the replay.
    public func render(_ log: [UInt8], _ sink: (Output) throws -> Void) throws {
        var reader = TakeReader(log)
        while let entry = reader.next() { try play(entry, sink) }
        guard reader.isAtEnd else { throw Failure.damagedLog }
    }

    private func play(_ entry: TakeEntry, _ sink: (Output) throws -> Void) throws {
        switch entry {
        case .change(let change): next.apply(change)
        case .cycles(let count):
            guard isPlausibleRun(count) else { throw Failure.damagedLog }
            for _ in 0..<count { try playCycle(sink) }
        case .score(let number): try engine.publish(materials.score(number))
        case .timeline(let number): try engine.follow(materials.timeline(number))
        case .kit(let number): try engine.publish(number == 0 ? nil : materials.kit(number, sampleRate))
        case .command(let command): guard engine.send(command, at: 0) else { throw Failure.damagedLog }
        case .key(let key): guard engine.send(key, at: 0) else { throw Failure.damagedLog }
        case .midi(let event): messages.append(event)
        case .punchIn(let effect, let punchIn):
            punchIns[effect] = punchIn
            engine.publish(punchIns)
        case .prepared:
            try engine.prepare(sampleRate: sampleRate)
            next.isFirst = true
        case .lost(let frames, let before): try playLost(frames, before: before, sink)
        case .played: break
        case .began, .ended: throw Failure.damagedLog
        }
    }

    /// Whether a number of cycles may be one entry: the log has an entry at least each half second.
    private func isPlausibleRun(_ count: Int) -> Bool {
        count <= Int(sourceRate) && Double((count - 1) * next.frameCount) < 0.5 * sourceRate
    }

    /// What was lost is as predicted.
    private func playLost(_ frames: Int, before: Int64, _ sink: (Output) throws -> Void) throws {
        guard before.magnitude < 1 << 48, frames < 1 << 40 else { throw Failure.damagedLog }
        var rest = frames
        while rest > 0 {
            next.frameCount = max(1, min(rest, last.frameCount))
            rest -= next.frameCount
            try playCycle(sink)
        }
        last = TakeCycle(before: before)
        next = predicted(isFirst: true)
    }

    // MARK: Cycles

    /// A frame of the take's driver, by the output's rate.
    private func scaled(_ frame: Int64) -> Int64 {
        ratio == 1 ? frame : Int64((Double(frame) * ratio).rounded())
    }

    /// A cycle whose time can be one: while no timeline is followed it is only predicted, and may have run away.
    private func checked(_ cycle: TakeCycle) -> TakeCycle {
        var cycle = cycle
        if !(0..<1 << 56).contains(cycle.startUsecs) { cycle.startUsecs = 0 }
        return cycle
    }

    private func playCycle(_ sink: (Output) throws -> Void) throws {
        guard checked(next).isPlausible else { throw Failure.damagedLog }
        let missed = min(next.missedFrames(after: last), Int(sourceRate))
        if missed > 0 { try putOut(silence: Int(scaled(Int64(missed))), sink) }
        driverFrame = next.startFrame
        for frame in next.publishedFrames { _ = engine.realtime.publishBar(at: scaled(frame)) }
        let first = scaled(next.startFrame)
        let count = Int(scaled(next.startFrame + Int64(next.frameCount)) - first)
        var done = 0
        while done < count {
            let part = min(count - done, RtCycle.longest)
            try render(cycle(from: done, of: first, count: part), offset: done, isLast: done + part == count, sink)
            done += part
        }
        // Without a frame they wait for the next cycle.
        if count > 0 { messages.removeAll(keepingCapacity: true) }
        last = next
        next = predicted()
    }

    /// A part of the next cycle.
    private func cycle(from offset: Int, of first: Int64, count: Int) -> RtCycle {
        let usecsPerFrame = 1e6 / sampleRate
        var outside = next.outside
        outside.frame = scaled(outside.frame)
        if let bar = outside.bar { outside.bar?.frameOffset = scaled(bar.frameOffset) }
        let usecs = checked(next).startUsecs &+ Int64(Double(offset) * usecsPerFrame)
        return RtCycle(
            frameCount: count, startFrame: first + Int64(offset), startUsecs: UInt64(bitPattern: usecs),
            usecsPerFrame: usecsPerFrame, nowUsecs: 0, outside: outside.later(by: offset),
            connectionCount: next.connectionCount, playbackLatency: Int(scaled(Int64(next.playbackLatency))),
            midiOutLatency: Int(scaled(Int64(next.midiOutLatency))),
            clockOutLatency: Int(scaled(Int64(next.clockOutLatency))), countsGaps: next.countsGaps)
    }

    private func render(_ cycle: RtCycle, offset: Int, isLast: Bool, _ sink: (Output) throws -> Void) throws {
        let input = buffers.midi(of: .midiIn)
        input.clear()
        for message in messages {
            var message = message
            let frame = Int(scaled(Int64(message.frame))) - offset
            guard frame < cycle.frameCount || isLast, frame >= 0 else { continue }
            message.frame = Int32(min(frame, cycle.frameCount - 1))
            input.append(message)
        }
        flushingDenormals { _ = engine.render(cycle, buffers.ports) }
        // Nobody reads them.
        while engine.nextNotice() != nil {}
        if let newest = engine.fetchReport() { report = newest }
        let period = OfflinePeriod(startFrame: Int64(frameCount), frameCount: cycle.frameCount, buffers: buffers)
        frameCount += cycle.frameCount
        try sink(.period(period))
    }

    private func putOut(silence count: Int, _ sink: (Output) throws -> Void) throws {
        frameCount += count
        try sink(.silence(frameCount: count))
    }
}
