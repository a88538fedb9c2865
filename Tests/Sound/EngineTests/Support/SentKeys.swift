import Engine
import Music
import OfflineAudio

/// The messages at the MIDI output, and the keys that they press and release.
struct SentKeys {
    struct Event: Equatable {
        var frame: Int64
        var isOn: Bool
        /// From 1.
        var channel: Int
        var key: Int
        var velocity = 0
    }

    private(set) var events: [Event] = []
    /// Everything that is not a note.
    private(set) var others: [(frame: Int64, event: MidiEvent)] = []
    /// Channel and key of each key that is down.
    private(set) var down: Set<[Int]> = []
    /// Errors of order: a second start, an end without a start, a frame before the last one's.
    private(set) var faults: [String] = []
    /// Whether all events are kept, or only faults.
    var keeps = true
    private(set) var count = 0

    /// The starts.
    var ons: [Event] { events.filter(\.isOn) }
    /// The ends.
    var offs: [Event] { events.filter { !$0.isOn } }

    mutating func accept(_ period: OfflinePeriod) {
        var last = period.startFrame
        for (frame, event) in period.messages(of: .midiOut) {
            if frame < last || frame >= period.startFrame + Int64(period.frameCount) {
                faults.append("order at \(frame)")
            }
            last = frame
            accept(event, at: frame)
        }
    }

    private mutating func accept(_ event: MidiEvent, at frame: Int64) {
        let key = [Int(event.status & 0xf) + 1, Int(event.first)]
        switch event.status & 0xf0 {
        case 0x90:
            if !down.insert(key).inserted { faults.append("on again at \(frame): \(key)") }
        case 0x80:
            if down.remove(key) == nil { faults.append("off of nothing at \(frame): \(key)") }
        case 0xb0 where event.first == 123:
            down = down.filter { $0[0] != key[0] }
            fallthrough
        default:
            if keeps { others.append((frame, event)) }
            return
        }
        count += 1
        let isOn = event.status & 0xf0 == 0x90
        if keeps {
            events.append(
                Event(frame: frame, isOn: isOn, channel: key[0], key: key[1], velocity: isOn ? Int(event.second) : 0))
        }
    }
}

extension OfflineDriver {
    /// Renders frames and keeps what is sent to the MIDI output.
    func sentKeys(frames: Int, periods: [Int] = [256]) -> SentKeys {
        var keys = SentKeys()
        render(frames: frames, periods: periods) { keys.accept($0) }
        return keys
    }
}

extension Score {
    /// Sends a track's notes to voices (0), the MIDI output (1) or both (2).
    mutating func send(_ track: Track, target: Double) { parameters[.target, track.rawValue] = target }
}
