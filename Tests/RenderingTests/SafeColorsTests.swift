import Grid
import Music
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

    @Test func `tracks and their pads differ from their neighbours, from alpha 0.30 up`() {
        let tracks = Track.allCases.map { Palette.color(of: $0, in: .safe) }
        for percent in [30, 50, 60, 100] {
            let pads = tracks.map { $0.over(.background, alpha: .percent(percent)) }
            for (one, other) in zip(pads, pads.dropFirst()) {
                #expect(Eye.leastDifference(one, other) >= Self.enough, "\(percent) %")
            }
            for pad in pads { #expect(Eye.leastDifference(pad, .background) >= Self.enough, "\(percent) %") }
        }
        for (index, one) in tracks.enumerated() {
            for other in tracks[..<index] { #expect(Eye.leastDifference(one, other) >= Self.enough) }
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
        states.map { change in
            var scene = Scene(document: Document())
            scene.document.set(.colors, to: .choice(ColorMode.safe))
            change(&scene)
            var frame = Frame()
            ControlsRow.draw(scene, at: .zero, into: &frame)
            return frame[column, 0]
        }
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
    }

    /// Accents and sustains have other colours, some of which are close to another pitch: labels tell these apart.
    @Test func `36 accents and ends of sustains are closer than 15 to another pitch`() {
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
                }
            }
        }
        #expect(near.count == 36, "\(near)")
    }

    private static func sustain(_ percent: Int) -> (Color) -> Color {
        { $0.over(.background, alpha: .percent(percent)) }
    }
}
