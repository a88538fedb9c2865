import CJack
import Engine

extension EnginePort.Kind {
    /// What JACK calls such a port.
    var jackType: String {
        switch self {
        case .audioOutput: JACK_DEFAULT_AUDIO_TYPE
        }
    }

    /// What JACK is to know of it.
    var jackFlags: UInt {
        switch self {
        case .audioOutput: UInt(JackPortIsOutput.rawValue | JackPortIsTerminal.rawValue)
        }
    }
}
