/// Clock, voices and mixer: all that belongs to the thread which renders.
struct Synth: ~Copyable {
    init(score: Score) {}

    mutating func prepare(sampleRate: Double) {}

    @_noLocks @_noAllocation
    mutating func render(_ cycle: RtCycle, _ exchange: borrowing Exchange, into buffers: RtBuffers) {
        exchange.nextFrame.store(cycle.startFrame + Int64(cycle.frameCount), ordering: .sequentiallyConsistent)
        for frame in 0..<cycle.frameCount {
            unsafe buffers.mainLeft[frame] = 0
            unsafe buffers.mainRight[frame] = 0
            for track in 0..<4 { unsafe buffers.track(track)[frame] = 0 }
        }
        exchange.periods.add(1)
    }
}
