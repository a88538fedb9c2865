import JSON
import Music
import TestSupport
import Testing

@testable import Journal

/// Sessions that other versions of the program wrote. The texts here must not change: a version that reads them
/// differently would lose someone's music.
struct OtherVersionTests {
    /// A snapshot of the first version: a bass note, an edit that can be undone, and some settings.
    private static let first = #"""
        {"pattern": {"name": "Kept", "parameters": {"bpm": 90, "swing": 0.6, "scale": "minor", "root": "A", "length": 16},
                     "cells": {"bass": "AQAAAAQAAA=="}},
         "parameters": {"colors": "harmonic", "ghosts": false, "tracks": {"bass": {"mute": true, "gain": -6}}},
         "history": {"undo": [{"before": {"cells": {}}, "after": {"cells": {"bass": "AQAAAAQAAA=="}}}], "redo": []}}
        """#

    /// Changes that its journal may hold.
    private static let changes = [
        #"{"edit": {"cells": {"bass": "AQAAAAQAAA==", "rhythm": "AQAAAAIAAA=="}}}"#, #"{"undo": {}}"#,
        #"{"set": {"parameter": "gain", "track": "bass", "value": -3}}"#, #"{"setName": {"name": "Kept on"}}"#,
        #"{"launch": {"slots": {"bass": 2}}}"#, #"{"editSlots": {"slots": {"melody": {"3": "AQAAAAIAAA=="}}}}"#,
    ]

    private func content(_ text: String) throws -> (content: SessionContent, unknown: [String]) {
        var unknown: [String] = []
        let object = try #require(JSONValue(parsing: text).objectValue)
        return (try SessionContent(stored: object, unknownNames: &unknown), unknown)
    }

    private func apply(_ changes: [String], to content: inout SessionContent) throws {
        for change in changes { content.apply(try ReadChange(JSONValue(parsing: change))) }
    }

    @Test func `a session of the first version is read`() throws {
        var (content, unknown) = try content(Self.first)
        #expect(unknown.isEmpty)
        var expected = Document()
        for (parameter, value) in [
            (Parameter.tempo, 90), (.swing, 0.6), (.scale, "minor"), (.root, "A"), (.length, 16),
            (.colors, "harmonic"), (.ghosts, false),
        ] as [(Parameter, ParameterValue)] { expected.set(parameter, to: value) }
        expected.set(.mute, on: .bass, to: true)
        expected.set(.gain, on: .bass, to: -6)
        expected.apply(.setName("Kept"))
        var cells = Cells()
        cells[.bass, 1, 0] = .normal
        expected.edit(cells)
        #expect(content.document == expected)

        try apply(Self.changes, to: &content)
        expected.set(.gain, on: .bass, to: -3)
        expected.apply(.setName("Kept on"))
        cells[.rhythm, 0, 0] = .accent
        expected.edit(cells)
        expected.apply(.undo)
        expected.launch([Slot(.bass, 1)])
        var notes = SlotNotes()
        notes[0][0] = .accent
        expected.apply(.edit([Slot(.melody, 2): notes]))
        #expect(content.document == expected)
    }

    @Test func `an edit amended by the first version is one step`() throws {
        var (content, _) = try content(Self.first)
        try apply(
            [
                #"{"edit": {"cells": {"bass": "AQAAAAQAAA==", "melody": "AQAAAAIAAA=="}}}"#,
                #"{"amend": {"cells": {"bass": "AQAAAAQAAA==", "rhythm": "AQAAAAIAAA=="}}}"#,
            ], to: &content)
        let pattern = content.document.pattern
        #expect(pattern.filledSlots == [Slot(.bass, 0), Slot(.rhythm, 0)])
        #expect(content.document.history.undoCount == 2)
        try apply([#"{"undo": {}}"#], to: &content)
        #expect(content.document.pattern.filledSlots == [Slot(.bass, 0)])
        // Once other slots play, it is a separate step.
        try apply([#"{"launch": {"slots": {"bass": 2}}}"#, #"{"amend": {"cells": {}}}"#], to: &content)
        #expect(content.document.history.undoCount == 1 && content.document.history.redoCount == 1)
    }

    @Test func `note values are stored beside what the first version reads, and unknown ones are ignored`()
        throws
    {
        var notes = SlotNotes()
        notes[2][whole: 5] = Note(.accent, [.level: -6])
        let edit = DocumentChange.edit([Slot(.melody, 2): notes])
        #expect(
            edit.stored == [
                "editSlots": [
                    "slots": ["melody": ["3": "BAAAAAAIAA=="], "values": ["melody": ["3": ["level": "AgX6"]]]]
                ]
            ])
        var (content, _) = try content(Self.first)
        try apply(
            [
                #"{"editSlots": {"slots": {"melody": {"3": "BAAAAAAIAA=="}, "values": {"melody": {"3": {"level": "AgX6", "flam": 3}}}}}}"#
            ], to: &content)
        #expect(content.document.pattern[Slot(.melody, 2)] == notes)
    }

    @Test func `motions are stored beside what the first version reads, even without notes`() throws {
        var notes = SlotNotes()
        notes.motions[.tone, 3] = -2
        let edit = DocumentChange.edit([Slot(.bass, 1): notes])
        #expect(
            edit.stored == [
                "editSlots": [
                    "slots": ["bass": ["2": ""], "motions": ["bass": ["2": ["tone": "AwAAAAAAAADA"]]]]
                ]
            ])
        var (content, _) = try content(Self.first)
        try apply(
            [
                #"{"editSlots": {"slots": {"bass": {"2": ""}, "motions": {"bass": {"2": {"tone": "AwAAAAAAAADA", "glow": 3}}}}}}"#
            ], to: &content)
        #expect(content.document.pattern[Slot(.bass, 1)] == notes)
    }

    @Test(arguments: [#""speed": "5/4""#, #""length": 64"#, #""speed": 1.25, "length": "1 bar""#])
    func `a newer version's length or speed of a slot loses neither the session nor the edit`(time: String) throws {
        let values = #""values": {"bass": {"1": {\#(time), "level": "AAH6"}}}"#
        var (content, unknown) = try content(
            #"{"pattern": {"name": "Kept", "cells": {"bass": "AQAAAAQAAA==", \#(values)}}}"#)
        var notes = SlotNotes()
        notes[0][whole: 1] = Note(.normal, [.level: -6])
        #expect(content.document.pattern.name == "Kept" && content.document.pattern[Slot(.bass, 0)] == notes)
        // It is reported, and kept for the newer version.
        #expect(!unknown.isEmpty && unknown.allSatisfy { $0.hasPrefix("pattern.cells.values.bass.1.") })
        var again: [String] = []
        #expect(try SessionContent(stored: content.stored, unknownNames: &again).unknown == content.unknown)
        #expect(again.isEmpty)

        let edit = #"{"editSlots": {"slots": {"bass": {"1": "AQAAAAgAAA=="}, \#(values)}}}"#
        try apply([edit, #"{"setName": {"name": "Kept on"}}"#], to: &content)
        #expect(content.document.pattern[Slot(.bass, 0)][0][whole: 1].velocity == .accent)
        #expect(content.document.pattern.name == "Kept on")
    }

    @Test func `changes are written as the first version reads them`() throws {
        var notes = SlotNotes()
        notes[0, 0] = .accent
        let edit = DocumentChange.edit([Slot(.melody, 2): notes, Slot(.bass, 0): SlotNotes()])
        #expect(
            edit.stored
                == ["editSlots": ["slots": ["melody": ["3": "AQAAAAIAAA=="], "bass": ["1": ""]]]])
        var document = Document()
        document.launch([Slot(.melody, 2)])
        document.apply(edit)
        #expect(
            document.stored["history"]?.objectValue?["undo"] == [
                [
                    "before": ["cells": [:], "slots": ["melody": 3]],
                    "after": ["cells": ["melody": "AQAAAAIAAA=="], "slots": ["melody": 3]],
                ]
            ])
        #expect(document.stored["pattern"]?.objectValue?["cells"] == ["melody": "AQAAAAIAAA=="])
    }

    /// The same session as a newer version might write it.
    private static let newer = #"""
        {"pattern": {"name": "Kept", "parameters": {"bpm": 90, "shuffle": 0.3, "tracks": {"bass": {"drive": 4}}},
                     "cells": {}, "mood": "blue"},
         "parameters": {"tracks": {"bass": {"gain": -6, "chorus": 0.5}}, "reverb": {"time": 2}},
         "history": {"undo": [], "redo": []}, "arrangement": [1, 2, 1]}
        """#

    @Test func `a newer version's data is reported and kept`() throws {
        var (content, unknown) = try content(Self.newer)
        #expect(
            unknown == [
                "pattern.parameters.shuffle", "pattern.parameters.tracks.bass.drive", "pattern.mood",
                "parameters.tracks.bass.chorus", "parameters.reverb.time", "arrangement",
            ])
        #expect(content.document.number(.gain, .bass) == -6)
        content.apply(.set(.gain, on: .bass, to: -3))
        // It is in the next snapshot, and not reported again when that is read.
        var again: [String] = []
        let copy = try SessionContent(stored: content.stored, unknownNames: &again)
        #expect(again.isEmpty)
        #expect(copy.unknown == content.unknown && copy.document == content.document)
        #expect(copy.stored["arrangement"] == [1, 2, 1])
        let tracks = copy.stored["parameters"]?.objectValue?["tracks"]?.objectValue
        let bass = tracks?["bass"]?.objectValue
        #expect(bass?["chorus"] == 0.5 && bass?["gain"]?.doubleValue == -3)
    }

    @Test func `a newer version's settings and changes in a journal are applied as far as known`() throws {
        var content = try content(Self.newer).content
        let document = content.document
        try apply(
            [
                #"{"set": {"parameter": "chorus", "track": "bass", "value": 0.75}}"#,
                #"{"set": {"parameter": "drive", "track": "bass", "value": 9}}"#,
                #"{"humanise": {"amount": 3}}"#,
                #"{"set": {"parameter": "gain", "track": "fx", "value": 1}}"#,
            ], to: &content)
        #expect(content.document == document)
        let chorus = content.unknown["parameters"]?.objectValue?["tracks"]?.objectValue?["bass"]?.objectValue?["chorus"]
        #expect(chorus == 0.75)
        // Data that belonged to the pattern is dropped with it.
        content.apply(.replacePattern(Pattern()))
        #expect(content.unknown["pattern"] == nil && content.unknown["arrangement"] != nil)
    }

    /// The files of a new session.
    private func files() throws -> [String: [UInt8]] {
        let directory = SimulatedDirectory()
        var writer = SessionWriter(directory)
        try writer.commit([])
        return directory.contents
    }

    /// Expects that the names are reported once, and that the file is kept beside, also after a second restart.
    ///
    /// - Returns: What was recovered.
    private func expect(unknown names: [String], in name: String, of files: [String: [UInt8]]) throws -> Document {
        let first = Recovery(SimulatedDirectory(files))
        #expect(first.report.damages.map(\.reason) == [.unknown(names)])
        var files = files
        let written = files[name]
        for _ in 0..<2 {
            let directory = SimulatedDirectory(files)
            var writer = SessionWriter(directory)
            try writer.commit([])
            files = directory.contents
            #expect(Recovery(SimulatedDirectory(files)).report.damages.isEmpty)
        }
        #expect(files["set-aside-" + name] == written)
        return first.document
    }

    @Test(arguments: [
        (#"{"set": {"parameter": "preset", "track": "bass", "value": "NewOne"}}"#, "set preset"),
        (#"{"set": {"parameter": "sync.lead", "value": ["midi", "newer"]}}"#, "set sync.lead"),
        (#"{"set": {"parameter": "bpm", "value": 400}}"#, "set bpm"),
        (#"{"set": {"parameter": "gain", "track": "bass", "value": -3, "glide": 2}}"#, "set.glide"),
        (
            #"{"replacePattern": {"name": "Newer", "parameters": {"tracks": {"bass": {"drive": 4}}}, "cells": {}}}"#,
            "replacePattern.parameters.tracks.bass.drive"
        ),
        (
            #"{"editSlots": {"slots": {"bass": {"1": "AQAAAAQAAA=="}, "values": {"bass": {"1": {"flam": "AAEC"}}}}}}"#,
            "editSlots.slots.values.bass.1.flam"
        ),
        (
            #"{"editSlots": {"slots": {"bass": {"1": ""}, "motions": {"bass": {"1": {"filter": "AwAAAAAAAADA"}}}}}}"#,
            "editSlots.slots.motions.bass.1.filter"
        ),
        (#"{"launch": {"slots": {"bass": 2, "fx": 3}}}"#, "launch.slots.fx"),
        (#"{"unbind": {"on": {"type": "cc", "channel": 1, "number": 1, "curve": 2}}}"#, "unbind.on.curve"),
    ])
    func `what a newer version's journal has besides is reported, and the file is kept`(
        change: String, name: String
    ) throws {
        var files = try files()
        let record = JournalRecord.bytes(of: .array([try JSONValue(parsing: change)]))
        files["session-1.journal", default: []] += record
        _ = try expect(unknown: [name], in: "session-1.journal", of: files)
    }

    @Test(arguments: [
        (
            #""bindings": [{"on": {"type": "pressure", "channel": 1, "number": 0}, "to": {"method": "ping"}}]"#,
            "bindings"
        ),
        (
            #""bindings": [{"on": {"type": "cc", "channel": 1, "number": 1}, "to": {"method": "ping"}, "curve": 2}]"#,
            "bindings"
        ),
        (#""parameters": {"sync.lead": ["midi", "newer"]}"#, "parameters.sync.lead"),
        (
            #""history": {"undo": [{"before": {}, "after": {"cells": {"values": {"bass": {"1": {"flam": ""}}}}}}]}"#,
            "history.after.cells.values.bass.1.flam"
        ),
        (#""history": {"redo": [{"before": {"cells": {}}, "after": {"cells": {}}, "by": "Ada"}]}"#, "history.by"),
    ])
    func `what a newer version's snapshot has in lists is reported, and the file is kept`(
        member: String, name: String
    ) throws {
        var files = try files()
        let content = #"{"pattern": {"name": "Kept", "cells": {}}, \#(member)}"#
        files["session-1.snapshot"] = Sealed.bytes(magic: SnapshotFile.magic, version: SnapshotFile.version) {
            $0.write(1 as UInt64)
            $0.write(raw: content.utf8)
        }
        #expect(try expect(unknown: [name], in: "session-1.snapshot", of: files).pattern.name == "Kept")
    }

    @Test func `of a newer version's selection the known names are used`() throws {
        var (content, _) = try content(#"{"pattern": {"cells": {}}, "parameters": {"sync.lead": ["newer", "midi"]}}"#)
        #expect(content.document[.syncLead] == .selection(["midi"]))
        try apply([#"{"set": {"parameter": "sync.lead", "value": ["jack", "newer"]}}"#], to: &content)
        #expect(content.document[.syncLead] == .selection(["jack"]))
    }

    @Test func `a newer version's step of an unknown parameter is left out and reported`() throws {
        let unknown = #"{"parameter": "glide", "track": "bass", "value": 3}"#
        let known = #"{"parameter": "gain", "track": "bass", "value": 3}"#
        let steps = [unknown, known].map { #"{"before": \#($0), "after": \#($0)}"# }.joined(separator: ", ")
        let (content, names) = try content(
            #"{"pattern": {"cells": {}}, "history": {"undo": [\#(steps)], "redo": []}}"#)
        #expect(content.document.history.undoCount == 1 && names == ["history"])
    }

    @Test func `a step of the first version with slots that it did not change is no newer version's`() throws {
        let side = #"{"cells": {"bass": "AQAAAAQAAA=="}}"#
        let (_, unknown) = try content(
            #"{"pattern": {"cells": {}}, "history": {"undo": [{"before": \#(side), "after": \#(side)}], "redo": []}}"#)
        #expect(unknown.isEmpty)
    }
}
