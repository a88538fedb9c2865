/// A ping-pong delay: the first echo on the left, the second on the right, and so on, each fed back through a high-pass at
/// 200 Hz and a low-pass at 4 kHz.
struct Delay: ~Copyable, RestingEffect {
    private var left: DelayLine
    private var right: DelayLine
    private var filter: EchoFilter
    private var taps: CrossingTaps
    private var feedback = GainRamp(0)
    var quiet: Quiet
    private let sampleRate: Double

    /// The longest time from one echo to the next, in seconds.
    static var longest: Double { 1.5 }

    /// A silent delay.
    init(sampleRate: Double) {
        let longest = frames(Delay.longest, sampleRate: sampleRate)
        self.sampleRate = sampleRate
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        filter = EchoFilter(sampleRate: sampleRate)
        taps = CrossingTaps(crossing: frames(0.05, sampleRate: sampleRate))
        quiet = Quiet(after: longest)
    }

    /// Starts to move to another time in seconds, halved until it is no longer than ``longest``.
    mutating func move(to seconds: Double) {
        var seconds = seconds
        while seconds > Delay.longest { seconds /= 2 }
        taps.move(to: max(1, frames(seconds, sampleRate: sampleRate)))
        if isSilent { taps.arrive() }
    }

    /// Ramps to another feedback over this many frames.
    mutating func move(feedback: Double, frames: Int) {
        self.feedback.move(to: Float(feedback), frames: frames)
        if isSilent { self.feedback.arrive() }
    }

    private mutating func arrive() {
        taps.arrive()
        feedback.arrive()
    }

    /// Jumps to its target, and falls silent.
    mutating func reset() {
        left.reset()
        right.reset()
        filter.reset()
        arrive()
    }

    var framesAtOnce: Int { taps.framesAtOnce }

    @inline(__always)
    mutating func next(_ samples: Lanes, count: Int) -> (Lanes, Lanes) {
        let (leftEcho, rightEcho) = (taps.read(left), taps.read(right))
        taps.advance(count)
        // Rows are channels; transposed, they are frames, because a filter needs the frame before.
        var fed = LaneSquare(leftEcho, rightEcho, .zero, .zero).transposed
        fed.a = filter.filter(fed.a)
        if count > 1 { fed.b = filter.filter(fed.b) }
        if count > 2 { fed.c = filter.filter(fed.c) }
        if count > 3 { fed.d = filter.filter(fed.d) }
        fed = fed.transposed
        let feedback = feedback.values(offset: 0)
        self.feedback.advance(count)
        left.write(samples + feedback * fed.b, count: count)
        right.write(feedback * fed.a, count: count)
        return (leftEcho, rightEcho)
    }
}

/// The filter through which an echo is echoed again: one pole each at 200 Hz and 4 kHz; a lane for each channel.
struct EchoFilter: BitwiseCopyable {
    private var low = Lanes.zero
    private var output = Lanes.zero
    private let lowShare: Float
    private let share: Float

    init(sampleRate: Double) {
        lowShare = Float(1 - exponential(-2 * .pi * 200 / sampleRate))
        share = Float(1 - exponential(-2 * .pi * min(4000, 0.42 * sampleRate) / sampleRate))
    }

    @inline(__always)
    mutating func filter(_ input: Lanes) -> Lanes {
        low += lowShare * (input - low)
        output += share * (input - low - output)
        // Between echoes both would decay into denormals, which are slow.
        low.replace(with: 0, where: low.magnitude .< 1e-20)
        output.replace(with: 0, where: output.magnitude .< 1e-20)
        return output
    }

    mutating func reset() { (low, output) = (.zero, .zero) }
}

/// The place at which a delay is read. A change crossfades from the old place to the new one; changes in the meantime
/// come next.
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

    /// Sets the delay in frames, to which the current one is crossfaded.
    mutating func move(to frames: Int) {
        wanted = frames
        begin()
    }

    /// Skips the crossfade to the delay that was set last.
    mutating func arrive() {
        (delay, newDelay, framesLeft) = (wanted, wanted, 0)
    }

    /// How many frames can be read before the next one is written or the delay changes: 4 or 1.
    var framesAtOnce: Int { framesLeft == 0 && delay >= laneCount ? laneCount : 1 }

    /// The output of a line for the next ``framesAtOnce``.
    @inline(__always)
    func read(_ line: borrowing DelayLine) -> Lanes {
        let samples = line.read(delay)
        guard framesLeft > 0 else { return samples }
        let share = Float(framesLeft) / Float(crossing)
        return samples * share + line.read(newDelay) * (1 - share)
    }

    /// Advances by this many frames, at most ``framesAtOnce``.
    @inline(__always)
    mutating func advance(_ count: Int) {
        guard framesLeft > 0 else { return }
        framesLeft -= count
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
/// and each change of the delay is audible as a crossfade, so it applies only when it differs by more than 0.5 %, and
/// at most once a second.
struct EchoStep: BitwiseCopyable {
    private(set) var seconds = 0.125
    /// Frames since it last changed, up to a second.
    private var age: Int
    private let second: Int

    init(sampleRate: Double) {
        second = frames(1, sampleRate: sampleRate)
        age = second
    }

    /// Follows the duration of a step in the next `count` frames.
    ///
    /// - Returns: The frame from which the new duration applies; nil when nothing changes.
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

/// The time from echo to echo, which follows the tempo.
struct EchoClock: BitwiseCopyable {
    /// The time in steps.
    var steps = 1.0
    /// The time in seconds at the next frame.
    private(set) var seconds = 0.0
    private var step: EchoStep

    init(sampleRate: Double) { step = EchoStep(sampleRate: sampleRate) }

    /// Follows the duration of a step through a part of the period; see ``EchoStep/follow(_:isOwn:count:)``.
    mutating func follow(_ stepSeconds: Double, isOwn: Bool, _ times: inout EchoTimes, offset: Int, count: Int) {
        let wait = step.follow(stepSeconds, isOwn: isOwn, count: count) ?? 0
        seconds = steps * step.seconds
        times.move(to: seconds, at: offset + wait)
    }
}

/// The time from echo to echo in a period: each change with its frame, so that the sound does not depend on how many
/// changes a period contains.
@safe
struct EchoTimes: ~Copyable {
    struct Change: BitwiseCopyable {
        var seconds = 0.0
        /// The frame of the period from which it applies.
        var offset = 0

        init() {}
    }

    /// Room for one in each frame.
    private let changes: FixedArray<Change>
    private(set) var changeCount = 0
    /// The time at the start of the period.
    private(set) var first = 0.0
    /// The time after the last change.
    private(set) var newest = 0.0

    /// - Parameter longest: Frames in the longest period.
    init(longest: Int) { changes = FixedArray(count: longest) { _ in Change() } }

    /// Begins a period with the time that the last one ended with.
    mutating func begin(with seconds: Double) {
        changeCount = 0
        (first, newest) = (seconds, seconds)
    }

    /// Sets the time from a frame on, at or after the last change's.
    mutating func move(to seconds: Double, at offset: Int) {
        guard seconds != newest else { return }
        newest = seconds
        let index = min(changeCount, changes.count - 1)
        changes[index].seconds = seconds
        changes[index].offset = offset
        changeCount = index + 1
    }

    /// One of the period's changes, in order.
    func change(_ index: Int) -> Change { changes[index] }
}
