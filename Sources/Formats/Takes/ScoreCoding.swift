import Engine
import Music

// The sources of a take's scores: the first whole, then what changed from one to the next. The first begins with the names of
// all parameters and of the values of notes, whose places are used from then on; so tables may grow.

/// The names that a take uses, in the order of their places.
private struct ScoreVocabulary {
    /// By place; nil for a name that this version does not know.
    var places: [(parameter: Parameter, track: Track?)?]
    var noteValues: [NoteValue?]

    /// This version's.
    static let own = ScoreVocabulary(
        places: ParameterBlock.places.map { (parameter: $0.0, track: $0.1) }, noteValues: NoteValue.allCases.map { $0 })

    /// More than tables will ever have.
    static let limit = 4096

    func write(to writer: inout CompactWriter) {
        writer.write(places.count)
        for place in places {
            writer.write(place?.parameter.row.name ?? "")
            writer.write(place?.track?.name ?? "")
        }
        writer.write(noteValues.count)
        for value in noteValues { writer.write(value?.row.name ?? "") }
    }

    static func read(_ reader: inout CompactReader) throws(MalformedTake) -> ScoreVocabulary {
        var own: [String: (parameter: Parameter, track: Track?)] = [:]
        for place in ParameterBlock.places { own["\(place.0.row.name) \(place.1?.name ?? "")"] = (place.0, place.1) }
        var vocabulary = ScoreVocabulary(places: [], noteValues: [])
        for _ in 0..<(try reader.integer(in: 0..<limit)) {
            let parameter = try reader.text()
            vocabulary.places.append(own["\(parameter) \(try reader.text())"])
        }
        for _ in 0..<(try reader.integer(in: 0..<limit)) {
            let name = try reader.text()
            vocabulary.noteValues.append(NoteValue.allCases.first { $0.row.name == name })
        }
        return vocabulary
    }
}

/// What a byte says that follows in a change; from ``parameter`` on it is a parameter's place.
private enum ScorePart {
    static let slot: UInt64 = 1
    static let launches: UInt64 = 2
    static let switches: UInt64 = 3
    static let tempoRevision: UInt64 = 4
    static let patternRevision: UInt64 = 5
    static let bindings: UInt64 = 6
    static let parameter: UInt64 = 8
}

/// Turns sources into bytes, one after the other.
public struct ScoreEncoder {
    private var last: ScoreSource?

    public init() {}

    /// The bytes of the next source; those of the first hold all of it.
    public mutating func encode(_ source: ScoreSource) -> [UInt8] {
        var writer = CompactWriter()
        if last == nil { ScoreVocabulary.own.write(to: &writer) }
        let last = last ?? ScoreSource()
        writeParameters(source, last, to: &writer)
        for (index, (old, new)) in zip(last.slots, source.slots).enumerated() where old != new {
            writer.write(ScorePart.slot)
            writer.write(index)
            writer.write(change: new, from: old)
        }
        for track in Track.allCases where source.launches[track.rawValue] != last.launches[track.rawValue] {
            writer.write(ScorePart.launches)
            writer.write(track.rawValue)
            writer.write(source.launches[track.rawValue])
        }
        writeRest(source, last, to: &writer)
        self.last = source
        return writer.bytes
    }

    private func writeParameters(_ source: ScoreSource, _ last: ScoreSource, to writer: inout CompactWriter) {
        for (place, (parameter, track)) in ParameterBlock.places.enumerated() {
            let number = source.parameters[parameter, track?.rawValue ?? 0]
            guard number.bitPattern != last.parameters[parameter, track?.rawValue ?? 0].bitPattern else { continue }
            writer.write(ScorePart.parameter + UInt64(place))
            writer.write(exact: number)
        }
    }

    private func writeRest(_ source: ScoreSource, _ last: ScoreSource, to writer: inout CompactWriter) {
        if source.switches != last.switches {
            writer.write(ScorePart.switches)
            writer.write(source.switches)
        }
        if source.tempoRevision != last.tempoRevision {
            writer.write(ScorePart.tempoRevision)
            writer.write(signed: Int64(source.tempoRevision))
        }
        if source.patternRevision != last.patternRevision {
            writer.write(ScorePart.patternRevision)
            writer.write(signed: Int64(source.patternRevision))
        }
        for index in 0..<BoundKeys.wordCount where source.bindings[word: index] != last.bindings[word: index] {
            writer.write(ScorePart.bindings)
            writer.write(index)
            writer.write(source.bindings[word: index])
        }
    }
}

