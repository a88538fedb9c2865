import Files
import Foundation
import Music
import TestNeeds
import TestSupport
import Testing

@Suite(.needs(.smallDisk))
struct FailingDiskTests {
    private let disk: SmallDisk
    private let library: Library

    init() throws {
        disk = try SmallDisk()
        library = Library(directory: disk.path)
    }

    /// A pattern whose file takes several pages.
    private var large: Pattern {
        var pattern = Pattern()
        for step in 0..<32 { pattern[.chords, step] = StepNotes([0, 4, 7], .accent) }
        return pattern
    }

    @Test func `on a full disk the old file stays whole, and saving works again once there is room`() throws {
        try library.save(Pattern(), as: "a", at: 0)
        let before = try disk.directory.read("a.json")
        try disk.fill()
        let file = disk.directory.file("a.json")
        #expect(throws: LibraryError.io(reason: "cannot write \(file): No space left on device")) {
            try library.save(large, as: "a", at: 0)
        }
        #expect(try disk.directory.read("a.json") == before)
        #expect(try disk.directory.names == ["a.json", "ballast"])
        #expect(try library.list().count == 1)
        try disk.empty()
        try library.save(large, as: "a", at: 0)
        #expect(try library.load("a").played == large.played)
    }

    @Test func `on a read-only disk nothing changes, reading works, and writing resumes later`() throws {
        try library.save(Pattern(), as: "a", at: 0)
        try disk.makeReadOnly()
        let reason = "Read-only file system"
        #expect(throws: LibraryError.io(reason: "cannot create \(disk.directory.file("a.json")): \(reason)")) {
            try library.save(large, as: "a", at: 0)
        }
        #expect(throws: LibraryError.io(reason: "cannot rename \(disk.directory.file("a.json")): \(reason)")) {
            try library.rename("a", to: "b")
        }
        #expect(throws: LibraryError.io(reason: "cannot delete \(disk.directory.file("a.json")): \(reason)")) {
            try library.delete("a")
        }
        #expect(throws: LibraryError.io(reason: "cannot create \(disk.path)/deep: \(reason)")) {
            try Library(directory: "\(disk.path)/deep/er").save(Pattern(), as: "a", at: 0)
        }
        #expect(try library.load("a").played == Pattern().played)
        try disk.makeWritable()
        try library.rename("a", to: "b")
        #expect(try disk.directory.names == ["b.json"])
    }
}
