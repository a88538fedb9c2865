import Engine
import Gestures
import Grid
import Music

/// Whether the step clock runs, and where it is.
public struct TransportStatus: Equatable, Sendable {
    /// Whether the step clock runs.
    public enum State: String, Sendable {
        case stopped
        case playing
        case paused
    }

    /// Whether the step clock runs.
    public var state: State
    /// The current step, 0 to 31; 0 when stopped, unless `locate` chose another to start from.
    public var step: Int

    /// A state of the transport.
    public init(state: State, step: Int) {
        self.state = state
        self.step = step
    }
}

/// What the audio driver is doing.
public struct AudioStatus: Equatable, Sendable {
    /// What the audio driver is doing.
    public enum State: String, Sendable {
        case running
        case noServer = "no server"
        case lost
        case off
    }

    /// What the audio driver is doing.
    public var state: State
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// Frames per second, nil while there is no sound.
    public var sampleRate: Int?
    /// Frames per period, nil while there is no sound.
    public var period: Int?
    /// Whether only a restart of the program brings sound back.
    public var needsRestart: Bool
    /// The full names of the ports that our MIDI ports, by their short names, are connected to; those that are connected to
    /// nothing are left out.
    public var midiConnections: [String: Set<String>]
    /// Whether anything is connected to the MIDI input.
    public var hasMidiInput: Bool { midiConnections[EnginePort.midiIn.name] != nil }

    /// No driver.
    public init(
        state: State = .off, reason: String = "", sampleRate: Int? = nil, period: Int? = nil,
        needsRestart: Bool = false, midiConnections: [String: Set<String>] = [:]
    ) {
        self.state = state
        self.reason = reason
        self.sampleRate = sampleRate
        self.period = period
        self.needsRestart = needsRestart
        self.midiConnections = midiConnections
    }
}

/// Why a command was refused.
public enum CommandError: Error, Equatable, Sendable {
    /// Playing needs a JACK server; the reason why there is none.
    case noAudio(String)
    /// A note outside the scale on a pitched track.
    case outOfScale(Track, note: Int)
    /// A step at or beyond the length.
    case beyondLength(step: Int, length: Int)
    /// The tempo is not ours: it follows this source.
    case tempoFollows(SyncSource)
    /// The position is not ours: it follows this source, which cannot be moved.
    case positionFollows(SyncSource)
    /// Another client holds the timeline: its name.
    case timelineHeld(by: String)
    /// There is no kit of this name among those that there are.
    case unknownKit(String, known: [String])
    /// The touch is not on the grid.
    case offGrid(x: Double, y: Double)
}

/// What a touch that was sent as a request is answered.
public struct TouchReply: Equatable, Sendable {
    /// What the touch wrote or removed, nil when the pattern is as before.
    public var outcome: Outcome?
    /// The audio frame from which it can be heard, nil without audio or outcome.
    public var frame: Int64?
}

/// Something that subscribers are told once.
public enum SessionEvent: Equatable, Sendable {
    /// A step started: the step, the audio frame and JACK's time in µs at which it was heard.
    case step(step: Int, frame: Int64, usecs: UInt64)
    /// A slot begins to play: the audio frame and JACK's time in µs from which it is heard, nil without audio.
    case launch(Slot, frame: Int64?, usecs: UInt64?)
    /// A text is on the grid for so many milliseconds from now; nil as long as its drag is under way, 0 when it is gone.
    case tooltip(Tooltip, milliseconds: Int?)
    /// One client's device should shake.
    case haptic(ClientID, Haptic)
    /// The client that holds the timeline is asked for something.
    case request(ClientID, TimelineRequest)
    /// A message came in at the MIDI input.
    case midi(ArrivedMessage)
    /// What an oscilloscope shows, in thousandths of full scale: the lowest and the highest sample of each part of the
    /// main output alternate; then the tracks' peaks; JACK's time of its end in µs.
    case scope(usecs: UInt64, main: [Int], peaks: [Int])
}

/// One drawn frame, numbered: a higher number is a later picture.
public struct NumberedFrame: Sendable {
    /// One counter for all clients, from 1.
    public var sequence: Int
    /// The picture.
    public var frame: Frame
}
