/// What everything that happens in a cycle acts upon, passed on as one value: the voices, the notices to the control
/// thread, and the time that these notices state.
struct EngineOutput: ~Copyable {
    var voices: VoiceSet
    let notices: Notices
    /// When what happens now is heard. It only reaches the control thread, and decides nothing here.
    var time = DriverTime()

    init(_ voices: consuming VoiceSet, _ notices: Notices) {
        self.voices = voices
        self.notices = notices
    }
}

/// A frame by the driver's count, and JACK's time of it.
struct DriverTime: BitwiseCopyable {
    var frame: Int64 = 0
    /// In µs.
    var usecs: UInt64 = 0

    init() {}

    /// A frame of a cycle.
    init(_ offset: Int, in cycle: RtCycle) {
        frame = cycle.startFrame + Int64(offset)
        usecs = cycle.usecs(at: offset)
    }
}
