import Music
import Testing

struct ParameterTests {
    /// A row with different choices on some tracks only.
    private static let preset = ParameterRow(
        "preset", .tracks([.melody, .bass]), ByTrack { .choice(["\($0.name) 1", "\($0.name) 2"]) },
        default: ByTrack { .choice("\($0.name) 1") }, home: .sounds, title: "Preset", "The sound of the track.")

    private static let everywhere =
        Parameter.ofWhole.map { ($0, Track?.none) }
        + Track.allCases.flatMap { track in Parameter.of(track).map { ($0, Track?.some(track)) } }

    @Test(arguments: everywhere)
    func `a document without a value has the default, which is allowed, as a new instrument's is`(
        parameter: Parameter, track: Track?
    ) {
        let row = parameter.row
        let value = ParameterValues()[parameter, track]
        #expect(value == row.defaultValue(on: track))
        #expect(row.kind(on: track).checked(value) == value)
        let new = row.newValue(on: track)
        #expect(ParameterValues.ofNewInstrument[parameter, track] == new && row.kind(on: track).checked(new) == new)
    }

    @Test func `only a new instrument has new sounds, and says so`() throws {
        let new = Self.everywhere.filter { $0.row.newValue(on: $1) != $0.row.defaultValue(on: $1) }.map(\.0)
        #expect(Set(new) == [.reverbEarly, .reverbLowCut, .drift, .sway, .places])
        #expect(Document.ofNewInstrument[.drift, .bass] == 0.5 && Document()[.drift, .bass] == 0)
        #expect(Parameter.drift.row.summary.hasSuffix("level. New instruments have 0.5."))
    }

    @Test func `a number from a list is refused beside it, and set to the nearest`() {
        let kind = Parameter.lfoRate.row.kind()
        #expect(kind.checked(8) == 8 && kind.checked(9) == nil && kind.expected == "one of 1, 2, 4, 8, 16, 32, 64")
        #expect([0, 18, 19, 127].map(kind.value(atController:)) == [1, 1, 2, 64])
        var values = ParameterValues()
        for (number, nearest) in [(9.0, 8.0), (-3, 1), (.infinity, 64), (-.infinity, 1), (50, 64)] {
            values.set(.lfoRate, on: .bass, to: .number(number))
            #expect(values.number(.lfoRate, .bass) == nearest)
        }
    }

    @Test(arguments: Parameter.allCases)
    func `a parameter is found by its name`(parameter: Parameter) {
        #expect(Parameter(name: parameter.row.name) == parameter)
    }

