import Instrument

/// THROW: more of a track goes to the reverb or to the delay.
struct Throw: BitwiseCopyable {
    private let times: PunchTimes
    /// How far the amplitudes of the sends are on the way from the track's to full.
    private var (reverb, delay) = (GainRamp(0), GainRamp(0))

    init(_ times: PunchTimes) { self.times = times }

    /// Whether it changes the sends.
    var isOpen: Bool { reverb.isOpen || delay.isOpen }

    /// Follows its holder: the left half goes to the reverb, the right half to the delay, the more the further out.
    mutating func hold(_ punchIn: PunchIn) {
        move(max(0, 1 - 2 * punchIn.amount), max(0, 2 * punchIn.amount - 1))
    }

    mutating func letGo() { move(0, 0) }

    private mutating func move(_ reverb: Double, _ delay: Double) {
        self.reverb.move(to: Float(reverb), frames: times.fade)
        self.delay.move(to: Float(delay), frames: times.fade)
    }

    mutating func advance(_ count: Int) {
        reverb.advance(count)
        delay.advance(count)
    }

    /// The track's send to the reverb over a stretch.
    ///
    /// - Parameter curve: Room for a stretch's values, and three more.
    func reverb(_ send: GainLine, _ curve: UnsafeMutablePointer<Float>, count: Int) -> GainLine {
        unsafe Throw.line(send, reverb, curve, count: count)
    }

    /// The same to the delay.
    func delay(_ send: GainLine, _ curve: UnsafeMutablePointer<Float>, count: Int) -> GainLine {
        unsafe Throw.line(send, delay, curve, count: count)
    }

    private static func line(
        _ send: GainLine, _ way: GainRamp, _ curve: UnsafeMutablePointer<Float>, count: Int
    ) -> GainLine {
        guard way.isOpen else { return send }
        if let level = send.constant, let way = way.constant { return GainLine(GainRamp(level + way * (1 - level))) }
        var offset = 0
        while offset < count {
            let level = send.values(offset: offset)
            unsafe (level + way.values(offset: offset) * (1 - level)).store(in: curve + offset, count: laneCount)
            offset += laneCount
        }
        return unsafe GainLine(GainRamp(0), curve: curve)
    }
}
