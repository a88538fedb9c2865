import CJack
import Engine

extension EnginePort.Kind {
    /// What JACK calls such a port.
    var jackType: String {
        switch self {
        case .audioOutput: JACK_DEFAULT_AUDIO_TYPE
        case .midiInput, .midiOutput: JACK_DEFAULT_MIDI_TYPE
        }
    }

    /// What JACK is to know of it.
    var jackFlags: UInt {
        switch self {
        case .audioOutput, .midiOutput: UInt(JackPortIsOutput.rawValue | JackPortIsTerminal.rawValue)
        case .midiInput: UInt(JackPortIsInput.rawValue | JackPortIsTerminal.rawValue)
        }
    }
}
