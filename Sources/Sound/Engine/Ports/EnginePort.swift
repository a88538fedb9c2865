import Music

/// A port of the instrument: a row of the table that all drivers use.
public struct EnginePort: Sendable, Hashable {
    /// What a port carries, and in which direction.
    public enum Kind: Sendable {
        /// Samples for others to hear.
        case audioOutput
        /// Messages that others send.
        case midiInput
        /// Messages that others receive.
        case midiOutput
    }

    /// Which ports belong together; the raw value is the name to show.
    public enum Group: String, Sendable {
        case main = "Main"
        case tracks = "Tracks"
        case returns = "Returns"
        case midi = "MIDI"
        case stems = "Stems"
    }

    /// Its index in the table, which is the order in patchbays; stems follow the table.
    public let index: Int
    /// What it carries, and in which direction.
    public let kind: Kind
    /// The name by which connections are made; it never changes.
    public let name: String
    /// The name to show.
    public let title: String
    public let group: Group

    public static let all: [EnginePort] = {
        let main = [("main_L", "Main left"), ("main_R", "Main right")].map { ($0, $1, Group.main) }
        // Each track alone, in mono, after mute and gain, before pan and clipper.
        let tracks = Track.allCases.map {
            ($0.name, $0.name.prefix(1).uppercased() + $0.name.dropFirst(), Group.tracks)
        }
        // The effects' returns alone; they are in the mix as well.
        let returns = ["reverb", "delay"].flatMap { name in
            let title = name.prefix(1).uppercased() + name.dropFirst()
            return [("L", "left"), ("R", "right")].map { ("\(name)_\($0)", "\(title) \($1)", Group.returns) }
        }
        let audio = (main + tracks + returns).map { (name: $0.0, title: $0.1, group: $0.2, kind: Kind.audioOutput) }
        let midi = [
            (name: "midi_in", title: "MIDI in", group: Group.midi, kind: Kind.midiInput),
            (name: "midi_out", title: "MIDI out", group: Group.midi, kind: Kind.midiOutput),
            (name: "clock_out", title: "Clock out", group: Group.midi, kind: Kind.midiOutput),
        ]
        return (audio + midi).enumerated().map { index, row in
            EnginePort(index: index, kind: row.kind, name: row.name, title: row.title, group: row.group)
        }
    }()

    /// Further outputs, which a driver may bind: each track in stereo, as it goes into the mix; left and right.
    public static let stems: [EnginePort] = Track.allCases.flatMap { track in
        ["left", "right"].map { side in
            let title = track.name.prefix(1).uppercased() + track.name.dropFirst()
            return (name: "\(track.name)_\(side == "left" ? "L" : "R")", title: "\(title) \(side)")
        }
    }.enumerated().map { index, row in
        EnginePort(
            index: all.count + index, kind: .audioOutput, name: row.name, title: row.title, group: .stems)
    }

    /// The ports that carry samples.
    public static let audio = all.filter { $0.kind == .audioOutput }

    /// The ports that carry messages.
    public static let midi = all.filter { $0.kind != .audioOutput }

    /// Clock and notes from others.
    public static var midiIn: EnginePort { all[PortIndex.midiIn] }
    /// The tracks' notes.
    public static var midiOut: EnginePort { all[PortIndex.midiOut] }
    /// Our clock.
    public static var clockOut: EnginePort { all[PortIndex.clockOut] }
    /// The left channel of the mix.
    public static var mainLeft: EnginePort { all[PortIndex.mainLeft] }
    /// The right channel of the mix.
    public static var mainRight: EnginePort { all[PortIndex.mainRight] }
    /// A track alone.
    public static func track(_ track: Track) -> EnginePort { all[PortIndex.track(track.rawValue)] }
    /// A track's stem, left and right.
    public static func stem(_ track: Track) -> [EnginePort] {
        Array(stems[2 * track.rawValue...2 * track.rawValue + 1])
    }
    /// The reverb's return, left and right.
    public static var reverb: [EnginePort] { Array(all[PortIndex.reverbLeft...PortIndex.reverbLeft + 1]) }
    /// The delay's return, left and right.
    public static var delay: [EnginePort] { Array(all[PortIndex.delayLeft...PortIndex.delayLeft + 1]) }
}

/// The indices of ports in the table, for the process callback, which must not access the table.
enum PortIndex {
    static var mainLeft: Int { 0 }

    static var mainRight: Int { 1 }

    @_transparent
    static func track(_ track: Int) -> Int { 2 + track }

    static var reverbLeft: Int { 2 + trackCount }

    static var delayLeft: Int { 4 + trackCount }

    /// Audio outputs come first.
    static var audioOutputCount: Int { 6 + trackCount }

    static var midiIn: Int { audioOutputCount }

    /// MIDI outputs come last.
    static var midiOut: Int { audioOutputCount + 1 }

    static var clockOut: Int { audioOutputCount + 2 }

    /// Stems follow the table.
    static var firstStem: Int { audioOutputCount + 3 }

    static var stemCount: Int { 2 * trackCount }
}

/// The buffers of one cycle: one for each port of ``EnginePort/all``, in their order, and then, if the driver binds them,
/// one for each of ``EnginePort/stems``.
///
/// An audio output has room for the cycle's frames; a MIDI port is a ``MidiBuffer``, which the engine clears first if
/// it is an output. Buffers do not overlap.
@unsafe
public struct RtPorts {
    private let buffers: UnsafePointer<UnsafeMutableRawPointer>
    /// Whether stems are bound.
    let hasStems: Bool

    /// The buffers of all ports; valid for the cycle.
    @_noLocks @_noAllocation
    public init(_ buffers: UnsafePointer<UnsafeMutableRawPointer>, hasStems: Bool = false) {
        unsafe self.buffers = buffers
        unsafe self.hasStems = hasStems
    }

    var mainLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.mainLeft) }

    var mainRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.mainRight) }

    var reverbLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.reverbLeft) }

    var reverbRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.reverbLeft + 1) }

    var delayLeft: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.delayLeft) }

    var delayRight: UnsafeMutablePointer<Float> { unsafe audio(PortIndex.delayLeft + 1) }

    func track(_ track: Int) -> UnsafeMutablePointer<Float> { unsafe audio(PortIndex.track(track)) }

    /// A track's stem, left or right (0 or 1); only if stems are bound.
    func stem(_ track: Int, _ side: Int) -> UnsafeMutablePointer<Float> {
        unsafe audio(PortIndex.firstStem + 2 * track + side)
    }

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
