/// A part of a cycle in which nothing starts or ends, cut into at most 128 frames, which stay in the first-level cache.
@safe
struct Stretch: BitwiseCopyable {
    /// The track's samples, which the parts of a strip change in place.
    let mid: UnsafeMutablePointer<Float>
    /// What is added to them on the right, and taken from them on the left; nil while that is silence.
    var side: UnsafeMutablePointer<Float>?
    /// How far tracks are ducked at each frame; nil while none is.
    let ducking: UnsafePointer<Float>?
    /// The first frame, by the engine's count.
    let frame: Int64
    /// The first frame, from the start of the cycle.
    let offset: Int
    let count: Int
    let grid: ControlGrid

    /// The most frames in a stretch.
    static var longest: Int { 128 }
}
