import DaemonTestSupport
import Foundation
import Grid
import JackTestSupport
import Music
import OSC
import PixelBoopClient
import SurfaceTestSupport
import TestNeeds
import TestSupport
import Testing

@testable import Controllers

/// The built program on a JACK server and a daemon, with a Launchpad and a serialosc that follow the published references.
@Suite(.timeLimit(.minutes(2)))
struct GridProgramTests {
    private let stage: GridStage

    init() async throws { stage = try await GridStage() }

    @Test func `a Launchpad plays and shows the grid, and is back in its own mode at the end`() async throws {
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let program = try await stage.program()
        let launchpad = try await stage.launchpad()
        #expect(await launchpad.line() == "mode programmer")
        try await stage.waitForCells(launchpad, client)
        // The lowest row's first step: a tap writes C.
        launchpad.write("midi 144 31 127")
        launchpad.write("midi 144 31 0")
        try await client.waitForPattern { $0.contains(#""col":4,"row":7"#) }
        try await stage.waitForCells(launchpad, client)
        // Track down, mute.
        launchpad.write("midi 176 92 127")
        launchpad.write("midi 176 92 0")
        launchpad.write("midi 176 39 127")
        launchpad.write("midi 176 39 0")
        try await client.waitForState { $0.json["tracks"]?.objectValue?["chords"]?.objectValue?["mute"] == true }
        #expect(await program.end() == 0)
        #expect(await launchpad.line() == "mode live")
    }

    // The pretended Launchpad is in Python: with 16 frames it misses periods, and what they hold.
    @Test(arguments: [64, 2048, 8192])
    func `a Launchpad is back in its own mode at the end with short and long periods`(period: Int) async throws {
        let stage = try await GridStage(period: period)
        let program = try await stage.program()
        let launchpad = try await stage.launchpad()
        #expect(await launchpad.line() == "mode programmer")
        #expect(await program.end() == 0)
        #expect(await launchpad.line() == "mode live")
    }

    @Test func `a Launchpad that only aliases name plays and shows the grid`() async throws {
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let program = try await stage.program()
        let launchpad = try await stage.launchpad([
            "hardware", "Launchpad-Mini-MK3:midi/capture_2", "Launchpad-Mini-MK3:midi/playback_2",
        ])
        #expect(await launchpad.line() == "mode programmer")
        try await stage.waitForCells(launchpad, client)
        #expect(await program.end() == 0)
        #expect(await launchpad.line() == "mode live")
    }

    @Test func `without a controller it logs what to check, and uses one that is plugged in later`() async throws {
        let program = try await stage.program()
        #expect(await program.says("no controller yet"))
        let launchpad = try await stage.launchpad()
        #expect(await launchpad.line() == "mode programmer")
        #expect(await program.end() == 0)
    }

    @Test func `daemon and Launchpad come and go`() async throws {
        let program = try await stage.program()
        var launchpad: ChildProgram? = try await stage.launchpad()
        #expect(await launchpad?.line() == "mode programmer")
        for _ in 0..<2 {
            try await stage.daemon.start()
            try await stage.waitForCells(try #require(launchpad), stage.daemon.connect())
            launchpad = nil
            #expect(await program.says("a controller is gone"))
            launchpad = try await stage.launchpad()
            #expect(await launchpad?.line() == "mode programmer")
            try await stage.waitForCells(try #require(launchpad), stage.daemon.connect())
            _ = await stage.daemon.end(with: SIGKILL)
        }
        try await stage.daemon.start()
        try await stage.waitForCells(try #require(launchpad), stage.daemon.connect())
        #expect(await program.end() == 0)
        #expect(await launchpad?.line() == "mode live")
    }

    @Test(.needs(.pythonLibraries))
    func `a monome plays and shows the grid, comes and goes, and is dark at the end`() async throws {
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let serialosc = try ChildProgram(peer: "serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await stage.program(["--serialosc", String(port)])
        #expect(await program.says("monome m0000001, 16 by 8"))
        try await stage.waitForLevels(serialosc, client)
        serialosc.write("key 0 5 1")
        serialosc.write("key 0 5 0")
        try await client.waitForPattern { $0.contains(#""col":4,"row":7"#) }
        try await stage.waitForLevels(serialosc, client)
        serialosc.write("unplug")
        #expect(await program.says("a controller is gone"))
        serialosc.write("plug")
        #expect(await program.says("monome m0000001, 16 by 8"))
        try await stage.waitForLevels(serialosc, client)
        #expect(await program.end() == 0)
        serialosc.write("lights")
        while let line = await serialosc.line(), line.contains(where: { "123456789".contains($0) }) {
            serialosc.write("lights")
        }
    }

    @Test(.needs(.pythonLibraries))
    func `a monome that is back before it was missed is lit again, even if serialosc was restarted`() async throws {
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let serialosc = try ChildProgram(peer: "serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        serialosc.write("unplug")
        let program = try await stage.program(["--serialosc", String(port)])
        #expect(await program.says("no controller yet"))
        serialosc.write("forget")
        serialosc.write("plug")
        #expect(await program.says("monome m0000001, 16 by 8"))
        serialosc.write("unplug")
        serialosc.write("plug")
        #expect(await program.says("a controller is gone"))
        try await stage.waitForLevels(serialosc, client)
        #expect(await program.end() == 0)
    }

    @Test(.needs(.pythonLibraries), arguments: ["restart", "restart kept"])
    func `a monome is lit again after serialosc was restarted before it was missed`(restart: String) async throws {
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let serialosc = try ChildProgram(peer: "serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await stage.program(["--serialosc", String(port)])
        #expect(await program.says("monome m0000001, 16 by 8"))
        try await stage.waitForLevels(serialosc, client)
        serialosc.write(restart)
        #expect(await program.says("a controller is gone"))
        #expect(await program.says("monome m0000001, 16 by 8"))
        try await stage.waitForLevels(serialosc, client)
        #expect(await program.end() == 0)
    }

    @Test(.needs(.pythonLibraries))
    func `a monome that another program takes is left to it until it is plugged in again`() async throws {
        let serialosc = try ChildProgram(peer: "serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await stage.program(["--serialosc", String(port)])
        #expect(await program.says("monome m0000001, 16 by 8"))
        serialosc.write("take 9")
        #expect(await program.says("a controller is gone"))
        serialosc.write("owner")
        #expect(await serialosc.line() == "owner 9")
        serialosc.write("unplug")
        serialosc.write("plug")
        #expect(await program.says("monome m0000001, 16 by 8"))
        #expect(await program.end() == 0)
    }

    @Test func `two monomes with one serial number both play, and the log reports each once`() async throws {
        let (serialosc, grids) = (try DatagramPeer(), [try DatagramPeer(), try DatagramPeer()])
        try await stage.daemon.start()
        let client = try await stage.daemon.connect()
        let program = try await stage.program(["--serialosc", String(serialosc.port)])
        let asker = try #require(await serialosc.receive()).port
        let list = MonomeProtocol.list(answerTo: asker).bytes
        func report() {
            for grid in grids {
                let device: [OSCArgument] = [
                    .string("m40h0146"), .string("monome 64"), .integer(Int32(grid.port)),
                ]
                serialosc.send(OSCMessage("/serialosc/device", device).bytes, to: asker)
            }
        }
        report()
        for grid in grids {
            while try #require(await grid.receive()).bytes != MonomeProtocol.question(answerTo: asker).bytes {}
            grid.send(OSCMessage("/sys/size", .integer(8), .integer(8)).bytes, to: asker)
        }
        // As many questions as a device may leave unanswered, and more.
        for _ in 0..<8 {
            while try #require(await serialosc.receive()).bytes != list {}
            report()
        }
        for (index, grid) in grids.enumerated() {
            for state: Int32 in [1, 0] {
                let key: [OSCArgument] = [.integer(Int32(index)), .integer(5), .integer(state)]
                grid.send(OSCMessage("/pixelboop/grid/key", key).bytes, to: asker)
            }
            try await client.waitForPattern { $0.contains(#""col":\#(4 + index),"row":7"#) }
        }
        #expect(await program.end() == 0)
        #expect(program.log.components(separatedBy: "monome m40h0146, 8 by 8").count == 3)
        #expect(!program.log.contains("a controller is gone"))
    }

    @Test func `an arc beside a grid is left to other programs, and the next grid is still reported`() async throws {
        let (serialosc, arc, grid) = (try DatagramPeer(), try DatagramPeer(), try DatagramPeer())
        let program = try await stage.program(["--serialosc", String(serialosc.port)])
        let asker = try #require(await serialosc.receive()).port
        func report(_ what: String, _ id: String, _ type: String, at device: DatagramPeer) {
            let message = OSCMessage(
                "/serialosc/\(what)", .string(id), .string(type), .integer(Int32(device.port)))
            serialosc.send(message.bytes, to: asker)
        }
        func waitForRequestOfNotice() async throws {
            let wanted = MonomeProtocol.notify(at: asker).bytes
            while try #require(await serialosc.receive()).bytes != wanted {}
        }
        report("device", "m2", "monome arc 4", at: arc)
        report("device", "m1", "monome 128", at: grid)
        #expect(await grid.receive()?.bytes == OSCMessage("/sys/port", .integer(Int32(asker))).bytes)
        try await waitForRequestOfNotice()
        report("add", "m3", "monome arc", at: arc)
        try await waitForRequestOfNotice()
        // The first packet that the arc receives.
        serialosc.send([1], to: arc.port)
        #expect(await arc.receive()?.bytes == [1])
        #expect(await program.end() == 0)
    }
}

extension PixelBoopClient {
    /// Returns when the pattern's JSON meets a condition.
    fileprivate func waitForPattern(_ condition: (String) -> Bool) async throws {
        for try await event in try await subscribe(to: [.frame]) {
            guard case .frame = event else { continue }
            if condition(try await call("pattern.get").text) { return }
        }
    }
}
