/// A cycle whose tracks are mixed, but which has no effects yet and is not clipped.
@safe
public final class UnfinishedMix {
    fileprivate var mix: Mix
    fileprivate let longest: Int

    /// An empty one.
    ///
    /// - Parameter longest: Frames in the longest cycle.
    public init(longest: Int) {
        self.longest = longest
        mix = Mix(longest: longest)
    }

    /// The tracks that sound in it.
    public var sounding: TrackSet { mix.sounding }
}

extension Engine {
    /// Does the first half of the work of ``render(_:_:)``: renders the tracks of a cycle and mixes them. Meanwhile
    /// another thread may ``finish(_:_:)`` earlier cycles. Nothing else may render the engine, whose scopes and blocks
    /// remain empty.
    ///
    /// - Returns: The request to the transport that ``RtCycle/outside`` describes.
    @discardableResult
    public func mix(_ cycle: RtCycle, _ ports: RtPorts, into unfinished: UnfinishedMix) -> OutsideRequest {
        precondition(cycle.frameCount <= unfinished.longest, "a cycle is longer than the memory for its samples")
        return unsafe context.pointee.synth.render(cycle, ports, &unfinished.mix, context.pointee.exchange)
    }

    /// Adds the effects to the mix in the ports of a cycle, and clips it: cycle by cycle, in their order.
    ///
    /// - Returns: Whether the effects are silent until a track sounds.
    @discardableResult
    public func finish(_ unfinished: UnfinishedMix, _ ports: RtPorts) -> Bool {
        unsafe master.pointee.finish(&unfinished.mix, ports)
        return unsafe master.pointee.isSilent
    }
}
