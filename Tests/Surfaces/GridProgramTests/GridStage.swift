import DaemonTestSupport
import Foundation
import Grid
import JackTestSupport
import Music
import PixelBoopClient
import SurfaceTestSupport
import TestSupport
import Testing

@testable import Controllers

/// A JACK server, a daemon on it, and the controllers that the program must find.
struct GridStage {
    let server: JackServer
    let daemon: DaemonProcess

    init(period: Int = 256) async throws {
        server = try JackServer(period: period)
        // A Launchpad that is pulled out does not say good-bye.
        server.isSynchronous = false
        try await server.start()
        daemon = try DaemonProcess(jackServer: server.name)
    }

    func program(_ flags: [String] = []) async throws -> ChildProgram {
        let program = try ChildProgram(
            surface: "pixelboop-grid", socket: daemon.socketPath, flags: ["--jack-server", server.name] + flags)
        try program.start()
        return program
    }

    /// A Launchpad Mini MK3 that is plugged in.
    ///
    /// - Parameter names: Its client, and the aliases of its ports if it is known by these.
    func launchpad(_ names: [String] = ["Launchpad Mini MK3"]) async throws -> ChildProgram {
        let launchpad = try ChildProgram(
            URL(filePath: "/usr/bin/python3"),
            [Python.path(of: "launchpad.py"), server.name, names[0], "13"] + names.dropFirst())
        try launchpad.start()
        #expect(await launchpad.line() == "ready")
        return launchpad
    }

    /// Waits until a Launchpad's pads show the cells of the daemon's first page.
    func waitForCells(_ launchpad: ChildProgram, _ client: PixelBoopClient) async throws {
        let page = Page(.eight)
        let words = LaunchpadProtocol(.miniMK3)
        while true {
            let frame = try await client.frame().frame
            launchpad.write("lights")
            let line = try #require(await launchpad.line())
            guard line.hasPrefix("lights ") else { continue }
            let shown = try JSONDecoder().decode([String: [Int]].self, from: Data(line.dropFirst(7).utf8))
            let isShown = (0..<64).allSatisfy { index in
                let pad = PadPosition(column: index % 8, row: index / 8)
                guard let cell = page.cell(of: pad) else { return true }
                let color = frame[cell.column, cell.row]
                let wanted = [color.red, color.green, color.blue].map { Int($0 >> 1) }
                return shown["\(words.number(of: .pad(pad)))"] ?? [0, 0, 0] == wanted
            }
            if isShown { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until a monome's pads show the cells of the daemon's first page.
    func waitForLevels(_ serialosc: ChildProgram, _ client: PixelBoopClient) async throws {
        let page = Page(PadField(columns: 16, rows: 8))
        while true {
            let frame = try await client.frame().frame
            serialosc.write("lights")
            let line = try #require(await serialosc.line())
            let shown = try JSONDecoder().decode([Int].self, from: Data(line.dropFirst(7).utf8))
            let wanted = (0..<128).map { index in
                page.cell(of: PadPosition(column: index % 16, row: index / 16)).map {
                    MonomeProtocol.level(of: frame[$0.column, $0.row])
                } ?? 0
            }
            if shown == wanted { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