/// Turns the bytes of an ``ScoreEncoder`` back into sources, in the same order.
public struct ScoreDecoder {
    private var vocabulary: ScoreVocabulary?
    private var source = ScoreSource()

    public init() {}

    /// The next source. After an error no further one can be decoded.
    public mutating func decode(_ bytes: [UInt8]) throws(MalformedTake) -> ScoreSource {
        var reader = CompactReader(bytes)
        if vocabulary == nil { vocabulary = try ScoreVocabulary.read(&reader) }
        guard let vocabulary else { throw MalformedTake() }
        while !reader.isAtEnd { try read(try reader.number(), vocabulary, &reader) }
        return source
    }

    private mutating func read(
        _ part: UInt64, _ vocabulary: ScoreVocabulary, _ reader: inout CompactReader
    ) throws(MalformedTake) {
        switch part {
        case ScorePart.slot:
            let index = try reader.integer(in: 0..<source.slots.count)
            try reader.change(&source.slots[index], vocabulary)
        case ScorePart.launches:
            let track = try reader.integer(in: 0..<Track.allCases.count)
            source.launches[track] = try reader.launches()
        case ScorePart.switches: source.switches = try reader.number()
        case ScorePart.tempoRevision: source.tempoRevision = Int(try reader.signed())
        case ScorePart.patternRevision: source.patternRevision = Int(try reader.signed())
        case ScorePart.bindings:
            let index = try reader.integer(in: 0..<BoundKeys.wordCount)
            source.bindings[word: index] = try reader.number()
        case ScorePart.parameter..<ScorePart.parameter + UInt64(vocabulary.places.count):
            let number = try reader.exact()
            guard let (parameter, track) = vocabulary.places[Int(part - ScorePart.parameter)] else { return }
            guard let value = parameter.row.kind(on: track).nearestNumber(to: number) else { throw MalformedTake() }
            source.parameters[parameter, track?.rawValue ?? 0] = value
        default: throw MalformedTake()
        }
    }
}

extension ScoreSource {
    /// What is either so or not, one bit each.
    fileprivate var switches: UInt64 {
        get {
            var bits: UInt64 = (isFilling ? 1 : 0) | (isMidiCircular ? 2 : 0)
            for track in Track.allCases where isSilent[track.rawValue] { bits |= 4 << UInt64(track.rawValue) }
            return bits
        }
        set {
            isFilling = newValue & 1 != 0
            isMidiCircular = newValue & 2 != 0
            for track in Track.allCases { isSilent[track.rawValue] = newValue >> UInt64(2 + track.rawValue) & 1 != 0 }
        }
    }
}

// MARK: - Launches

extension CompactWriter {
    fileprivate mutating func write(_ launches: NumberedLaunches) {
        write(Int(launches.playing))
        write(signed: launches.known)
        write(signed: launches.number)
        let waiting = launches.waiting
        write(waiting.queued.map { $0 + 1 } ?? 0)
        write(waiting.moment == .now ? 1 : 0)
        write(waiting.chain.count)
        for index in waiting.chain { write(index) }
        write(waiting.link)
    }
}

extension CompactReader {
    /// More launches than there will ever be, of which each chain has 2^32.
    private static let launchNumbers: ClosedRange<Int64> = 0...1 << 62

    fileprivate mutating func launches() throws(MalformedTake) -> NumberedLaunches {
        var launches = NumberedLaunches()
        launches.playing = Int32(try integer(in: 0..<Slot.count))
        launches.known = try signed(in: CompactReader.launchNumbers)
        let number = try signed(in: CompactReader.launchNumbers)
        let queued = try integer(in: 0..<Slot.count + 1)
        let moment: LaunchMoment = try integer(in: 0..<2) == 1 ? .now : .queued
        var chain: [Int] = []
        for _ in 0..<(try integer(in: 0..<TrackLaunches.longestChain + 1)) {
            chain.append(try integer(in: 0..<Slot.count))
        }
        let link = try integer(in: 0..<max(1, chain.count))
        launches.queue(
            TrackLaunches(queued: queued == 0 ? nil : queued - 1, moment: moment, chain: chain, link: link),
            number: number)
        return launches
    }
}

