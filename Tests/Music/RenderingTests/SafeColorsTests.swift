import Grid
import Music
import TestSupport
import Testing

@testable import Rendering

/// In safe mode, every eye can distinguish what must be distinguished on the grid.
@Suite struct SafeColorsTests {
    private static let enough = 15.0
    private static let pitches = (0..<12).map { Palette.color(of: PitchClass($0), in: .safe) }

    /// Pairs from the data published by Sharma, Wu and Dalal.
    @Test(arguments: [
        ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 2.5, 0], [73, 25, -18], 27.1492),
        ([50, -1, 2], [50, 0, 0], 2.3669), ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ])
    func `the difference matches its authors' data`(one: [Double], other: [Double], difference: Double) {
        let looks = [one, other].map { Eye.Lab(lightness: $0[0], a: $0[1], b: $0[2]) }
        #expect(abs(Eye.difference(looks[0], looks[1]) - difference) < 0.0001)
    }

    @Test func `any two pitches differ for every eye, and each from the background`() {
        let all = Self.pitches + [.background]
        for (index, one) in all.enumerated() {
            for other in all[..<index] { #expect(Eye.leastDifference(one, other) >= Self.enough) }
        }
    }

    @Test func `pitches range from dark to light`() {
        let lightness = Self.pitches.map { Eye.normal.look(at: $0).lightness }
        #expect(lightness == lightness.sorted())
    }

    @Test func `tracks differ from each other`() {
        expectDifferent(Track.allCases.map { Palette.color(of: $0, in: .safe) }, "tracks")
    }

    @Test(arguments: SlotBank.all)
    func `the states of a bank's pads, which lie beside each other, differ, and but for empty ones from the background`(
        bank: SlotBank
    ) {
        let pads = PadState.allCases.map { Palette.color(of: bank, $0, in: .safe) }
        expectDifferent(pads, "\(bank)")
        for pad in pads[1...] { #expect(Eye.leastDifference(pad, .background) >= Self.enough) }
    }

    @Test(arguments: zip(SlotBank.all, SlotBank.all.dropFirst()))
    func `pads differ from those of the next bank, whatever their states, unless both are empty`(
        bank: SlotBank, next: SlotBank
    ) {
        for state in PadState.allCases {
            for other in PadState.allCases where state != .empty || other != .empty {
                let difference = Eye.leastDifference(
                    Palette.color(of: bank, state, in: .safe), Palette.color(of: next, other, in: .safe))
                #expect(difference >= Self.enough, "\(bank) \(state), \(next) \(other)")
            }
        }
    }

    @Test func `lenses differ from each other, from every track and from the background`() {
        let own = Lens.allCases.filter { if case .motion = $0.kind { false } else { true } }
        let lenses = own.map { Palette.color(of: $0, on: .bass, in: .safe) }
        for (index, lens) in lenses.enumerated() {
            for other in lenses[..<index] + Track.allCases.map({ Palette.color(of: $0, in: .safe) }) + [.background] {
                #expect(Eye.leastDifference(lens, other) >= Self.enough)
            }
        }
    }

    /// A control's colour in each of its states.
    private func looks(of column: Int, _ states: [(inout Scene) -> Void]) -> [Color] {
        states.map { controls($0)[column] }
    }

    /// The colours of row 0 in a state.
    private func controls(_ change: (inout Scene) -> Void) -> [Color] {
        var scene = Scene(document: Document())
        scene.document.set(.colors, to: .choice(ColorMode.safe))
        change(&scene)
        var frame = Frame()
        ControlsRow.draw(scene, at: .zero, into: &frame)
        return (0..<44).map { frame[$0, 0] }
    }

    private func expectDifferent(_ colors: [Color], _ what: String) {
        for (index, one) in colors.enumerated() {
            for other in colors[..<index] { #expect(Eye.leastDifference(one, other) >= Self.enough, "\(what)") }
        }
    }

    @Test func `the states of a control differ`() {
        let play = looks(
            of: 1,
            [
                { _ in }, { $0.isPlaying = true }, { $0.isRecording = true },
                { ($0.isPlaying, $0.isRecording) = (true, true) },
            ])
        expectDifferent(play, "play/stop")
        for (column, scale) in [(7, Scale.major), (8, .minor), (9, .penta)] {
            let other = scale == .major ? Scale.minor : .major
            let states = looks(
                of: column,
                [
                    { $0.document.set(.scale, to: .choice(scale)) }, { $0.document.set(.scale, to: .choice(other)) },
                ])
            expectDifferent(states, "scale")
        }
        for root in 0..<12 {
            let states = looks(
                of: 11 + root,
                [
                    { $0.document.set(.root, to: .choice(PitchClass(root))) },
                    { $0.document.set(.root, to: .choice(PitchClass(root + 1))) },
                ])
            expectDifferent(states, "root \(root)")
        }
        let ghosts = looks(
            of: 24, [{ $0.document.set(.ghosts, to: .toggle(true)) }, { $0.document.set(.ghosts, to: .toggle(false)) }])
        expectDifferent(ghosts, "ghosts")
        let lengths = stride(from: 8.0, through: 32, by: 4).map { length in
            controls { $0.document.set(.length, to: .number(length)) }[31]
        }
        expectDifferent(lengths, "length")
        let counts = (0...5).map { count in controls { $0.scrubChanges = count }[35] }
        expectDifferent(counts + [controls { _ in }[35]], "scrub")
        expectDifferent([controls { $0.canCatch = true }[35], controls { _ in }[35]], "catch")
    }

    /// Expects that each control differs from the one directly beside it; of the roots the chosen one. The pixel in the
    /// root's colour may look like the play button beside it, as either is known by its place.
    private func expectNeighboursDiffer(root: PitchClass, _ change: (inout Scene) -> Void) {
        let row = controls(change)
        for (left, right) in zip(ControlCell.allCases, ControlCell.allCases.dropFirst())
        where left.columns.upperBound + 1 == right.columns.lowerBound && left != .musicKey {
            if case (.root(let one), .root(let other)) = (left, right), ![one, other].contains(root) { continue }
            let difference = Eye.leastDifference(row[left.columns.upperBound], row[right.columns.lowerBound])
            #expect(difference >= Self.enough, "\(left) and \(right)")
        }
    }

    @Test func `controls differ from those beside them`() {
        // Of undo and redo, the one that has something to do.
        var cells = Cells()
        cells[.bass, 0, 0] = .normal
        func change(_ parameter: Parameter, _ value: ParameterValue) {
            var root: PitchClass?
            if case .choice(let name) = value, parameter == .root { root = PitchClass(name: name) }
            expectNeighboursDiffer(root: root ?? PitchClass(0)) {
                $0.document.edit(cells)
                $0.document.set(parameter, to: value)
            }
        }
        for scale in Scale.allCases { change(.scale, .choice(scale)) }
        for root in PitchClass.allCases { change(.root, .choice(root)) }
        for bpm in 20...300 { change(.tempo, .number(Double(bpm))) }
        for length in 8...32 { change(.length, .number(Double(length))) }
    }

    /// Accents and sustains have other colours, some of which are close to another pitch.
    @Test func `at most 36 accents and ends of sustains are closer than 15 to another pitch, whose label differs`() {
        let labels = (0..<12).map { pitch in
            var scene = Scene(document: Document())
            var cells = Cells()
            cells[.melody, pitch, 0] = .accent
            scene.document.edit(cells)
            return Labels(of: scene).texts.filter { !$0.isEmpty }
        }
        #expect(labels.allSatisfy { $0.count == 1 })
        let looks =
            [
                ("accent", { Color.white.over($0, alpha: .percent(20)) }), ("first sustain", Self.sustain(80)),
                ("last sustain", Self.sustain(25)),
            ]
            as [(String, (Color) -> Color)]
        var near: [String] = []
        for (name, look) in looks {
            for (pitch, color) in Self.pitches.enumerated() {
                for (other, pure) in Self.pitches.enumerated()
                where other != pitch && Eye.leastDifference(look(color), pure) < Self.enough {
                    near.append("\(name) of \(pitch) and \(other)")
                    #expect(labels[pitch] != labels[other])
                }
            }
        }
        #expect(near.count <= 36, "\(near)")
    }

    @Test(arguments: Drum.allCases)
    func `a muted drum looks different from the same drum unmuted, for every eye`(drum: Drum) {
        var cells = Cells()
        cells[.rhythm, drum.rawValue, 1] = .normal
        func look(muted: Bool) -> Color {
            var scene = Scene(document: Document())
            scene.document.edit(cells)
            scene.document.set(.colors, to: .choice(ColorMode.safe))
            scene.document.set(.mutedDrums, on: .rhythm, to: .selection(muted ? [drum.name] : []))
            var (frame, renderer) = (Frame(), Renderer())
            var whole = Frame()
            _ = renderer.draw(scene, at: .zero, into: &whole, withoutTooltip: &frame)
            let row = Layout.rows(of: .rhythm).first { Layout.notes(of: .rhythm, row: $0).contains(drum.rawValue) }!
            return frame[Layout.column(ofStep: 1), row]
        }
        #expect(Eye.leastDifference(look(muted: true), look(muted: false)) >= 8)
    }

    private static func sustain(_ percent: Int) -> (Color) -> Color {
        { $0.over(.background, alpha: .percent(percent)) }
    }
}
