/// An ``Engine`` for the process callback: a pointer instead of the object, whose references would be counted.
@unsafe
public struct RtEngine {
    let context: UnsafeMutablePointer<Callback>

    /// Renders one cycle.
    ///
    /// - Returns: The request to the transport that ``RtCycle/outside`` describes.
    @discardableResult
    @_noLocks @_noAllocation
    public func render(_ cycle: RtCycle, _ ports: RtPorts) -> OutsideRequest {
        precondition(cycle.frameCount <= RtCycle.longest, "a cycle is longer than the memory for its samples")
        return unsafe context.pointee.render(cycle, ports)
    }

    /// Whether the engine has had nothing to do for a second.
    public var isResting: Bool { @_noLocks @_noAllocation get { unsafe context.pointee.synth.isResting } }

    /// Skips a cycle without messages at the MIDI input if the engine rests and has nothing to do in it; its outputs
    /// are silent. For drivers that need no buffers for silence; ``render(_:_:)`` does the same and clears its buffers.
    ///
    /// - Returns: Whether it did; otherwise render the cycle.
    @_noLocks @_noAllocation
    public func rest(_ cycle: RtCycle) -> Bool {
        unsafe context.pointee.rest(through: cycle)
    }

    /// Forgets all sound between two cycles: voices, strips and effects are then as in a new engine at this rate. What is
    /// remembered while nothing sounds stays, values that still move included; so while everything is silent, nobody
    /// hears it. Long memory is only marked as empty.
    @_noLocks @_noAllocation
    public func resetSound() { unsafe context.pointee.resetSound() }

    /// Bar and beat at a frame of the outside transport, for others to follow; after a cycle, at the next frame. The
    /// engine remembers what it published, so that it does not follow itself.
    @_noLocks @_noAllocation
    public func publishBar(at frame: Int64) -> BarPosition {
        unsafe context.pointee.publishBar(at: frame)
    }

    /// Whether the outside transport's bar and beat are those that we published last, and not another master's.
    @_noLocks @_noAllocation
    public func hasPublished(_ bar: BarPosition) -> Bool {
        unsafe context.pointee.synth.hasPublished(bar)
    }
}