// MARK: - Slots

extension CompactWriter {
    /// The steps that differ, with the notes that do; length, speed and motions if they do.
    fileprivate mutating func write(change slot: SlotNotes, from old: SlotNotes) {
        let steps = (0..<SlotNotes.stepCount).filter { slot[$0] != old[$0] }
        let hasTime = slot.length != old.length || slot.speed != old.speed
        let moved = Parameter.movable.filter { slot.motions[$0] != old.motions[$0] }
        write(byte: (steps.isEmpty ? 0 : 1) | (hasTime ? 2 : 0) | (moved.isEmpty ? 0 : 4))
        if !steps.isEmpty {
            write(steps.reduce(UInt64(0)) { $0 | 1 << UInt64($1) })
            for step in steps { write(change: slot[step], from: old[step]) }
        }
        if hasTime {
            write(slot.length ?? 0)
            write(slot.speed.rawValue)
        }
        guard !moved.isEmpty else { return }
        write(moved.count)
        for parameter in moved {
            write(ParameterBlock.places.firstIndex { $0.0 == parameter } ?? 0)
            write(slot.motions[parameter].count)
            for point in slot.motions[parameter] {
                write(point.step)
                write(exact: point.value)
            }
        }
    }

    private mutating func write(change notes: StepNotes, from old: StepNotes) {
        let changed = (0..<Track.noteCount).filter { notes[whole: $0] != old[whole: $0] }
        write(changed.reduce(UInt64(0)) { $0 | 1 << UInt64($1) })
        for number in changed {
            let note = notes[whole: number]
            let values = note.hasValues ? NoteValue.allCases.filter { note[$0] != Note(.normal)[$0] } : []
            write(Int(note.velocity.rawValue) | values.count << 2)
            for value in values {
                write(NoteValue.allCases.firstIndex(of: value) ?? 0)
                write(signed: Int64(note[value]))
            }
        }
    }
}

extension CompactReader {
    fileprivate mutating func change(
        _ slot: inout SlotNotes, _ vocabulary: ScoreVocabulary
    ) throws(MalformedTake) {
        let parts = try byte()
        if parts & 1 != 0 {
            let steps = try number()
            for step in 0..<SlotNotes.stepCount where steps >> UInt64(step) & 1 != 0 {
                try change(&slot[step], vocabulary)
            }
        }
        if parts & 2 != 0 {
            let length = try integer(in: 0..<SlotNotes.stepCount + 1)
            slot.length = length == 0 ? nil : length
            guard let speed = Speed(rawValue: try text()) else { throw MalformedTake() }
            slot.speed = speed
        }
        if parts & 4 != 0 { try changeMotions(&slot.motions, vocabulary) }
    }

    private mutating func change(_ notes: inout StepNotes, _ vocabulary: ScoreVocabulary) throws(MalformedTake) {
        let changed = try number()
        for number in 0..<Track.noteCount where changed >> UInt64(number) & 1 != 0 {
            let coded = try integer(in: 0..<1 << 16)
            guard let velocity = Velocity(rawValue: UInt8(coded & 3)) else { throw MalformedTake() }
            var note = Note(velocity)
            for _ in 0..<coded >> 2 {
                let place = try integer(in: 0..<vocabulary.noteValues.count)
                let value = Int(try signed())
                if let noteValue = vocabulary.noteValues[place] { note[noteValue] = value }
            }
            notes[whole: number] = note
        }
    }

    private mutating func changeMotions(
        _ motions: inout Motions, _ vocabulary: ScoreVocabulary
    ) throws(MalformedTake) {
        for _ in 0..<(try integer(in: 0..<ScoreVocabulary.limit)) {
            let parameter = vocabulary.places[try integer(in: 0..<vocabulary.places.count)]?.parameter
            if let parameter { motions.clear(parameter) }
            for _ in 0..<(try integer(in: 0..<SlotNotes.stepCount + 1)) {
                let step = try integer(in: 0..<SlotNotes.stepCount)
                let value = try exact()
                guard let parameter, parameter.row.motion != nil else { continue }
                motions[parameter, step] = value
            }
        }
    }
}
