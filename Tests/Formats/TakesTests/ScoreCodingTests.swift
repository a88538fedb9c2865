import Music
import TestSupport
import Testing

@testable import Engine
@testable import Takes

/// Scores in takes: the first whole, then what changed.
@Suite struct ScoreCodingTests {
    /// What a session does to a score's source.
    private struct Edits {
        var random: SeededGenerator
        var document = Document()
        var launches: PerTrack<NumberedLaunches> = PerTrack(repeating: NumberedLaunches())
        var isFilling = false
        var isCircular = false
        var revisions = (tempo: 0, pattern: 0)

        mutating func edit() {
            switch Int.random(in: 0..<9, using: &random) {
            case 0...2: setParameter()
            case 3: document.apply(.edit([Slot.all.randomElement(using: &random)!: slot()]))
            case 4: isFilling.toggle()
            case 5: (revisions.tempo, isCircular) = (revisions.tempo + 1, Bool.random(using: &random))
            case 6: launch()
            case 7:
                let trigger = MidiTrigger(
                    .controller, channel: Bool.random(using: &random) ? nil : .random(in: 1...16, using: &random),
                    number: .random(in: 0...127, using: &random))
                if Bool.random(using: &random) {
                    document.apply(.bind(MidiBinding(on: trigger, to: MidiAction("transport.toggle"))))
                } else {
                    document.apply(.unbind(trigger))
                }
            default:
                revisions.pattern += 1
                document.apply(.launch([Slot.all.randomElement(using: &random)!]))
            }
        }

        private mutating func setParameter() {
            let (parameter, track) = ParameterBlock.places.randomElement(using: &random)!
            guard parameter.row.scope.contains(track) else { return }
            let value = parameter.row.kind(on: track).value(atController: .random(in: 0...127, using: &random))
            document.set(parameter, on: track, to: value)
        }

        private mutating func slot() -> SlotNotes {
            var slot = SlotNotes()
            for _ in 0..<20 {
                let velocity: Velocity = [.normal, .accent, .sustain].randomElement(using: &random)!
                var note = Note(velocity)
                if Bool.random(using: &random) {
                    for value in NoteValue.allCases { note[value] = .random(in: -60...100, using: &random) }
                }
                slot[.random(in: 0..<32, using: &random)][whole: .random(in: 0..<12, using: &random)] = note
            }
            slot.length = Bool.random(using: &random) ? nil : .random(in: 1...32, using: &random)
            slot.speed = Speed.allCases.randomElement(using: &random)!
            for parameter in Parameter.movable where Bool.random(using: &random) {
                slot.motions[parameter, .random(in: 0..<32, using: &random)] = .random(in: -20...20, using: &random)
            }
            return slot
        }

        private mutating func launch() {
            let track = Int.random(in: 0..<4, using: &random)
            let chain = (0..<Int.random(in: 1...16, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) }
            var waiting = TrackLaunches(
                chain, Bool.random(using: &random) ? .now : .queued, isPlaying: Bool.random(using: &random))
            waiting.advance(by: .random(in: 0...5, using: &random))
            launches[track].known = .random(in: 0...1 << 40, using: &random)
            launches[track].queue(waiting, number: .random(in: 0...1 << 40, using: &random))
        }

