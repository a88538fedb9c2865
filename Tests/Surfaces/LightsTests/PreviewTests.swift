import Foundation
import Grid
import TerminalGrid
import TestSupport
import Testing

@testable import Lights

struct PreviewTests {
    private func printed(
        isTerminal: Bool, room: TerminalSize? = nil, _ pictures: [LightPicture]
    ) throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "out")
        let handle = try #require(FileHandle(forWritingAtPath: folder.file("out")))
        let preview = Preview(to: handle.fileDescriptor, kind: TerminalKind(), isTerminal: isTerminal) { room }
        preview.begin()
        for picture in pictures { preview.show(picture) }
        // The handle closes the file when it is no longer used.
        withExtendedLifetime(handle) { preview.end() }
        return String(decoding: try folder.read("out"), as: UTF8.self)
    }

    private let picture = LightPicture(width: 2, height: 1) { column, _ in Color(column == 0 ? 0xff0000 : 0x0000ff) }

    @Test func `a picture in a file is lines of coloured blanks`() throws {
        #expect(
            try printed(isTerminal: false, [picture])
                == "\u{1b}[39;48;2;255;0;0m  \u{1b}[39;48;2;0;0;255m  \u{1b}[0m\n\n")
    }

    @Test func `a terminal is taken over and given back, and drawn on only where something changes`() throws {
        let text = try printed(isTerminal: true, [picture, picture])
        #expect(text.hasPrefix(ControlSequences.enterScreen))
        #expect(text.hasSuffix(ControlSequences.leaveScreen))
        #expect(text.ranges(of: "48;2;255;0;0").count == 1)
    }

    /// The whole grid has 88 by 24 characters, and needs 44 by 12.
    @Test(arguments: [(88, 24, 88, 24), (80, 24, 44, 12), (88, 23, 44, 12), (30, 10, 30, 10)])
    func `nothing is drawn beyond a terminal's edges, where it would wrap and scroll`(
        columns: Int, rows: Int, width: Int, height: Int
    ) throws {
        let grid = LightPicture(width: 44, height: 24) { _, row in Color(row % 2 == 0 ? 0xff0000 : 0x0000ff) }
        let text = try printed(isTerminal: true, room: TerminalSize(columns: columns, rows: rows), [grid])
        let lines = text.split(separator: /\u{1b}\[\d+;1H/).dropFirst().map {
            $0.replacing(/\u{1b}\[[?0-9;]*[a-z]/, with: "").count
        }
        #expect(lines == Array(repeating: width, count: height))
        #expect(text.contains(Glyph.upperHalf) == (height < 24))
    }

    @Test func `the last of an odd number of rows is half a character over black`() throws {
        let column = LightPicture(width: 1, height: 3) { _, row in Color(row == 2 ? 0xff0000 : 0x0000ff) }
        let text = try printed(isTerminal: true, room: TerminalSize(columns: 1, rows: 2), [column])
        #expect(text.contains("\u{1b}[38;2;255;0;0;48;2;0;0;0m\u{2580}"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a blocked terminal keeps nobody waiting, and then shows the newest picture`() {
        let pipe = Pipe()
        let preview = Preview(to: pipe.fileHandleForWriting.fileDescriptor, kind: TerminalKind(), isTerminal: false)
        for number in 1...3000 {
            preview.show(LightPicture(width: 40, height: 24) { _, _ in Color(UInt32(number)) })
        }
        preview.end()
        var text = ""
        while !text.contains("48;2;0;\(3000 / 256);\(3000 % 256)m") {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        withExtendedLifetime(pipe) {}
    }
}
