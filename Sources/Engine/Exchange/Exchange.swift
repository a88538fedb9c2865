import Synchronization

/// All that the control thread and the process callback share. Neither changes it but through its atomics.
struct Exchange: ~Copyable {
    let scores: TripleBuffer<Score>
    let timelines = TripleBuffer(TimelineNews())
    let samples = SampleExchange()
    let commands = Ring(capacityBits: 8, SentCommand(command: .stop, usecs: 0))
    let notices = Notices()
    let reports = TripleBuffer(TransportReport())
    let peaks = TrackPeaks()
    let scope = ScopeExchange()
    let blocks = BlockExchange()
    let midi = MidiExchange()
    /// The driver's count of the frame after the newest period. Stored before the period looks for scores and
    /// commands, read after they were put in, all sequentially consistent: whoever finds that the period did not take
    /// his change finds the frame after it here.
    let nextFrame = Atomic<Int64>(0)

    init(score: Score) {
        scores = TripleBuffer(score)
    }
}

/// The meters of the tracks' ports.
struct TrackPeaks: ~Copyable {
    private let holds = FixedArray(count: trackCount) { _ in PeakHold() }

    func report(_ level: Float, track: Int) {
        unsafe holds.elements[track].report(level)
    }

    func take(track: Int) -> Float {
        unsafe holds.elements[track].take()
    }
}