    @Test func `names are unique, and so are methods with their arguments`() {
        let rows = Parameter.allCases.map(\.row)
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map { "\($0.method) \($0.argument)" }).count == rows.count)
        #expect(Parameter(name: "volume") == nil)
    }

    @Test(arguments: everywhere)
    func `every value that a controller sets is allowed, and its ends are those of the range`(
        parameter: Parameter, track: Track?
    ) {
        let kind = parameter.row.kind(on: track)
        for position in -1...128 {
            let value = kind.value(atController: position)
            #expect(kind.checked(value) == value)
        }
        guard case .number(let range, _, _, let curve) = kind, curve != .fader else { return }
        #expect(kind.value(atController: 0) == .number(range.lowerBound))
        #expect(kind.value(atController: 127) == .number(range.upperBound))
    }

    @Test func `a fader's end is 0 dB, a pan's middle is the centre, and a toggle is on from 64`() {
        #expect(Parameter.gain.row.kind().value(atController: 127) == 0)
        #expect(Parameter.gain.row.kind().value(atController: 0) == -60)
        #expect(Parameter.pan.row.kind().value(atController: 64) == 0)
        #expect(Parameter.mute.row.kind().value(atController: 63) == false)
        #expect(Parameter.mute.row.kind().value(atController: 64) == true)
    }

    @Test(
        arguments: [
            (.tempo, nil, 19.99, "a number from 20 to 300"), (.swing, nil, true, "a number from 0.5 to 0.75"),
            (.length, nil, 8.5, "an integer from 8 to 32"), (.scale, nil, "dorian", "one of major, minor, penta"),
            (.mute, .bass, 1, "true or false"), (.gain, .bass, .number(.nan), "a number from -60 to 12"),
        ] as [(Parameter, Track?, ParameterValue, String)])
    func `other values are refused, and the allowed ones have words`(
        parameter: Parameter, track: Track?, value: ParameterValue, words: String
    ) {
        let kind = parameter.row.kind(on: track)
        #expect(kind.checked(value) == nil && kind.expected == words)
        var values = ParameterValues()
        let isClamped = value.number.map { !$0.isNaN } == true
        let isSet = values.set(parameter, on: track, to: value)
        #expect(isSet == (isClamped && parameter != .mute))
    }

    @Test func `a track's parameter is not the whole's, nor the other way round`() {
        var values = ParameterValues()
        let results = [values.set(.gain, to: -3), values.set(.tempo, on: .bass, to: 130)]
        #expect(results == [false, false] && values == ParameterValues())
    }

    @Test func `numbers are kept to their precision`() {
        #expect(Parameter.tempo.row.kind().checked(97.654321) == 97.65)
        #expect(Parameter.swing.row.kind().checked(0.612345) == 0.612345)
        var values = ParameterValues()
        let results = [values.set(.tempo, to: 97.654321), values.set(.tempo, to: 97.65)]
        #expect(results == [true, false])
        #expect(values[.tempo] == 97.65)
    }

    @Test func `a value out of range is set to the nearest`() {
        var values = ParameterValues()
        values.set(.gain, on: .bass, to: 99)
        #expect(values[.gain, .bass] == 12)
        values.set(.length, to: .number(-.infinity))
        #expect(values[.length] == 8)
    }

    @Test func `a track's value is its own`() {
        var values = ParameterValues()
        values.set(.pan, on: .chords, to: -0.5)
        #expect(Track.allCases.map { values.number(.pan, $0) } == [0, -0.5, 0, 0])
    }

    @Test func `at most one track has an exclusive toggle on`() {
        var values = ParameterValues()
        values.set(.solo, on: .melody, to: true)
        values.set(.solo, on: .bass, to: true)
        #expect(Track.allCases.filter { values.number(.solo, $0) == 1 } == [.bass])
        values.set(.solo, on: .melody, to: false)
        #expect(values.number(.solo, .bass) == 1)
        values.set(.solo, on: .bass, to: false)
        #expect(values == ParameterValues())
    }

    @Test func `tracks may have different choices, or no such parameter`() {
        #expect(Self.preset.kind(on: .bass).checked("bass 2") == "bass 2")
        #expect(Self.preset.kind(on: .melody).checked("bass 2") == nil)
        #expect(Self.preset.kind(on: .melody).expected == "one of melody 1, melody 2")
        #expect(!Self.preset.scope.contains(.rhythm))
        #expect(Self.preset.defaultValue(on: .bass) == "bass 1")
    }

    @Test func `a kit may be unknown if its name is a valid file name`() {
        var values = ParameterValues()
        let changes = ["Dust", "Dust", "Rust"].map { values.set(.kit, on: .rhythm, to: .choice($0)) }
        #expect(changes == [true, false, true])
        values.set(.kit, on: .rhythm, to: "Dust")
        #expect(values[.kit, .rhythm] == "Dust")
        #expect(values.number(.kit, .rhythm) == Double(Track.rhythm.soundNames.count))
        values.set(.kit, on: .rhythm, to: "Classic")
        #expect(values == ParameterValues())
        let kind = Parameter.kit.row.kind(on: .rhythm)
        #expect(kind.expected.hasSuffix(String.fileNameExpectation))
        for name in [
            "", ".hidden", "a/b", "..", "a\u{7}", "a\u{2028}b", "a\u{2029}", String(repeating: "x", count: 65),
            String(repeating: "👩‍👩‍👧‍👦", count: 20),
        ] {
            #expect(kind.checked(.choice(name)) == nil)
            values.set(.kit, on: .rhythm, to: .choice(name))
            #expect(values == ParameterValues())
        }
    }

    @Test func `a method is named after its parameter, unless the row names another`() {
        let time = ParameterRow(
            "reverb.time", .whole, .number(0.3...8), default: 1.8, title: "Reverb time", "How long a room rings.")
        #expect((time.method, time.argument) == ("reverb.set", "time"))
        #expect((Self.preset.method, Self.preset.argument) == ("track.set", "preset"))
        #expect((Parameter.tempo.row.method, Parameter.tempo.row.argument) == ("tempo.set", "bpm"))
        #expect((Parameter.colors.row.method, Parameter.colors.row.argument) == ("colors.set", "mode"))
    }
}
