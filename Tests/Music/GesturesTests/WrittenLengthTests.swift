import Gestures
import Grid
import Music
import TestSupport
import Testing

/// How long the notes are that gestures write, where older notes lasted longer.
@Suite struct WrittenLengthTests {
    /// By what the fingers were shown before they were lifted: no older sustain cell of a note remains behind a new head.
    @Test(arguments: 0..<UInt64(20))
    func `no gesture leaves an older note's tail behind a new head`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for track in Track.allCases {
            for _ in 0..<25 {
                var rig = Rig("C", .major, length: .random(in: 2...32, using: &random))
                rig.change { $0.apply(.edit([$0.pattern.playing[track]: Self.longNotes(using: &random)])) }
                let before = rig.document.pattern.sounding(track)
                play(on: track, in: &rig, using: &random)
                let written = rig.machine.previews.flatMap(\.self)
                rig.play("200 up")
                guard !written.isEmpty else { continue }
                let expected = Self.expected(before, written, length: rig.document.pattern.length)
                let after = rig.document.pattern.sounding(track)
                let isAsExpected = Self.velocities(after) == Self.velocities(expected)
                #expect(isAsExpected, "\(track) from \(seed): \(written)")
            }
        }
    }

    private func play(on track: Track, in rig: inout Rig, using random: inout SeededGenerator) {
        let rows = Array(GestureOracle.rows(of: track))
        let last = rig.document.pattern.length - 1
        func place(_ step: Int) -> String { "s\(step),\(rows.randomElement(using: &random)!)" }
        let start = Int.random(in: 0...last, using: &random)
        rig.play("0 down \(place(start))\n\(Bool.random(using: &random) ? 100 : 500)")
        // A tap on a drum also removes the row's others, which its preview does not show.
        guard track == .rhythm || Bool.random(using: &random) else { return }
        let end = Int.random(in: 0...last, using: &random)
        rig.play("0 move \(place(start == 0 ? 1 : start - 1))\n50 move \(place(end))")
    }

    /// Notes on every other step or so, most of them long.
    private static func longNotes(using random: inout SeededGenerator) -> SlotNotes {
        var slot = SlotNotes()
        for note in 0..<12 {
            for step in 0..<SlotNotes.stepCount {
                slot[note, step] = [.off, .normal, .sustain, .sustain, .sustain].randomElement(using: &random)!
            }
        }
        return slot
    }

    private static func expected(_ before: SlotNotes, _ written: [PreviewCell], length: Int) -> SlotNotes {
        var slot = before
        for cell in written where cell.track.isPitched { slot[cell.step] = StepNotes() }
        for cell in written { slot[cell.note, cell.step] = cell.velocity }
        for note in 0..<12 {
            let cells = written.filter { $0.note == note }
            for step in 0..<length where before[note, step] == .sustain && !cells.contains(where: { $0.step == step }) {
                // Back to where the older note began.
                var earlier = (step + length - 1) % length
                while before[note, earlier] == .sustain, earlier != step {
                    if cells.contains(where: { $0.step == earlier && $0.velocity != .sustain }) {
                        slot[note, step] = .off
                    }
                    earlier = (earlier + length - 1) % length
                }
            }
        }
        return slot.removingHeadless(ofWhole: length)
    }

    private static func velocities(_ slot: SlotNotes) -> [[Velocity]] {
        (0..<SlotNotes.stepCount).map { step in (0..<12).map { slot[$0, step] } }
    }
}
