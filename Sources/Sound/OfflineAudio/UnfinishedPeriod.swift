import Engine

/// A period between the two halves of its rendering, which may be done by two threads: the first renders the tracks, the
/// second adds the effects. It can be used again and again.
///
/// Unchecked, because the threads pass it on: only one of them uses it at a time.
public final class UnfinishedPeriod: @unchecked Sendable {
    let buffers: PeriodBuffers
    let mix = UnfinishedMix(longest: UnfinishedPeriod.longest)
    /// Frames in the longest period.
    static let longest = 1024
    /// The first frame, counted from the driver's start.
    public internal(set) var startFrame: Int64 = 0
    /// Frames in it.
    public internal(set) var frameCount = 0

    /// An empty one.
    ///
    /// - Parameter hasStems: Whether it has `EnginePort.stems`, too.
    public init(hasStems: Bool = false) {
        buffers = PeriodBuffers(hasStems: hasStems, longest: UnfinishedPeriod.longest)
    }

    /// The tracks that sound in it.
    public var sounding: TrackSet { mix.sounding }

    /// Adds what the effects of the engine that rendered the tracks return; period by period, in their order.
    ///
    /// - Returns: The period, valid until this one is used again, and whether the effects are silent until a track
    ///   sounds.
    public func finish(by engine: Engine) -> (period: OfflinePeriod, isSilent: Bool) {
        let isSilent = flushingDenormals { engine.finish(mix, buffers.ports) }
        return (OfflinePeriod(startFrame: startFrame, frameCount: frameCount, buffers: buffers), isSilent)
    }
}
