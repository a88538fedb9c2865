import Foundation
import Grid
import TerminalGrid
import TestSupport
import Testing

@testable import Lights

struct PreviewTests {
    private func printed(isTerminal: Bool, _ pictures: [LightPicture]) throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "out")
        let handle = try #require(FileHandle(forWritingAtPath: folder.file("out")))
        let preview = Preview(to: handle.fileDescriptor, kind: TerminalKind(), isTerminal: isTerminal)
        preview.begin()
        for picture in pictures { preview.show(picture) }
        // The handle closes the file when it is no longer used.
        withExtendedLifetime(handle) { preview.end() }
        return String(decoding: try folder.read("out"), as: UTF8.self)
    }

    private let picture = LightPicture(width: 2, height: 1) { column, _ in Color(column == 0 ? 0xff0000 : 0x0000ff) }

    @Test func `a picture that goes to a file is lines of coloured blanks`() throws {
        #expect(
            try printed(isTerminal: false, [picture])
                == "\u{1b}[39;48;2;255;0;0m  \u{1b}[39;48;2;0;0;255m  \u{1b}[0m\n\n")
    }

    @Test func `a terminal is taken over and given back, and drawn on where something changes`() throws {
        let text = try printed(isTerminal: true, [picture, picture])
        #expect(text.hasPrefix(ControlSequences.enterScreen))
        #expect(text.hasSuffix(ControlSequences.leaveScreen))
        #expect(text.ranges(of: "48;2;255;0;0").count == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a terminal that takes nothing keeps nobody waiting, and shows the newest picture then`() {
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
