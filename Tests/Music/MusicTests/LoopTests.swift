import Music
import TestSupport
import Testing

@Suite struct LoopTests {
    @Test func `step and pass are those that counting one by one gives`() {
        for length in 1...32 {
            for origin in [-7, 0, 5, 40] as [Int64] {
                let loop = Loop(length: length, origin: origin)
                var (step, pass) = (0, Int64(0))
                for songStep in origin..<origin + 100 {
                    #expect(loop.step(at: songStep) == step && loop.pass(at: songStep) == pass)
                    (step, pass) = step + 1 == length ? (0, pass + 1) : (step + 1, pass)
                }
                (step, pass) = (0, 0)
                for songStep in (origin - 100...origin).reversed() {
                    #expect(loop.step(at: songStep) == step && loop.pass(at: songStep) == pass)
                    (step, pass) = step == 0 ? (length - 1, pass - 1) : (step - 1, pass)
                }
            }
        }
    }

    @Test func `a resized loop continues at the current step, modulo the new length`() {
        var random = SeededGenerator(seed: 3)
        var loop = Loop(length: 32)
        for songStep in stride(from: Int64(20), to: 5000, by: 7) {
            let length = Int.random(in: 1...32, using: &random)
            let (step, start) = (loop.step(at: songStep), loop.passStart(at: songStep))
            loop = loop.resized(to: length, at: songStep)
            #expect(loop.length == length && loop.step(at: songStep) == step % length)
            #expect(loop.step(at: loop.passStart(at: songStep)) == 0 && loop.passStart(at: songStep) >= start)
        }
        // If the step stays the same, the loop still counts from the song's start.
        #expect(Loop(length: 32).resized(to: 16, at: 20).origin == 0)
        #expect(Loop(length: 32).resized(to: 9, at: 20).step(at: 21) == 3)
    }

    @Test func `swing delays the odd steps of the loop, and the last step of an odd length lasts a nominal step`() {
        let grid = SongGrid(swing: 0.75, loop: Loop(length: 9))
        let positions = (0..<12).map { grid.position(of: $0) }
        #expect(positions == [0, 1.5, 2, 3.5, 4, 5.5, 6, 7.5, 8, 9, 10.5, 11])
        #expect(grid.position(of: 1, part: 0.5) == 1.75 && grid.position(of: 8, part: 0.25) == 8.25)
        #expect(grid.position(of: 0, part: 0) == 0 && grid.position(of: 7, part: 0) == 7.5)
    }
}
