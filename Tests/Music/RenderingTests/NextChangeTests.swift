import Grid
import Music
import Rendering
import Testing

@Suite struct NextChangeTests {
    private func next(_ scene: Scene, at now: Duration) -> Duration {
        var renderer = Renderer()
        var frame = Frame()
        return renderer.draw(scene, at: now, into: &frame)
    }

    @Test(
        arguments: [
            (0, 142_857_143), (142_857_142, 142_857_143), (142_857_143, 285_714_286), (1_999_999_999, 2_000_000_000),
            (2_000_000_000, 2_142_857_143), (7_300_000_000, 7_428_571_429),
        ] as [(Int64, Int64)])
    func `at rest the music key changes next: fourteen parts of two seconds, to the nanosecond`(
        now: Int64, expected: Int64
    ) throws {
        #expect(try next(scene(), at: .nanoseconds(now)) == .nanoseconds(expected))
    }

    @Test func `a step's flash, a pulse and a tooltip end at their times, and only once`() throws {
        var scene = try scene("melody 0 o")
        scene.playhead = Playhead(step: 0, startedAt: .milliseconds(-30))
        #expect(next(scene, at: .milliseconds(10)) == .milliseconds(70))
        scene.pulses = Pulse.all(
            step: 0, notes: [StepNotes([0], .normal), StepNotes(), StepNotes(), StepNotes()],
            startedAt: .milliseconds(-60))
        #expect(next(scene, at: .milliseconds(10)) == .milliseconds(40))
        scene.tooltip = (Tooltip(text: "HI", row: 2), .milliseconds(-1180))
        #expect(next(scene, at: .milliseconds(10)) == .milliseconds(20))
        #expect(next(scene, at: .milliseconds(20)) == .milliseconds(40))
        #expect(next(scene, at: .milliseconds(40)) == .milliseconds(70))
        #expect(next(scene, at: .milliseconds(70)) == .nanoseconds(142_857_143))
    }

    @Test func `the tempo cell is white for the first quarter of a followed beat`() throws {
        var scene = try scene()
        scene.beat = Beat(startedAt: .milliseconds(100), length: .milliseconds(400))
        var renderer = Renderer()
        var frame = Frame()
        var looks: [(Int64, Bool)] = []
        for time in [100, 199, 200, 499, 500, 599, 600, 4100] as [Int64] {
            let next = renderer.draw(scene, at: .milliseconds(time), into: &frame)
            looks.append((time, frame[27, 0] == .white))
            #expect(next <= .milliseconds(time + 300) && next > .milliseconds(time))
        }
        #expect(looks.filter(\.1).map(\.0) == [100, 199, 500, 599, 4100])
        scene.beat = nil
        _ = renderer.draw(scene, at: .milliseconds(100), into: &frame)
        #expect(frame[27, 0] != .white)
    }

    @Test(arguments: 0..<25 as Range<UInt64>)
    func `the picture stays until the next change, and is as documented before and after`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        let scene = random.scene()
        var now = random.moment
        for _ in 0..<4 {
            let frame = drawn(scene, at: now)
            let change = next(scene, at: now)
            #expect(change > now)
            let last = change - .nanoseconds(1)
            let between = now + (last - now) * Double.random(in: 0...1, using: &random.generator)
            #expect(drawn(scene, at: between) == frame)
            #expect(drawn(scene, at: last) == frame)
            #expect(frame.cells == DrawingOracle(scene: scene, now: last).cells())
            #expect(drawn(scene, at: change).cells == DrawingOracle(scene: scene, now: change).cells())
            now = change
        }
    }
}
