import DaemonTestSupport
import Foundation
import Music
import PixelBoopClient
import ProgramTestSupport
import TestSupport
import Testing

/// The set in docs/playing.md, built and played command by command as on the page.
@Suite(.timeLimit(.minutes(2))) struct SetTutorialTests {
    /// The commands of the steps of a section, step by step.
    private func steps(of heading: String) throws -> [[String]] {
        var steps: [[String]] = []
        for line in try DocumentationPage("docs/playing.md").section(heading) {
            if line.first?.isNumber == true { steps.append([]) }
            let text = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("       "), text.hasPrefix("pixelboop ") { steps[steps.count - 1].append(text) }
        }
        return steps
    }

    private func type(_ commands: [String], on stage: Stage) async throws {
        let outcome = try await stage.type(commands)
        #expect(outcome.status == 0 && outcome.complaint == "")
    }

    /// Part of the loop that the page begins with: notes on all tracks, on 16 steps.
    private func makeLoop(_ client: PixelBoopClient) async throws {
        try await client.set(.length, to: 16)
        try await client.setNote(.melody, step: 0, note: 0, .normal)
        try await client.setNote(.chords, step: 0, note: 0, .normal)
        try await client.setNote(.bass, step: 0, note: 0, .normal)
        try await client.setNote(.rhythm, step: 4, note: 0, .normal)
        try await client.setTempo(240)
    }

    @Test func `the loop that never repeats is made by its ten steps`() async throws {
        let steps = try steps(of: "A loop that never repeats")
        #expect(steps.count == 10 && steps.allSatisfy { !$0.isEmpty })
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await makeLoop(client)
            for step in 0..<16 { try await client.setNote(.rhythm, step: step, note: 7, .normal) }
            try await client.setNote(.rhythm, step: 4, note: 3, .normal)
            try await client.play()
            for step in steps[..<8] { try await type(step, on: stage) }
            let pattern = try await client.pattern()
            func hat(_ step: Int) -> Note { pattern[.rhythm][step][whole: 7] }
            #expect(hat(0) == Note(.normal) && (1..<16).allSatisfy { hat($0)[.chance] == 50 } && hat(8)[.ratchet] == 3)
            #expect(pattern[.rhythm][4][whole: 3] == Note(.normal, [.nudge: 12]))
            #expect(pattern[.bass][0][whole: 0][.cycle] == 1 && pattern[.rhythm][15][whole: 9][.cycle] == 38)
            let state = try await client.state().state
            #expect(Track.allCases.allSatisfy { state.lenses[$0] == nil } && !state.isFilling)
            try await type(steps[8], on: stage)
            #expect(try await client.pattern().cells == pattern.cells)
            try await type(steps[9], on: stage)
            #expect(try await client.library().map(\.name) == ["never-the-same"])
        }
    }

    @Test func `followed to the letter, it works`() async throws {
        let steps = try steps(of: "A set of four scenes in ten minutes")
        #expect(steps.count == 8 && steps.allSatisfy { !$0.isEmpty })
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await makeLoop(client)
            let loop = try await client.pattern()
            for step in steps[..<4] { try await type(step, on: stage) }
            let set = try await client.pattern()
            #expect(set.playing.all == Slot.scene(3))
            // A break without drums, a build-up without melody and with a roll, a drop with a crash.
            #expect(!set.isFilled(Slot(.rhythm, 1)) && set[Slot(.bass, 1)] == loop.cells[.bass])
            #expect(!set.isFilled(Slot(.melody, 2)) && set[Slot(.rhythm, 2)].count == 17)
            #expect(set[Slot(.melody, 3)].count == 8 && set[Slot(.rhythm, 3)][0].notes == [9])
            #expect(Track.allCases.allSatisfy { set[Slot($0, 0)] == loop.cells[$0] })

            try await type(steps[4], on: stage)
            try await client.waitForState { $0.slots.allSatisfy { $0.playing == 2 } && $0.scenes.queued == nil }
            try await type(steps[5], on: stage)
            #expect(try await client.state().state.scenes.chain == [1, 2, 3, 4])
            try await client.waitForState { $0.slots[0].playing == 3 }
            try await type(steps[6], on: stage)
            try await client.waitForState { $0.slots[0].playing == 4 && $0.slots[3].playing == 3 }
            let state = try await client.state().state
            #expect(state.scenes.chain.isEmpty && state.slots[0].chain.isEmpty && state.slots[1].chain == [1, 2, 3, 4])
            try await type(steps[7], on: stage)
            #expect(try await client.library().map(\.name) == ["first-set"])
        }
    }
}
