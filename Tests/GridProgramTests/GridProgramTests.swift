import DaemonTestSupport
import Foundation
import Grid
import JackTestSupport
import Music
import PixelBoopClient
import SurfaceTestSupport
import Testing

@testable import PadGrid

/// The built program on a JACK server and a daemon, with a Launchpad and a serialosc that follow the published references.
struct GridProgramTests {
    private let server: JackServer
    private let daemon: DaemonProcess

    init() async throws {
        server = try JackServer()
        try await server.start()
        daemon = try DaemonProcess(jackServer: server.name)
    }

    private func program(_ flags: [String] = []) async throws -> SurfaceProcess {
        let program = try SurfaceProcess(
            "pixelboop-grid", socket: daemon.socketPath, flags: ["--jack-server", server.name] + flags)
        try await program.start()
        return program
    }

    /// A Launchpad Mini MK3 that is plugged in.
    private func launchpad() async throws -> PythonPeer {
        let launchpad = try PythonPeer("launchpad.py", server.name, "Launchpad Mini MK3", "13", debian: true)
        #expect(await launchpad.line() == "ready")
        return launchpad
    }

    /// Waits until a Launchpad's pads show the cells of the daemon's first page.
    private func waitForCells(_ launchpad: PythonPeer, _ client: PixelBoopClient) async throws {
        let page = Page(.eight)
        let words = LaunchpadProtocol(.miniMK3)
        while true {
            let frame = try await client.frame().frame
            launchpad.write("lights")
            let line = try #require(await launchpad.line())
            guard line.hasPrefix("lights ") else { continue }
            let shown = try JSONDecoder().decode([String: [Int]].self, from: Data(line.dropFirst(7).utf8))
            let isShown = (0..<64).allSatisfy { index in
                let pad = Pad(column: index % 8, row: index / 8)
                guard let cell = page.cell(of: pad) else { return true }
                let color = frame[cell.column, cell.row]
                let wanted = [color.red, color.green, color.blue].map { Int($0 >> 1) }
                return shown["\(words.number(of: .pad(pad)))"] ?? [0, 0, 0] == wanted
            }
            if isShown { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `a Launchpad plays and shows the grid, and has its own mode again at the end`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        let program = try await program()
        let launchpad = try await launchpad()
        #expect(await launchpad.line() == "mode programmer")
        try await waitForCells(launchpad, client)
        // The lowest row's first step: a tap writes C.
        launchpad.write("midi 144 31 127")
        launchpad.write("midi 144 31 0")
        try await client.waitForPattern { $0.contains(#""col":4,"row":7"#) }
        try await waitForCells(launchpad, client)
        // Track down, mute.
        launchpad.write("midi 176 92 127")
        launchpad.write("midi 176 92 0")
        launchpad.write("midi 176 39 127")
        launchpad.write("midi 176 39 0")
        try await client.waitForState { $0.json["tracks"]?.objectValue?["chords"]?.objectValue?["mute"] == true }
        let end = await program.end()
        #expect(end.code == 0)
        #expect(end.duration < .seconds(1))
        #expect(await launchpad.line() == "mode live")
    }

    @Test func `daemon, Launchpad and server come and go`() async throws {
        let program = try await program()
        var launchpad: PythonPeer? = try await launchpad()
        #expect(await launchpad?.line() == "mode programmer")
        for _ in 0..<2 {
            try await daemon.start()
            try await waitForCells(try #require(launchpad), daemon.connect())
            launchpad = nil
            #expect(await program.says("a controller is gone"))
            launchpad = try await self.launchpad()
            #expect(await launchpad?.line() == "mode programmer")
            try await waitForCells(try #require(launchpad), daemon.connect())
            _ = await daemon.end(with: SIGKILL)
        }
        try await daemon.start()
        try await waitForCells(try #require(launchpad), daemon.connect())
        #expect(await program.end().code == 0)
        #expect(await launchpad?.line() == "mode live")
    }

    @Test func `a monome plays and shows the grid, comes and goes, and is dark at the end`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        let serialosc = try PythonPeer("serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await program(["--serialosc", String(port)])
        #expect(await program.says("monome m0000001, 16 by 8"))
        serialosc.write("key 0 5 1")
        serialosc.write("key 0 5 0")
        try await client.waitForPattern { $0.contains(#""col":4,"row":7"#) }
        try await waitForLevels(serialosc, client)
        serialosc.write("unplug")
        #expect(await program.says("a controller is gone"))
        serialosc.write("plug")
        #expect(await program.says("monome m0000001, 16 by 8"))
        try await waitForLevels(serialosc, client)
        #expect(await program.end().code == 0)
        serialosc.write("lights")
        while let line = await serialosc.line(), line.contains(where: { "123456789".contains($0) }) {
            serialosc.write("lights")
        }
    }

    /// Waits until a monome's pads show the cells of the daemon's first page.
    private func waitForLevels(_ serialosc: PythonPeer, _ client: PixelBoopClient) async throws {
        let page = Page(PadField(columns: 16, rows: 8))
        while true {
            let frame = try await client.frame().frame
            serialosc.write("lights")
            let line = try #require(await serialosc.line())
            let shown = try JSONDecoder().decode([Int].self, from: Data(line.dropFirst(7).utf8))
            let wanted = (0..<128).map { index in
                page.cell(of: Pad(column: index % 16, row: index / 16)).map {
                    MonomeProtocol.level(of: frame[$0.column, $0.row])
                } ?? 0
            }
            if shown == wanted { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

extension PixelBoopClient {
    /// Returns when the pattern's JSON is as wanted.
    fileprivate func waitForPattern(_ condition: (String) -> Bool) async throws {
        for try await event in try await subscribe(to: [.frame]) {
            guard case .frame = event else { continue }
            if condition(try await call("pattern.get").text) { return }
        }
    }
}