        var source: ScoreSource {
            var source = ScoreSource(document)
            for track in 0..<4 {
                let playing = source.launches[track].playing
                source.launches[track] = launches[track]
                source.launches[track].playing = playing
            }
            (source.isFilling, source.isMidiCircular) = (isFilling, isCircular)
            (source.tempoRevision, source.patternRevision) = (revisions.tempo, revisions.pattern)
            return source
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `decoding gives the same scores, to the bit`(seed: UInt64) throws {
        var edits = Edits(random: SeededGenerator(seed: seed))
        var (encoder, decoder) = (ScoreEncoder(), ScoreDecoder())
        for round in 0..<150 {
            for _ in 0..<Int.random(in: 1...3, using: &edits.random) { edits.edit() }
            let source = edits.source
            let decoded = try decoder.decode(encoder.encode(source))
            let isEqual = Score(decoded).isSame(as: Score(source))
            try #require(isEqual, "seed \(seed), round \(round)")
        }
    }

    @Test func `a parameter's change takes few bytes`() {
        var encoder = ScoreEncoder()
        var document = Document()
        let whole = encoder.encode(ScoreSource(document))
        var longest = 0
        for value in stride(from: -2400, through: 2400, by: 37) {
            document.set(.tone, on: .bass, to: .number(Double(value) / 100))
            longest = max(longest, encoder.encode(ScoreSource(document)).count)
        }
        var moved = 0
        for position in 0...127 {
            document.set(.gain, on: .rhythm, to: Parameter.gain.row.kind().value(atController: position))
            document.set(.pan, on: .melody, to: Parameter.pan.row.kind().value(atController: 127 - position))
            moved += encoder.encode(ScoreSource(document)).count
        }
        print(
            """
            a whole score takes \(whole.count) bytes, a parameter's change at most \(longest), a controller's \
            \(Double(moved) / 256) on average
            """)
        #expect(longest <= 5)
        #expect(moved <= 10 * 256)
        #expect(encoder.encode(ScoreSource(document)) == [])
    }

    @Test func `damaged bytes are refused`() throws {
        var edits = Edits(random: SeededGenerator(seed: 99))
        for _ in 0..<40 { edits.edit() }
        var encoder = ScoreEncoder()
        let bytes = encoder.encode(edits.source)
        for length in stride(from: 0, to: 1000, by: 7) {
            var decoder = ScoreDecoder()
            #expect(throws: MalformedTake.self) { try decoder.decode(Array(bytes[..<length])) }
        }
        for _ in 0..<500 {
            var damaged = bytes
            damaged[.random(in: 0..<bytes.count, using: &edits.random)] = .random(in: 0...255, using: &edits.random)
            var decoder = ScoreDecoder()
            // It may be another score by chance; it never traps.
            _ = try? decoder.decode(damaged)
        }
    }

    @Test(arguments: ParameterBlock.places.indices)
    func `a parameter's number is one that it may have, whatever the bytes say`(place: Int) throws {
        let (parameter, track) = ParameterBlock.places[place]
        for number in [1e300, -1e300, 0.123_456_789, -3, 1e9, 1e-300] {
            var source = ScoreSource()
            source.parameters[parameter, track?.rawValue ?? 0] = number
            var (encoder, decoder) = (ScoreEncoder(), ScoreDecoder())
            let read = try decoder.decode(encoder.encode(source)).parameters[parameter, track?.rawValue ?? 0]
            let kind = parameter.row.kind(on: track)
            #expect(kind.nearestNumber(to: read)?.bitPattern == read.bitPattern, "\(parameter) \(number)")
            if case .number(let range, _, _, _) = kind { #expect(range.contains(read), "\(parameter) \(number)") }
        }
        for number in [Double.infinity, -.infinity, .nan] {
            var source = ScoreSource()
            source.parameters[parameter, track?.rawValue ?? 0] = number
            var (encoder, decoder) = (ScoreEncoder(), ScoreDecoder())
            #expect(throws: MalformedTake.self) { try decoder.decode(encoder.encode(source)) }
        }
    }

    @Test(arguments: [0, -0.0, 1, -6, 0.1, 120.25, 1e9, 1e300, -1e-300, .infinity, 1.0 / 3, 0.123_456, .pi])
    func `numbers are kept to the bit`(number: Double) throws {
        var writer = CompactWriter()
        writer.write(exact: number)
        var reader = CompactReader(writer.bytes)
        #expect(try reader.exact().bitPattern == number.bitPattern && reader.isAtEnd)
    }

    @Test(arguments: [0, 1, -1, 63, -64, 64, .max, .min] as [Int64])
    func `whole numbers are kept`(number: Int64) throws {
        var writer = CompactWriter()
        writer.write(signed: number)
        var reader = CompactReader(writer.bytes)
        #expect(try reader.signed() == number && reader.isAtEnd)
    }
}

extension Score {
    fileprivate func isSame(as other: Score) -> Bool {
        for (parameter, track) in ParameterBlock.places {
            let (one, two) = (
                self.parameters[parameter, track?.rawValue ?? 0], other.parameters[parameter, track?.rawValue ?? 0]
            )
            guard one.bitPattern == two.bitPattern else { return false }
        }
        for track in 0..<4 {
            guard launches[track] == other.launches[track], isSilent[track] == other.isSilent[track] else {
                return false
            }
        }
        for word in 0..<BoundKeys.wordCount where bindings[word: word] != other.bindings[word: word] { return false }
        return zip(slots, other.slots).allSatisfy { $0.isSame(as: $1) }
            && (tempoRevision, patternRevision) == (other.tempoRevision, other.patternRevision)
            && (isFilling, isMidiCircular, end) == (other.isFilling, other.isMidiCircular, other.end)
    }
}

extension ScoreSlot {
    fileprivate func isSame(as other: ScoreSlot) -> Bool {
        for step in 0..<32 where notes[step] != other.notes[step] { return false }
        for place in 0..<288 where motions.values[place].bitPattern != other.motions.values[place].bitPattern {
            return false
        }
        return (motions.length, motions.moving) == (other.motions.length, other.motions.moving)
            && time.length == other.time.length && time.speed == other.time.speed
    }
}
