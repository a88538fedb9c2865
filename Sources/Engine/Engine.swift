// The interface that the drivers and the session build on; the engine itself is written behind it.

/// One run of the process callback, as the driver sees it.
public struct RtCycle: Sendable, BitwiseCopyable {
    /// Frames to render, 1 to 8192.
    public var frameCount: Int
    /// The driver's count of the first frame: JACK's frame time made 64 bits wide, or frames since the start offline.
    public var startFrame: Int64
    /// JACK's time of the first frame in µs; offline from the frame count.
    public var startUsecs: UInt64
    /// Length of a frame in µs.
    public var usecsPerFrame: Double
}

/// Where one cycle's audio goes; each buffer has room for the cycle's frames.
public struct RtBuffers {
    public var mainLeft: UnsafeMutablePointer<Float>
    public var mainRight: UnsafeMutablePointer<Float>
    public var melody: UnsafeMutablePointer<Float>
    public var chords: UnsafeMutablePointer<Float>
    public var bass: UnsafeMutablePointer<Float>
    public var rhythm: UnsafeMutablePointer<Float>
}

/// The synthesizer and step clock, and both ends of the way to them.
///
/// One thread calls the control side, one thread (the process callback's) calls ``render(_:into:)``.
public final class Engine: Sendable {
    /// An engine that is silent and stopped, with all its memory allocated.
    public init(score: Score) {}

    // MARK: On the control thread

    /// Publishes what is to be played from the next period on.
    public func publish(_ score: Score) {}

    /// Sends a one-shot command.
    ///
    /// - Returns: Whether there was room; commands pile up only while no driver runs.
    public func send(_ command: RtCommand) -> Bool { true }

    /// The oldest notice not yet taken.
    public func nextNotice() -> RtNotice? { nil }

    /// The highest absolute sample of a track's port since the last call; 0 for silence.
    public func takePeak(track: Int) -> Float { 0 }

    /// The driver's frame from which something published or sent now can be heard.
    public var nextFrame: Int64 { 0 }

    /// Makes the engine fit a sample rate (8000 to 192000 Hz) and forget all sound; position and transport stay.
    /// Only while no driver runs.
    public func prepare(sampleRate: Double) {}

    // MARK: On the audio thread

    /// Renders one cycle.
    public func render(_ cycle: RtCycle, into buffers: RtBuffers) {}
}
