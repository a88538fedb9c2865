/// Where one cycle's data go, and come from: one buffer for each port of ``EnginePort/all``, in their order.
///
/// What a buffer holds follows the port's kind: an audio output has room for the cycle's frames, a MIDI port is a
/// ``MidiBuffer``, which for an output the engine clears first. None overlaps another.
@unsafe
public struct RtPorts {
    private let buffers: UnsafePointer<UnsafeMutableRawPointer>

    /// The buffers of all ports; valid for the cycle.
    @_noLocks @_noAllocation
    public init(_ buffers: UnsafePointer<UnsafeMutableRawPointer>) {
        unsafe self.buffers = buffers
    }

    var mainLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.mainLeft) }

    var mainRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.mainRight) }

    var reverbLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.reverbLeft) }

    var reverbRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.reverbLeft + 1) }

    var delayLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.delayLeft) }

    var delayRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.delayLeft + 1) }

    func track(_ track: Int) -> UnsafeMutablePointer<Float> { unsafe audio(PortIndex.track(track)) }

    /// What others send.
    public var midiIn: MidiBuffer { @_noLocks @_noAllocation get { unsafe MidiBuffer(buffers[PortIndex.midiIn]) } }

    /// The tracks' notes.
    public var midiOut: MidiBuffer { @_noLocks @_noAllocation get { unsafe MidiBuffer(buffers[PortIndex.midiOut]) } }

    /// Our clock.
    public var clockOut: MidiBuffer { @_noLocks @_noAllocation get { unsafe MidiBuffer(buffers[PortIndex.clockOut]) } }

    /// The samples of an audio output.
    func audio(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe buffers[index].assumingMemoryBound(to: Float.self)
    }
}
