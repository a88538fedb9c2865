import Foundation
import JSON
import Music
import PatternFormat
import TestSupport
import Testing

@testable import Journal

/// A session folder that a killed daemon of 0.1.0 left: a snapshot, the journal that continues it, notes in all slots,
/// 93 steps to undo and 7 to redo. Beside it are the pattern that the daemon had then, and digests of the pattern after
/// each redo and undo.
@Suite struct EarlierSessionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Sessions/0.1.0")

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["session-1.journal", "session-1.snapshot", "session-2.journal", "session-2.snapshot"] {
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: name), to: URL(filePath: directory.file(name)))
        }
    }

    @Test func `a session of 0.1.0 opens with every slot, setting, undo and redo step`() async throws {
        let opened = try SessionStore.open(directory.path, onStatus: { _ in })
        var document = opened.document
        #expect(opened.report.damages.isEmpty)
        #expect(document.pattern == (try PatternFormat.decode([UInt8](Data(contentsOf: file("pattern.json"))))))
        #expect(document.isOn(.mute, .melody) && document.number(.gain, .chords) == -3)
        #expect(document.number(.gain, .bass) == -6.5 && document.number(.pan, .bass) == -0.25)
        #expect(document.colorMode == .harmonic && !document.showsGhosts)
        #expect(document.bindings.all.contains { $0.trigger.number == 74 && $0.action.value == "tone" })

        let steps = try String(contentsOf: file("history.txt"), encoding: .utf8).split(separator: "\n")
        #expect(digest(document.pattern) == steps[0])
        for step in steps.dropFirst() {
            let (direction, expected) = (step.prefix(4), step.dropFirst(5))
            #expect(direction == "redo" ? document.apply(.redo) : document.apply(.undo))
            #expect(digest(document.pattern) == expected)
        }
        #expect(document.history.undoCount == 0 && document.history.redoCount == 100)
        #expect(await opened.store.close(within: .seconds(20)))
    }

    private func file(_ name: String) -> URL { Self.folder.appending(path: name) }

    /// FNV-1a of the pattern's file form without the sounds, of which later versions may write more.
    private func digest(_ pattern: Pattern) -> String {
        var object = PatternFormat.encode(pattern).objectValue ?? JSONObject()
        object["sounds"] = nil
        let hash = JSONValue.object(object).bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0100_0000_01b3
        }
        return String(repeating: "0", count: hash.leadingZeroBitCount / 4) + String(hash, radix: 16)
    }
}
