import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct PlayingTests {
    /// Melody has a normal G on step 1 and an accented one on step 2; the clock began step 1 at `still`.
    private func playing() throws -> Scene {
        var scene = try scene("melody 7 .oX")
        scene.isPlaying = true
        scene.playhead = Playhead(step: 1, startedAt: still)
        scene.pulses = pulses(at: 1, of: scene)
        return scene
    }

    private func pulses(at step: Int, of scene: Scene) -> [Pulse] {
        let notes = Track.allCases.map { scene.document.pattern[$0, step] }
        return Pulse.all(step: step, notes: notes, startedAt: still)
    }

    @Test func `the current step's column gets 20 % white in rows 2-21, and no other column`() throws {
        var scene = try scene(key: Key(root: PitchClass(1), scale: .penta))
        let resting = drawn(scene)
        scene.playhead = Playhead(step: 1, startedAt: nil)
        let frame = drawn(scene)
        let changed = frame.changes(from: resting).map { ($0.index % 44, $0.index / 44) }
        #expect(changed.allSatisfy { $0.0 == 5 })
        #expect(changed.map(\.1) == [1] + Array(2...22))
        let lit = frame.column(5, 2...21)
        #expect(lit.enumerated().allSatisfy { $1 == ($0 == 2 || $0 == 8 ? 0x383838 : 0x3b3b3b) })
        scene.playhead = Playhead(step: 8, startedAt: nil)
        #expect(drawn(scene).column(13, 2...21).allSatisfy { $0 == 0x414141 })
    }

    @Test func `a step that plays beyond the length is not shown`() throws {
        var scene = try scene(length: 8)
        let resting = drawn(scene)
        scene.playhead = Playhead(step: 8, startedAt: still)
        scene.pulses = Pulse.all(step: 8, notes: Array(repeating: StepNotes(.all, .accent), count: 4), startedAt: still)
        #expect(drawn(scene) == resting)
    }

    @Test func `a note that just started gets another 15 % white, an accent 30 %`() throws {
        var scene = try playing()
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x52ffc5)
        scene.playhead = Playhead(step: 2, startedAt: still)
        scene.pulses = pulses(at: 2, of: scene)
        #expect(drawn(scene).cell(.melody, 7, at: 2) == 0x8dffd9)
    }

    @Test func `each track's rows show its own step and its own length`() throws {
        var scene = try scene(length: 8)
        var slot = scene.document.pattern[.bass]
        slot.length = 12
        scene.document.apply(.edit([Slot(.bass, 0): slot]))
        let resting = drawn(scene)
        scene.playhead = Playhead(step: 3, trackSteps: [3, 8, 11, 0], startedAt: nil)
        let changed = drawn(scene).changes(from: resting).map { ($0.index % 44, $0.index / 44) }
        let steps = Dictionary(grouping: changed) { $0.0 }.mapValues { $0.map(\.1) }
        #expect(steps == [7: [1] + Array(2...7) + [22], 16: Array(14...17), 4: Array(18...21)])
        #expect(resting.cell(.bass, 0, at: 8) == 0x111111 && resting.cell(.melody, 0, at: 8) == 0x0a0a0a)
    }

    @Test func `a pulse lasts less than 100 ms`() throws {
        let scene = try playing()
        #expect(drawn(scene, at: still + .nanoseconds(99_999_999)).cell(.melody, 7, at: 1) == 0x52ffc5)
        #expect(drawn(scene, at: still + .nanoseconds(100_000_000)).cell(.melody, 7, at: 1) == 0x33ffbb)
    }

    @Test func `a pulse that begins later is not shown before`() throws {
        var scene = try playing()
        scene.pulses[0].startedAt = still + .milliseconds(60)
        #expect(drawn(scene, at: still + .nanoseconds(59_999_999)).cell(.melody, 7, at: 1) == 0x33ffbb)
        #expect(drawn(scene, at: still + .milliseconds(60)).cell(.melody, 7, at: 1) == 0x52ffc5)
        var renderer = Renderer()
        var frame = Frame()
        #expect(renderer.draw(scene, at: still, into: &frame) == still + .milliseconds(60))
    }

    @Test func `a cell glows once, even if two of its notes started one after the other`() throws {
        var scene = try scene("rhythm 0 .o\nrhythm 1 .X")
        scene.playhead = Playhead(step: 1, startedAt: nil)
        scene.pulses = [
            Pulse(.rhythm, step: 1, notes: StepNotes([0], .normal), startedAt: still - .milliseconds(20)),
            Pulse(.rhythm, step: 1, notes: StepNotes([1], .accent), startedAt: still),
        ]
        #expect(drawn(scene).cell(.rhythm, 0, at: 1) == 0xffac8d)
    }

    @Test func `a pulse stays in its place when the next step begins`() throws {
        var scene = try playing()
        scene.playhead = Playhead(step: 2, startedAt: still)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x26ffb7)
    }

    @Test func `only cells whose notes started pulse; of several notes the strongest counts`() throws {
        var scene = try scene("rhythm 0 .o\nrhythm 1 .X\nrhythm 7 .o")
        scene.playhead = Playhead(step: 1, startedAt: still)
        let resting = drawn(scene)
        var both = StepNotes([0], .normal)
        both[1] = .accent
        scene.pulses = Pulse.all(step: 1, notes: [StepNotes(), StepNotes(), StepNotes(), both], startedAt: still)
        let changes = drawn(scene).changes(from: resting)
        #expect(changes == [.init(index: 21 * 44 + 5, value: 0xffac8d)])
    }

    @Test func `a note that was removed after it started no longer pulses`() throws {
        var scene = try playing()
        scene.document.edit(Cells())
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x3b3b3b)
    }

    @Test func `paused, the step keeps its column; stopped, there is neither column nor pulse`() throws {
        var scene = try playing()
        scene.isPlaying = false
        #expect(drawn(scene, at: still + .seconds(60)).cell(.melody, 7, at: 1) == 0x33ffbb)
        scene.playhead = nil
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x00ffaa)
    }
}
