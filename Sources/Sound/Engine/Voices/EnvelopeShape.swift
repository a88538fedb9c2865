/// A stretch of an envelope along which `value = value * factor + slope`, once a frame.
struct EnvelopeSegment: BitwiseCopyable {
    var frames: Int32
    /// The value before the first frame, so that rounding never adds up from one segment to the next.
    var start: Float
    var factor: Float
    var slope: Float

    /// A straight line.
    init(from start: Double, to end: Double, frames: Int) {
        self.frames = Int32(truncatingIfNeeded: frames)
        self.start = Float(start)
        factor = 1
        slope = Float((end - start) / Double(frames))
    }

    /// An exponential fall or rise by a ratio, given as its natural logarithm.
    init(from start: Double, logRatio: Double, frames: Int) {
        self.frames = Int32(truncatingIfNeeded: frames)
        self.start = Float(start)
        factor = Float(factorPerFrame(logRatio: logRatio, frames: Double(frames)))
        slope = 0
    }

    /// An exponential approach, of which 0.001 is left after `decay` frames.
    init(from start: Double, towards target: Double, decay: Double, frames: Int) {
        self.init(from: start, logRatio: logSixtyDecibelsDown * Double(frames) / decay, frames: frames)
        slope = Float(target * (1 - Double(factor)))
    }

    /// The rest of the segment after some of its frames.
    func dropping(_ count: Int) -> EnvelopeSegment {
        var (value, left) = (Double(start), count)
        // The effect of one frame, then of two, four, eight.
        var (factor, slope) = (Double(factor), Double(slope))
        while left > 0 {
            if left & 1 == 1 { value = value * factor + slope }
            slope += slope * factor
            factor *= factor
            left >>= 1
        }
        var rest = self
        rest.start = Float(value)
        rest.frames -= Int32(truncatingIfNeeded: count)
        return rest
    }
}

/// A whole envelope: its segments one after another, then silence.
struct EnvelopeShape: BitwiseCopyable {
    private var segments: InlineArray<6, EnvelopeSegment>
    private(set) var count = 0
    /// Whether it is that of a key, whose last segment has no end.
    var isHeld = false

    /// Silence.
    init() {
        segments = InlineArray(repeating: EnvelopeSegment(from: 0, to: 0, frames: 1))
    }

    /// The segments in order, 0 ..< count.
    subscript(index: Int) -> EnvelopeSegment {
        get { segments[index] }
    }

    /// Adds a segment, unless it has no frames.
    mutating func append(_ segment: EnvelopeSegment) {
        guard segment.frames > 0 else { return }
        segments[count] = segment
        count += 1
    }

    /// Becomes one segment and nothing else.
    mutating func become(_ segment: EnvelopeSegment) {
        segments[0] = segment
        count = 1
        isHeld = false
    }

    /// Whether a segment goes on until the envelope is changed.
    func isEndless(segment index: Int) -> Bool { isHeld && index == count - 1 }

    func scaled(by level: Float) -> EnvelopeShape {
        var result = self
        for index in 0..<count {
            result.segments[index].start *= level
            result.segments[index].slope *= level
        }
        return result
    }
}
