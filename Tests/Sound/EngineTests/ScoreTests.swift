import Music
import TestSupport
import Testing

@testable import Engine

/// The engine's score of a document.
@Suite struct ScoreTests {
    @Test(arguments: Parameter.allCases)
    func `every parameter of the table reaches the score`(parameter: Parameter) {
        let tracks: [Track?] = parameter.row.scope == .whole ? [nil] : Parameter.tracks(with: parameter)
        for track in tracks {
            var document = Document()
            let value = parameter.row.kind(on: track).value(atController: 127)
            let other =
                value == document[parameter, track] ? parameter.row.kind(on: track).value(atController: 0) : value
            let isDifferent = document.set(parameter, on: track, to: other)
            #expect(isDifferent)
            let number = document.number(parameter, track)
            #expect(number != Score().parameters[parameter, track?.rawValue ?? 0])
            #expect(Score(document).parameters[parameter, track?.rawValue ?? 0] == number)
        }
    }

    @Test func `a new document is what an engine starts with`() {
        let (made, first) = (Score(Document()), Score())
        for parameter in Parameter.allCases {
            for track in 0..<4 { #expect(made.parameters[parameter, track] == first.parameters[parameter, track]) }
        }
    }

    @Test func `a builder's score of an edited document is that of a new one`() {
        var random = SeededGenerator(seed: 5)
        var builder = ScoreBuilder()
        var pattern = Pattern()
        for round in 0..<200 {
            let slot = Slot.all.randomElement(using: &random)!
            switch Int.random(in: 0..<6, using: &random) {
            case 0: pattern.length = .random(in: 8...32, using: &random)
            case 1: pattern[slot].length = Bool.random(using: &random) ? nil : .random(in: 1...32, using: &random)
            case 2: pattern[slot].speed = Speed.allCases.randomElement(using: &random)!
            case 3: pattern[slot].motions = .random(using: &random)
            case 4: pattern[slot] = SlotNotes()
            default:
                let velocities: [Velocity] = [.off, .normal, .accent, .sustain, .sustain]
                for step in 0..<32 { pattern[slot][3, step] = velocities.randomElement(using: &random)! }
            }
            let document = Document(pattern: pattern)
            let (edited, new) = (builder.score(of: document), Score(document))
            for slot in Slot.all { #expect(edited[slot].isSame(as: new[slot]), "round \(round), \(slot)") }
        }
    }

    @Test func `the callback's choices are in the order of the table's`() {
        #expect(NoteTarget.allCases.map { "\($0)" } == NoteDestination.allCases.map { "\($0)" })
        #expect(Parameter.accents.row.kind() == .choice(AccentRule.allCases.map { "\($0)" }))
    }

    @Test func `a muted track is silent, and all but the soloed one`() {
        func silentTracks(_ document: Document) -> [Bool] {
            let score = Score(document)
            return Track.allCases.map { score.isSilent[$0.rawValue] }
        }
        var document = Document()
        document.set(.mute, on: .bass, to: true)
        #expect(silentTracks(document) == [false, false, true, false])
        document.set(.solo, on: .bass, to: true)
        #expect(silentTracks(document) == [true, true, false, true])
    }
}

extension Parameter {
    fileprivate static func tracks(with parameter: Parameter) -> [Track] {
        Track.allCases.filter { parameter.row.scope.contains($0) }
    }
}

extension ScoreSlot {
    fileprivate func isSame(as other: ScoreSlot) -> Bool {
        (0..<32).allSatisfy { notes[$0] == other.notes[$0] }
            && (0..<160).allSatisfy { motions.values[$0] == other.motions.values[$0] }
            && motions.length == other.motions.length && motions.moving == other.motions.moving
            && time.length == other.time.length && time.speed == other.time.speed
    }
}
