/// How sound is cut off: in a straight line to zero, well within 5 ms.
enum Fade {
    /// The length of a fade.
    static let seconds = 0.004
}

/// The rest of voices whose lanes were reused before they had faded: their sum falls to zero in a straight line.
struct RemainingFade: BitwiseCopyable {
    private var value: Float = 0
    private var slope: Float = 0
    private var framesLeft = 0

    /// Whether nothing is left.
    var isSilent: Bool { framesLeft == 0 }

    /// Adds a voice whose newest sample this was.
    mutating func add(_ sample: Float, frames: Int) {
        value += sample
        slope = value / Float(frames)
        framesLeft = frames
    }

    /// Adds the rest to the output, if there is one.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>?, count: Int) {
        for index in 0..<min(count, framesLeft) {
            value -= slope
            if let output = unsafe output { unsafe output[index].x += value }
        }
        framesLeft -= min(count, framesLeft)
        if framesLeft == 0 { value = 0 }
    }
}
