import Music

// How a change lies in a journal: a byte that says which, then what it sets.

private enum ChangeCode: UInt8 {
    case edit = 1
    case amend = 2
    case replacePattern = 3
    case undo = 4
    case redo = 5
    case retract = 6
    case tempo = 7
    case swing = 8
    case scale = 9
    case root = 10
    case length = 11
    case name = 12
    case colorMode = 13
    case ghosts = 14
    case mute = 15
    case solo = 16
    case gain = 17
    case pan = 18
}

extension DocumentChange: Storable {
    func write(to writer: inout ByteWriter) {
        writer.write(code.rawValue)
        switch self {
        case .edit(let cells), .amend(let cells): cells.write(to: &writer)
        case .replacePattern(let pattern): pattern.write(to: &writer)
        case .undo, .redo, .retract: break
        case .setTempo(let tempo): tempo.write(to: &writer)
        case .setSwing(let swing): writer.write(swing)
        case .setScale(let scale): writer.write(UInt8(scale.rawValue))
        case .setRoot(let root): root.write(to: &writer)
        case .setLength(let length): writer.write(UInt8(clamping: length))
        case .setName(let name): writer.write(name)
        case .setColorMode(let mode): writer.write(UInt8(mode.rawValue))
        case .setGhosts(let isOn): writer.write(isOn)
        case .setSolo(let track): writer.write(track)
        case .setMute(let track, let isMuted):
            track.write(to: &writer)
            writer.write(isMuted)
        case .setGain(let track, let value), .setPan(let track, let value):
            track.write(to: &writer)
            writer.write(value)
        }
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        guard let code = ChangeCode(rawValue: try reader.integer()) else { throw MalformedData() }
        switch code {
        case .edit: self = .edit(try Cells(from: &reader))
        case .amend: self = .amend(try Cells(from: &reader))
        case .replacePattern: self = .replacePattern(try Pattern(from: &reader))
        case .undo: self = .undo
        case .redo: self = .redo
        case .retract: self = .retract
        case .tempo: self = .setTempo(try Tempo(from: &reader))
        case .swing: self = .setSwing(try reader.number(in: Pattern.swings))
        case .scale: self = .setScale(try reader.choice())
        case .root: self = .setRoot(try PitchClass(from: &reader))
        case .length: self = .setLength(try reader.length())
        case .name: self = .setName(try reader.text())
        case .colorMode: self = .setColorMode(try reader.choice())
        case .ghosts: self = .setGhosts(try reader.flag())
        case .mute: self = .setMute(try Track(from: &reader), try reader.flag())
        case .solo: self = .setSolo(try reader.optional())
        case .gain: self = .setGain(try Track(from: &reader), try reader.number(in: TrackMix.gains))
        case .pan: self = .setPan(try Track(from: &reader), try reader.number(in: TrackMix.pans))
        }
    }

    private var code: ChangeCode {
        switch self {
        case .edit: .edit
        case .amend: .amend
        case .replacePattern: .replacePattern
        case .undo: .undo
        case .redo: .redo
        case .retract: .retract
        case .setTempo: .tempo
        case .setSwing: .swing
        case .setScale: .scale
        case .setRoot: .root
        case .setLength: .length
        case .setName: .name
        case .setColorMode: .colorMode
        case .setGhosts: .ghosts
        case .setMute: .mute
        case .setSolo: .solo
        case .setGain: .gain
        case .setPan: .pan
        }
    }
}
