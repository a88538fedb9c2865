import Foundation
import Instrument
import Music
import Testing

@testable import Engine

/// What punch-ins remember while everything is silent.
@Suite struct PunchMemoryTests {
    /// What the punch-ins of a track make of two sounds. Before the second one, a filter begins to glide and a mute to
    /// end, which they still do when it comes.
    private func play(restores: Bool) -> [Float] {
        let (first, pause) = ((0..<1000).map { Float(sin(0.1 * Double($0))) }, 150_040)
        let second = (0..<9000).map { Float(sin(0.2 * Double($0))) }
        var rig = StripRig(mid: first + [Float](repeating: 0, count: pause) + second)
        var punchIns = TrackPunchIns(busCount: 1, sampleRate: 48_000)
        var board = PunchBoard()
        let clock = StepClock(StepTiming(bpm: 120, swing: 0.5, loop: Loop(length: 32), sampleRate: 48_000))
        rig.render { stretch, _ in
            switch stretch.frame {
            case 128: board.apply(.holding(.filter, 0.2))
            case 149_760: punchIns.mute(true, frames: 192)
            case 150_912:
                board.apply(.holding(.filter, 0.4))
                punchIns.mute(false, frames: 192)
            case 151_040:
                #expect(punchIns.isResting(by: 151_040) && punchIns.hasForgotten(by: 151_040))
                if restores {
                    let memory = punchIns.memory
                    punchIns = TrackPunchIns(busCount: 1, sampleRate: 48_000)
                    punchIns.restore(memory)
                }
            case 156_032: board.apply(.holding(.filter, 0.9))
            default: break
            }
            if board.follow(isPlaying: false, runs: false) {
                punchIns.follow(board, on: 0, clock, at: stretch.frame)
            }
            punchIns.remember(stretch)
            if punchIns.isOn { punchIns.render(stretch) }
            punchIns.advance(stretch.count)
        }
        return rig.mid
    }

    @Test func `a new track that is given the memory goes on as the old one`() {
        #expect(play(restores: true) == play(restores: false))
    }
}
