import CJack
import Engine
import SystemSupport

/// JACK's ports, in the order of `EnginePort.all`.
@safe
struct PortTable: ~Copyable {
    /// How many ports there are.
    private let count = EnginePort.all.count
    /// How many of them carry samples; these come first.
    let audioCount = EnginePort.audio.count
    private let midiIn = EnginePort.midiIn.index
    private let firstMidiOutput = EnginePort.midiOut.index
    /// Written only while no callback runs.
    private let handles: UnsafeMutablePointer<OpaquePointer?>

    /// No ports yet.
    init() {
        unsafe handles = .allocate(capacity: count)
        unsafe handles.initialize(repeating: nil, count: count)
    }

    deinit { unsafe handles.deallocate() }

    /// JACK's handle of a port, nil while no client is open.
    func handle(of port: EnginePort) -> OpaquePointer? { unsafe handles[port.index] }

    /// Keeps JACK's handle of a port, which is valid until the client is closed.
    func keep(_ handle: OpaquePointer, of port: EnginePort) { unsafe handles[port.index] = handle }

    func forgetAll() { unsafe handles.update(repeating: nil, count: count) }

    /// The buffer of an audio port in this cycle, by its index; JACK may move it from one cycle to the next.
    @_noLocks @_noAllocation
    func buffer(of index: Int, _ frameCount: Int) -> UnsafeMutablePointer<Float>? {
        guard let handle = unsafe handles[index] else { return nil }
        return unsafe jack_port_get_buffer(handle, jack_nframes_t(frameCount))?.assumingMemoryBound(to: Float.self)
    }

    /// Fills all audio outputs with silence, and empties the others.
    @_noLocks @_noAllocation
    func silence(_ frameCount: Int) {
        clearMidi(frameCount)
        for index in 0..<audioCount { unsafe buffer(of: index, frameCount)?.update(repeating: 0, count: frameCount) }
    }

    // MARK: MIDI

    /// Whether messages have arrived in this cycle.
    @_noLocks @_noAllocation
    func hasMessages(_ frameCount: Int) -> Bool {
        guard let buffer = unsafe midiBuffer(of: midiIn, frameCount) else { return false }
        return unsafe jack_midi_get_event_count(buffer) > 0
    }

    /// Copies the messages of a part of this cycle in pieces of up to three bytes. Of those over 48 bytes, which can
    /// only be system exclusive and are not needed, copies just the first and the last piece.
    @_noLocks @_noAllocation
    func readMidi(into events: MidiBuffer, of part: Range<Int>, _ frameCount: Int) {
        unsafe events.clear()
        guard let buffer = unsafe midiBuffer(of: midiIn, frameCount) else { return }
        var event = unsafe jack_midi_event_t()
        let count = unsafe jack_midi_get_event_count(buffer)
        for index in 0..<count {
            guard unsafe jack_midi_event_get(&event, buffer, index) == 0, unsafe part.contains(Int(event.time)),
                unsafe event.size >= 1, let bytes = unsafe event.buffer
            else { continue }
            let frame = unsafe Int32(truncatingIfNeeded: Int(event.time) - part.lowerBound)
            unsafe copy(bytes, count: Int(event.size), to: events, frame: frame)
        }
    }

    @_noLocks @_noAllocation
    private func copy(_ bytes: UnsafePointer<UInt8>, count: Int, to events: MidiBuffer, frame: Int32) {
        var index = 0
        while index < count {
            if count > 48 && index == 3 { index = count - 3 }
            let left = count - index
            unsafe events.append(
                MidiEvent(
                    frame: frame, count: UInt8(truncatingIfNeeded: min(3, left)), bytes[index],
                    left > 1 ? bytes[index + 1] : 0, left > 2 ? bytes[index + 2] : 0))
            index += 3
        }
    }

    /// Empties the MIDI outputs, for a new cycle.
    @_noLocks @_noAllocation
    func clearMidi(_ frameCount: Int) {
        for index in firstMidiOutput..<count {
            guard let buffer = unsafe midiBuffer(of: index, frameCount) else { continue }
            unsafe jack_midi_clear_buffer(buffer)
        }
    }

    /// Adds the messages rendered for the MIDI outputs, `offset` frames after the cycle's first.
    @_noLocks @_noAllocation
    func writeMidi(_ rendered: borrowing RenderedPeriod, from offset: Int, _ frameCount: Int) {
        for index in firstMidiOutput..<count {
            unsafe write(rendered.messages(of: index), to: index, from: offset, frameCount)
        }
    }

    @_noLocks @_noAllocation
    private func write(_ events: MidiBuffer, to index: Int, from offset: Int, _ frameCount: Int) {
        guard let buffer = unsafe midiBuffer(of: index, frameCount) else { return }
        let count = unsafe events.count
        for index in 0..<count {
            let event = unsafe events.event(index)
            var bytes = (event.status, event.first, event.second)
            _ = unsafe withUnsafeBytes(of: &bytes) { bytes in
                unsafe jack_midi_event_write(
                    buffer, jack_nframes_t(truncatingIfNeeded: Int(event.frame) + offset),
                    bytes.baseAddress?.assumingMemoryBound(to: jack_midi_data_t.self), Int(event.count))
            }
        }
    }

    @_noLocks @_noAllocation
    private func midiBuffer(of index: Int, _ frameCount: Int) -> UnsafeMutableRawPointer? {
        guard let handle = unsafe handles[index] else { return nil }
        return unsafe jack_port_get_buffer(handle, jack_nframes_t(frameCount))
    }
}

extension EnginePort.Kind {
    /// JACK's type of such a port.
    var jackType: String {
        switch self {
        case .audioOutput: JACK_DEFAULT_AUDIO_TYPE
        case .midiInput, .midiOutput: JACK_DEFAULT_MIDI_TYPE
        }
    }

    /// JACK's flags of such a port.
    var jackFlags: UInt {
        switch self {
        case .audioOutput, .midiOutput: UInt(JackPortIsOutput.rawValue | JackPortIsTerminal.rawValue)
        case .midiInput: UInt(JackPortIsInput.rawValue | JackPortIsTerminal.rawValue)
        }
    }
}
