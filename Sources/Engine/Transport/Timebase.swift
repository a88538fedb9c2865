/// Our own way to count the frames of JACK's transport as steps: frame/F at the present tempo after a relocation, counted
/// on from there through changes of tempo.
struct Timebase: BitwiseCopyable {
    private(set) var bpm = 120.0
    private(set) var stepFrames = 6000.0
    private var anchorFrame: Int64 = 0
    private var anchorPosition = 0.0
    private var frame: Int64 = 0

    /// The song position with the frame taken last.
    var position: Double { position(at: frame) }

    /// The song position with a frame, if the transport does not jump before it.
    func position(at frame: Int64) -> Double {
        anchorPosition + Double(frame - anchorFrame) / stepFrames
    }

    /// Reads where the transport is now, and the tempo.
    mutating func update(frame: Int64, isRelocated: Bool, bpm: Double, sampleRate: Double) {
        self.frame = frame
        if isRelocated {
            (anchorFrame, anchorPosition) = (0, 0)
        } else if bpm != self.bpm {
            (anchorPosition, anchorFrame) = (position(at: frame), frame)
        }
        self.bpm = bpm
        stepFrames = sampleRate * 60 / bpm / 4
    }
}

extension BarPosition {
    /// The bar and beat of a song position: quarters, four to a bar.
    init(position: Double, bpm: Double) {
        let ticksPerBeat = 1920.0
        let beats = Int64(max(0, position) / 4)
        let tick = (max(0, position) / 4 - Double(beats)) * ticksPerBeat
        self.init(
            bar: Int32(truncatingIfNeeded: beats / 4 + 1), beat: Int32(truncatingIfNeeded: beats % 4 + 1), tick: tick,
            isExact: true, ticksPerBeat: ticksPerBeat, bpm: bpm)
    }
}
