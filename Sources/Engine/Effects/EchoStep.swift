/// How long a step lasts for the delay. Our own tempo counts at once. One that is followed trembles with its clock, and each
/// new time of the delay is heard, as a crossfade: it counts when it is off by more than 0.5 %, and at most once a second.
struct EchoStep: BitwiseCopyable {
    private(set) var seconds = 0.125
    /// Frames since it last changed, up to a second.
    private var age: Int
    private let second: Int

    init(sampleRate: Double) {
        second = frames(1, sampleRate: sampleRate)
        age = second
    }

    /// Takes how long a step lasts in the frames that follow.
    ///
    /// - Returns: The frame of these from which on that counts; nil when nothing changes.
    mutating func follow(_ new: Double, isOwn: Bool, count: Int) -> Int? {
        let wait = isOwn ? 0 : second - age
        guard new != seconds, isOwn || abs(new - seconds) > 0.005 * seconds, wait < count else {
            age = min(second, age + count)
            return nil
        }
        seconds = new
        age = min(second, count - wait)
        return wait
    }
}
