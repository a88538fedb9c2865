import Grid
import Rendering
import TestSupport
import Testing

@Suite struct StepMarkersTests {
    private let legend = Legend([
        " ": 0x0a0a0a, "=": 0x222222, "B": 0x555555, "b": 0x333333, ".": 0x1a1a1a, "W": 0xffffff, "p": 0xaaaaaa,
    ])

    private func markers(_ scene: Scene, at now: Duration = still) -> String {
        legend.text(of: drawn(scene, at: now), rows: 1...1)
    }

    @Test(arguments: [
        (32, "====B...b... B...b... B...b... B...b...     "),
        (20, "====B...b... B...b... B...                  "),
        (8, "====B...b...                                "),
    ])
    func `bars, beats and steps are marked up to the pattern's length`(length: Int, expected: String) throws {
        #expect(try markers(scene(length: length)) == expected)
    }

    @Test(arguments: [(0, "W"), (99, "W"), (100, "p"), (5000, "p")])
    func `the playing step is white for its first 100 ms, then grey`(milliseconds: Int, mark: String) throws {
        var scene = try scene()
        scene.isPlaying = true
        scene.playhead = Playhead(step: 9, startedAt: still)
        #expect(
            markers(scene, at: still + .milliseconds(milliseconds))
                == "====B...b... B\(mark)..b... B...b... B...b...     ")
    }

    @Test func `the flash ends on the nanosecond`() throws {
        var scene = try scene()
        scene.playhead = Playhead(step: 0, startedAt: .zero)
        #expect(drawn(scene, at: .nanoseconds(99_999_999))[4, 1] == .white)
        #expect(drawn(scene, at: .nanoseconds(100_000_000))[4, 1] == Color(0xaaaaaa))
    }

    @Test func `paused, the step keeps its mark; stopped, there is none`() throws {
        var scene = try scene()
        scene.playhead = Playhead(step: 8, startedAt: nil)
        #expect(markers(scene) == "====B...b... p...b... B...b... B...b...     ")
        scene.playhead = nil
        #expect(markers(scene) == "====B...b... B...b... B...b... B...b...     ")
    }

    @Test func `a playing step beyond the length has no mark`() throws {
        var scene = try scene(length: 8)
        scene.playhead = Playhead(step: 8, startedAt: still)
        #expect(markers(scene) == "====B...b...                                ")
    }
}
