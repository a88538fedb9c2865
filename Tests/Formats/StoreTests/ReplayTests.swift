import Music
import TestSupport
import Testing

@testable import Store

/// What is made of rows, whole or not.
struct ReplayTests {
    private let performance: EditSequence
    private let changes: [ChangeRow]

    init() {
        var generator = SeededGenerator(seed: 7)
        performance = EditSequence(batches: 12, using: &generator)
        changes = performance.batches.enumerated().map { ChangeRow(Int64($0 + 1), $1) }
    }

    private func snapshot(_ number: Int) -> SnapshotProgress {
        SnapshotProgress(performance.documents[number], number: Int64(number))
    }

    /// Replays rows as a database returns them.
    private func replay(_ snapshots: [SnapshotProgress], _ changes: [ChangeRow]) -> Replay {
        var replay = Replay()
        for snapshot in snapshots { replay.add(snapshot.row, snapshot.pieces) }
        guard let start = replay.start else { return replay }
        for row in changes where row.number > start { guard replay.add(row) else { return replay } }
        replay.finish()
        return replay
    }

    private func expect(
        _ replay: Replay, _ count: Int, _ damages: [Damage.Reason] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(isSame(replay.document, performance.documents[count]), sourceLocation: sourceLocation)
        #expect(replay.number == count, sourceLocation: sourceLocation)
        #expect(replay.damages == damages, sourceLocation: sourceLocation)
    }

    @Test func `the newest snapshot and the changes after it give the session`() {
        let replay = replay([snapshot(8), snapshot(4)], changes)
        expect(replay, 12)
        #expect(replay.snapshot == 8)
        #expect(replay.count == 4)
        #expect(replay.mark == SessionMark(number: 12, checksum: changes[11].checksum))
    }

    @Test func `without changes after it a snapshot is the session`() {
        let replay = replay([snapshot(12)], [])
        expect(replay, 12)
        #expect(replay.mark == SessionMark(number: 12, checksum: snapshot(12).row.checksum))
    }

    @Test func `the snapshot before and more changes give the same session`() {
        var row = snapshot(8).row
        row.checksum ^= 1
        var replay = Replay()
        replay.add(row, snapshot(8).pieces)
        replay.add(snapshot(4).row, snapshot(4).pieces)
        for row in changes[4...] {
            let wantsMore = replay.add(row)
            #expect(wantsMore)
        }
        replay.finish()
        expect(replay, 12, [.snapshot(8)])
    }

    @Test func `a snapshot without a piece, or with another's, is not whole`() throws {
        var generator = SeededGenerator(seed: 9)
        let long = EditSequence(batches: 2000, using: &generator)
        let snapshots = long.documents.lazy.reversed().map { SnapshotProgress($0, number: 2000) }
        let snapshot = try #require(snapshots.first { $0.pieces.count >= 2 })
        let pieces = snapshot.pieces
        #expect(pieces.allSatisfy { $0.content.count <= PieceRow.limit })
        var moved = pieces[1]
        moved.part = 0
        for wrong in [[], Array(pieces.dropLast()), [moved] + pieces.dropFirst(), pieces.reversed()] {
            var replay = Replay()
            replay.add(snapshot.row, wrong)
            #expect(replay.document == nil)
            #expect(replay.damages == [.snapshot(2000)])
        }
    }

    @Test func `changes after a gap are not replayed`() {
        var rows = changes
        rows.remove(at: 9)
        expect(replay([snapshot(4)], rows), 9, [.gap(10..<11)])
        rows.removeSubrange(8...9)
        expect(replay([snapshot(4)], rows), 8, [.gap(9..<12)])
    }

    @Test func `a change with a wrong checksum ends the session, and so does one in another's place`() {
        var rows = changes
        rows[9].content[3] ^= 1
        expect(replay([snapshot(4)], rows), 9, [.change(10)])
        rows[9] = changes[10]
        rows[9].number = 10
        expect(replay([snapshot(4)], rows), 9, [.change(10)])
    }

    @Test func `damage before the newest snapshot is reported and does no harm`() {
        var rows = changes
        rows[5].content[3] ^= 1
        expect(replay([snapshot(8), snapshot(4)], rows), 12, [.change(6)])
        rows.remove(at: 5)
        expect(replay([snapshot(8), snapshot(4)], rows), 12, [.gap(6..<7)])
        expect(replay([snapshot(12), snapshot(4)], Array(changes.prefix(10))), 12, [.gap(11..<13)])
    }

    @Test func `a change that makes no sense ends the session`() {
        var notes = SlotNotes()
        notes[0, 0] = .accent
        let senseless = ChangeRow(13, [.edit([Slot(.bass, 6): notes, Slot(.bass, 7): notes])])
        expect(replay([snapshot(4)], changes + [senseless]), 12, [.change(13)])
    }

    @Test func `without a whole snapshot there is no session`() {
        let replay = replay([], changes)
        #expect(replay.document == nil)
        #expect(replay.start == nil)
    }
}
