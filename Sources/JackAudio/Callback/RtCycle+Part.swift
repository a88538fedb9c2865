import Engine

extension RtCycle {
    /// A part of the cycle: from so many frames after its start, of at most so many frames.
    @_noLocks @_noAllocation
    func part(from offset: Int, atMost limit: Int) -> RtCycle {
        RtCycle(
            frameCount: min(frameCount - offset, limit), startFrame: startFrame + Int64(offset),
            startUsecs: startUsecs + UInt64(Double(offset) * usecsPerFrame), usecsPerFrame: usecsPerFrame,
            nowUsecs: nowUsecs, outside: outside.later(by: offset), connectionCount: connectionCount,
            playbackLatency: playbackLatency, midiOutLatency: midiOutLatency, clockOutLatency: clockOutLatency)
    }
}
