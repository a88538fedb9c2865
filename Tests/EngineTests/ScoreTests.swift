import Music
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
