/// A ping-pong delay: the first echo on the left, the second on the right, and so on, each fed back through a high-pass at
/// 200 Hz and a low-pass at 4 kHz.
struct Delay: ~Copyable {
    private var left: DelayLine
    private var right: DelayLine
    private var leftFilter: EchoFilter
    private var rightFilter: EchoFilter
    private var taps: CrossingTaps
    private var feedback = GainRamp(0)
    private var quiet: Quiet
    private let sampleRate: Double

    /// The longest time from one echo to the next, in seconds.
    static var longest: Double { 1.5 }

    /// A silent delay.
    init(sampleRate: Double) {
        let longest = frames(Delay.longest, sampleRate: sampleRate)
        self.sampleRate = sampleRate
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        leftFilter = EchoFilter(sampleRate: sampleRate)
        rightFilter = EchoFilter(sampleRate: sampleRate)
        taps = CrossingTaps(crossing: frames(0.05, sampleRate: sampleRate))
        quiet = Quiet(after: longest)
    }

    /// Whether the output stays silent until there is input.
    var isSilent: Bool { quiet.isReached }

    /// Sets out for another time in seconds, halved until it is no longer than ``longest``.
    mutating func move(to seconds: Double) {
        var seconds = seconds
        while seconds > Delay.longest { seconds /= 2 }
        taps.move(to: max(1, frames(seconds, sampleRate: sampleRate)))
        if isSilent { taps.arrive() }
    }

    /// Sets out for another feedback, which the last of so many frames reaches.
    mutating func move(feedback: Double, frames: Int) {
        self.feedback.move(to: Float(feedback), frames: frames)
        if isSilent { self.feedback.arrive() }
    }

    private mutating func arrive() {
        taps.arrive()
        feedback.arrive()
    }

    /// Is where it was bound for, and silent.
    mutating func reset() {
        left.reset()
        right.reset()
        leftFilter.reset()
        rightFilter.reset()
        arrive()
    }

    /// Echoes a block.
    mutating func render(
        _ input: UnsafePointer<Float>, _ leftOutput: UnsafeMutablePointer<Float>,
        _ rightOutput: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count {
            let sample = unsafe input[frame]
            if quiet.isReached {
                if sample == 0 { continue }
                reset()
            }
            let echoes = (taps.read(left), taps.read(right))
            taps.advance()
            let feedback = feedback.values(offset: 0).x
            self.feedback.advance(1)
            left.write(sample + feedback * rightFilter.filter(echoes.1))
            right.write(feedback * leftFilter.filter(echoes.0))
            unsafe leftOutput[frame] = echoes.0
            unsafe rightOutput[frame] = echoes.1
            quiet.hear(max(abs(sample), max(abs(echoes.0), abs(echoes.1))))
        }
    }
}

/// What an echo loses before it is echoed itself: one pole each at 200 Hz and 4 kHz.
struct EchoFilter: BitwiseCopyable {
    private var low: Float = 0
    private var output: Float = 0
    private let lowShare: Float
    private let share: Float

    init(sampleRate: Double) {
        lowShare = Float(1 - exponential(-2 * .pi * 200 / sampleRate))
        share = Float(1 - exponential(-2 * .pi * min(4000, 0.42 * sampleRate) / sampleRate))
    }

    @inline(__always)
    mutating func filter(_ input: Float) -> Float {
        low += lowShare * (input - low)
        output += share * (input - low - output)
        // Between two echoes both die away, and would get slow to compute with.
        if abs(low) < 1e-20 { low = 0 }
        if abs(output) < 1e-20 { output = 0 }
        return output
    }

    mutating func reset() { (low, output) = (0, 0) }
}

/// The place at which a delay is read: after a change it goes from the old one to the new one in a crossfade. What
/// changes meanwhile is next.
struct CrossingTaps: BitwiseCopyable {
    private var delay = 1
    private var newDelay = 1
    private var wanted = 1
    /// Frames of the crossfade that are left.
    private var framesLeft = 0
    private let crossing: Int

    init(crossing: Int) {
        self.crossing = crossing
    }

    /// Sets the delay in frames, to which the present one is crossfaded.
    mutating func move(to frames: Int) {
        wanted = frames
        begin()
    }

    /// Skips the crossfade to the delay that was set last.
    mutating func arrive() {
        (delay, newDelay, framesLeft) = (wanted, wanted, 0)
    }

    /// The output of a line for the present frame.
    @inline(__always)
    func read(_ line: borrowing DelayLine) -> Float {
        let sample = line.read(delay)
        guard framesLeft > 0 else { return sample }
        let share = Float(framesLeft) / Float(crossing)
        return sample * share + line.read(newDelay) * (1 - share)
    }

    /// Lets a frame pass.
    @inline(__always)
    mutating func advance() {
        guard framesLeft > 0 else { return }
        framesLeft -= 1
        if framesLeft == 0 {
            delay = newDelay
            begin()
        }
    }

    private mutating func begin() {
        guard framesLeft == 0, wanted != delay else { return }
        newDelay = wanted
        framesLeft = crossing
    }
}

/// The step duration that the delay uses. A change of our own tempo applies at once. A tempo that is followed jitters,
/// and each change of the delay is audible as a crossfade: it applies when it differs by more than 0.5 %, and at most
/// once a second.
struct EchoStep: BitwiseCopyable {
    private(set) var seconds = 0.125
    /// Frames since it last changed, up to a second.
    private var age: Int
    private let second: Int

    init(sampleRate: Double) {
        second = frames(1, sampleRate: sampleRate)
        age = second
    }

    /// Follows the duration of a step in the frames to come.
    ///
    /// - Returns: The frame from which on the new duration applies; nil when nothing changes.
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
