import DaemonTestSupport
import Foundation
import JSON
import JackTestSupport
import PixelBoopClient
import SurfaceTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

/// The built program with a session manager that follows the published API.
@Suite(.needs(.pythonLibraries), .timeLimit(.minutes(2))) struct NSMProgramTests {
    @Test func `opening a session joins JACK under its client's name, and sessions are switched in place`() async throws
    {
        let server = try JackServer()
        try await server.start()
        let stage = try await SessionStage(jackServer: server.name)
        let announcement = try await stage.start()
        let number = Int(stage.program.identifier)
        #expect(
            announcement == [
                "/nsm/server/announce", "pixelboop", ":switch:message:",
                .string(URL.product("pixelboop-nsm").path), 1, 1, .integer(number),
            ])
        #expect(try await !JackTool.run("jack_lsp", on: server).contains("pixelboop"))
        stage.open("nAAAA")
        #expect(try await stage.answer() == ["/reply", "/nsm/client/open", "open"])
        // The user is shown how to reach it.
        #expect(
            try await stage.hear() == [
                "/nsm/client/message", 0,
                .string("pixelboop --session song nAAAA; socket \(stage.socket("pixelboop.nAAAA"))"),
            ])
        let ports = try await JackTool.run("jack_lsp", "-c", on: server)
        #expect(ports.contains("pixelboop.nAAAA:main_L\n"))
        #expect(!ports.contains("   pixelboop.nAAAA:main_L"), "connected by itself:\n\(ports)")
        try await stage.connect("pixelboop.nAAAA").setTempo(171)

        stage.open("nBBBB")
        #expect(try await stage.answer() == ["/reply", "/nsm/client/open", "open"])
        let others = try await JackTool.run("jack_lsp", on: server)
        #expect(!others.contains("pixelboop.nAAAA:") && others.contains("pixelboop.nBBBB:main_L"))
        #expect(try await stage.connect("pixelboop.nBBBB").state().state.json["bpm"] == 120)
        stage.open("nAAAA")
        try await stage.expectReply(to: "/nsm/client/open")
        #expect(try await stage.connect("song nAAAA").state().state.json["bpm"] == 171)

        #expect(await stage.program.end() == 0)
        // jackd removes a client a moment after its end.
        try await waitUntil { try await !JackTool.run("jack_lsp", on: server).contains("pixelboop") }
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(stage.directory.path)/run/pixelboop/sessions")
        #expect(left.allSatisfy { $0.hasSuffix(".lock") }, "\(left)")
    }

    @Test func `requests are answered one after the other, in any order`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        stage.say("/nsm/client/session_is_loaded")
        stage.say("/nsm/client/show_optional_gui")
        stage.say("/nsm/client/save")
        #expect(try await stage.answer() == ["/error", "/nsm/client/save", -6, "nothing is open"])
        stage.say("/nsm/client/open", "/only/a/path")
        #expect(try await stage.answer().prefix(3) == ["/error", "/nsm/client/open", -1])
        for name in ["nAAAA", "nAAAA", "nBBBB"] { stage.open(name) }
        stage.say("/nsm/client/save")
        stage.say("/nsm/client/session_is_loaded")
        stage.say("/nsm/client/save")
        for address: JSONValue in ["open", "open", "open", "save", "save"] {
            try await stage.expectReply(to: .string("/nsm/client/\(address.stringValue ?? "")"))
        }
        _ = try await stage.connect("pixelboop.nBBBB")
        await #expect(throws: ClientError.self) { try await stage.connect("pixelboop.nAAAA") }
        #expect(await stage.program.end() == 0)
    }

    @Test func `saved data is on disk, and survives the daemon, which is restarted`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        stage.open("nAAAA")
        let reply = try await stage.answer()
        #expect(reply.prefix(2) == ["/reply", "/nsm/client/open"])
        #expect(reply.last?.stringValue?.hasPrefix("open, without sound: ") == true)
        _ = try await stage.hear()
        let client = try await stage.connect("pixelboop.nAAAA")
        let events = try await client.subscribe(to: [.step])
        try await client.setNote(.melody, step: 3, note: 4, .accent)
        try await client.save("groove")
        stage.say("/nsm/client/save")
        #expect(try await stage.answer() == ["/reply", "/nsm/client/save", "everything is on disk"])
        kill(try stage.daemon("nAAAA"), SIGKILL)
        #expect(await !events.hearBye())
        #expect(
            try await stage.hear() == [
                "/nsm/client/message", 2, "pixelboopd was ended by signal 9; restarting it",
            ])
        let link = PixelBoopClient.connections(to: stage.socket("pixelboop.nAAAA"))
        for await case .connected(let client) in link {
            let melody = try await client.patternJSON().objectValue?["tracks"]?.objectValue?["melody"]?.objectValue
            #expect(melody?["notes"]?.arrayValue?.count == 1)
            #expect(try await client.library().map(\.name) == ["groove"])
            break
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stage.folder("nAAAA") + "/patterns") == ["groove.json"])
        #expect(await stage.program.end() == 0)
    }

    @Test func `a daemon ends with the killed program, and the session can be reopened at once`()
        async throws
    {
        let stage = try await SessionStage()
        _ = try await stage.start()
        stage.open("nAAAA")
        try await stage.expectReply(to: "/nsm/client/open")
        let client = try await stage.connect("pixelboop.nAAAA")
        let events = try await client.subscribe(to: [.step])
        try await client.setTempo(99)
        // The kernel forgets what a thread asked for that has ended, as idle ones do after some seconds.
        try await Task.sleep(for: .seconds(12))
        _ = await stage.program.end(with: SIGKILL)
        let next = try await SessionStage(as: stage.directory)
        _ = try await next.start()
        next.open("nAAAA")
        try await next.expectReply(to: "/nsm/client/open")
        #expect(await events.hearBye())
        #expect(try await next.connect("song nAAAA").state().state.json["bpm"] == 99)
        #expect(await next.program.end() == 0)
    }

    @Test func `sessions are found by their names`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        stage.open("nAAAA")
        try await stage.expectReply(to: "/nsm/client/open")
        for name in ["song nAAAA", "pixelboop.nAAAA"] {
            #expect(try await stage.pixelboop("--session", name, "tempo", "133").code == 0)
        }
        let status = try await stage.pixelboop("status", "--session=song nAAAA", "--json")
        #expect(status.output.contains(#""bpm":133"#), "\(status)")
        let stranger = try await stage.pixelboop("--session", "other", "status")
        #expect(stranger.code == 3)
        #expect(stranger.log.hasSuffix("sessions: pixelboop.nAAAA, song nAAAA"), "\(stranger)")
        #expect(try await stage.pixelboop("status", "--session", "a", "--socket", "/b").code == 2)
        #expect(await stage.program.end() == 0)
    }

    @Test func `a project that cannot be opened is refused, and another can be opened`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        try stage.directory.write("", to: "file")
        stage.say("/nsm/client/open", .string(stage.directory.file("file/nAAAA")), "song", "pixelboop.nAAAA")
        #expect(try await stage.answer().prefix(3) == ["/error", "/nsm/client/open", -10])
        stage.say("/nsm/client/open", .string(stage.folder("nAAAA")), "song", "pixel:boop")
        #expect(try await stage.answer().prefix(3) == ["/error", "/nsm/client/open", -1])
        let daemon = try DaemonProcess(
            jackServer: "none", flags: ["--state-dir", "\(stage.folder("nBBBB"))/state"])
        try await daemon.start()
        stage.open("nBBBB")
        let refusal = try await stage.answer()
        #expect(refusal.prefix(3) == ["/error", "/nsm/client/open", -9])
        #expect(refusal.last?.stringValue?.contains("is in use by another pixelboopd") == true, "\(refusal)")
        #expect(await daemon.end(with: SIGTERM) == 0)
        stage.open("nBBBB")
        try await stage.expectReply(to: "/nsm/client/open")
        #expect(await stage.program.end() == 0)
    }

    @Test func `only the manager may open sessions`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        for stranger: JSONValue in ["stranger", "neighbour"] {
            stage.say(stranger, "/nsm/client/open", .string(stage.folder("nXXXX")), "song", "pixelboop.nXXXX")
        }
        stage.say("/nsm/client/save")
        #expect(try await stage.answer().prefix(3) == ["/error", "/nsm/client/save", -6])
        #expect(!FileManager.default.fileExists(atPath: stage.folder("nXXXX")))
        #expect(await stage.program.end() == 0)
    }

    @Test func `the program can be stopped while a session is being opened`() async throws {
        let stage = try await SessionStage()
        _ = try await stage.start()
        for name in ["nAAAA", "nBBBB"] { stage.open(name) }
        try await stage.expectReply(to: "/nsm/client/open")
        #expect(await stage.program.end() == 0)
        for name in ["nAAAA", "nBBBB"] {
            await #expect(throws: ClientError.self) { try await stage.connect("pixelboop.\(name)") }
        }
    }

    @Test func `a daemon whose --parent did not start it refuses to run`() async throws {
        let daemon = try ChildProgram(surface: "pixelboopd", flags: ["--parent", "1"])
        #expect(try await daemon.run().code == 1)
        #expect(daemon.log.contains("process 1 did not start this one"))
    }

    @Test func `a manager that refuses or is missing ends the program`() async throws {
        let stage = try await SessionStage(manager: "refuse")
        _ = try await stage.start()
        #expect(await stage.program.says("the session manager refuses: not this one (-3)"))
        #expect(await stage.program.end() == 1)
        for (url, reason) in [("", "NSM_URL is not set"), ("osc.tcp://a:1/", "is not an address like osc.udp://")] {
            let program = try ChildProgram(surface: "pixelboop-nsm", environment: ["NSM_URL": url])
            #expect(try await program.run().code == 1)
            #expect(program.log.contains(reason))
        }
    }
}
