import CannedDaemon
import DaemonTestSupport
import Foundation
import Grid
import JSON
import SurfaceTestSupport
import TestSupport
import Testing
import Wire

/// The example of docs/surfaces.md.
@Suite(.timeLimit(.minutes(1)))
struct ExampleTests {
    @Test func `the page shows the example as it is compiled here`() throws {
        let source = String(
            decoding: try RepositoryFile("Tests/Programs/SurfaceExample/Footswitch.swift").content, as: UTF8.self)
        let page = String(decoding: try RepositoryFile("docs/surfaces.md").content, as: UTF8.self)
        let block = page.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first
        #expect(block == source)
    }

    @Test func `the example presses and lights, and ends on SIGTERM`() async throws {
        let daemon = try await CannedDaemon.start()
        let example = try ChildProgram(surface: "surface-example", socket: daemon.path, flags: ["--column", "4"])
        try example.start()
        let peer = try await daemon.welcome()
        let hello = try #require(try await peer.receive())
        try await peer.answer(hello, .success(.object(Welcome(version: "canned").json)))
        let subscribe = try #require(try await peer.receive())
        var frame = Frame()
        frame[4, 0] = Color(0x112233)
        try await peer.answer(subscribe, .success(["frame": .object(KeyFrame(sequence: 1, frame: frame).json)]))
        #expect(await example.line() == "lamp 17 34 51")
        example.write("now")
        let touches = [try await peer.receive(), try await peer.receive()]
        #expect(
            touches.map { $0?.json["params"]?.objectValue?["phase"]?.stringValue } == ["down", "up"])
        #expect(await example.end() == 0)
        #expect(await example.line() == "lamp 0 0 0")
    }
}
