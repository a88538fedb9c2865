import DaemonTestSupport
import Foundation
import Grid
import LinkTestSupport
import PixelBoopClient
import ProgramTestSupport
import SurfaceTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

@testable import Lights

/// The built program on a daemon without JACK, with controllers on loopback.
@Suite(.timeLimit(.minutes(2)))
struct LightsProgramTests {
    private let daemon: DaemonProcess

    init() throws { daemon = try DaemonProcess(jackServer: "none-\(UUID().uuidString.prefix(6))") }

    /// Steps and notes only, without the cells that move by themselves.
    private let crop = ["--crop", "4,2,35,20"]

    /// The daemon's picture, as a wall of these cells shows it.
    private func expected(_ client: PixelBoopClient) async throws -> [UInt8] {
        var wall = Wall()
        wall.crop = try #require(CellArea(crop[1].split(separator: ",").map(String.init)))
        return wall.channels(of: wall.picture(of: try await client.frame().frame))
    }

    /// Receives DDP pictures until one matches.
    private func receive(_ peer: DatagramPeer, until wanted: [UInt8]) async throws {
        var picture: [UInt8] = []
        while picture != wanted {
            let bytes = try #require(await peer.receive()).bytes
            let offset = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
            picture = Array(picture.prefix(offset)) + bytes[10...]
            if bytes[0] == 0x40 { picture = Array(picture) } else if picture.count != wanted.count { picture = [] }
        }
    }

    @Test func `DDP lights show the grid while the daemon comes and goes, and are black at the end`()
        async throws
    {
        let controller = try DatagramPeer()
        let lights = try ChildProgram(
            surface: "pixelboop-lights", socket: daemon.socketPath,
            flags: ["--ddp", "127.0.0.1:\(controller.port)"] + crop)
        try lights.start()
        #expect(await lights.says("no daemon at"))
        let black = [UInt8](repeating: 0, count: 35 * 20 * 3)
        for step in 0..<2 {
            try await daemon.start()
            #expect(await lights.says("connected to \(daemon.socketPath)"))
            let client = try await daemon.connect()
            try await client.setNote(.melody, step: 3 * step, note: 4, .normal)
            let wanted = try await expected(client)
            #expect(wanted != black)
            try await receive(controller, until: wanted)
            #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
            try await receive(controller, until: black)
        }
        try await daemon.start()
        try await receive(controller, until: try await expected(daemon.connect()))
        #expect(await lights.end() == 0)
        try await receive(controller, until: black)
    }

    @Test func `the lights are black when the terminal is closed, unless started with nohup`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setNote(.melody, step: 0, note: 4, .normal)
        let wanted = try await expected(client)
        let controller = try DatagramPeer()
        let flags = ["--ddp", "127.0.0.1:\(controller.port)"] + crop
        let command = [URL.product("pixelboop-lights").path, "--socket", daemon.socketPath] + flags
        let home = try TemporaryDirectory()
        // These tests may have been started with nohup themselves.
        let lights = try ChildProgram(
            URL(filePath: "/usr/bin/env"), ["--default-signal=HUP"] + command, environment: ["HOME": home.path])
        try lights.start()
        try await receive(controller, until: wanted)
        #expect(await lights.end(with: SIGHUP) == 0)
        try await receive(controller, until: [UInt8](repeating: 0, count: wanted.count))
        let lasting = try ChildProgram(
            URL(filePath: "/usr/bin/nohup"), command, environment: ["HOME": home.path])
        try lasting.start()
        try await receive(controller, until: wanted)
        lasting.send(SIGHUP)
        // A new picture, which cannot be one from before the signal.
        try await client.setNote(.melody, step: 8, note: 4, .normal)
        try await receive(controller, until: try await expected(client))
        #expect(await lasting.end() == 0)
    }

    @Test func `Art-Net controllers get their universes, then a sync for all from the same socket`() async throws {
        let controller = try DatagramPeer()
        let network = try DatagramPeer(address: "127.255.255.255", port: controller.port)
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setNote(.rhythm, step: 31, note: 0, .accent)
        let lights = try ChildProgram(
            surface: "pixelboop-lights", socket: daemon.socketPath,
            flags: ["--artnet", "127.0.0.1:\(controller.port)", "--universe", "300"] + crop)
        try lights.start()
        var picture: [UInt8] = []
        var ports: Set<UInt16> = []
        for universe in 300..<305 {
            let datagram = try #require(await controller.receive())
            ports.insert(datagram.port)
            #expect(Array(datagram.bytes[8..<16]) == [0, 0x50, 0, 14, 1, 0, UInt8(universe & 255), 1])
            picture += datagram.bytes[18...]
        }
        #expect(picture == (try await expected(client)))
        let sync = try #require(await network.receive())
        #expect(sync.bytes == Array("Art-Net".utf8) + [0, 0, 0x52, 0, 14, 0, 0])
        #expect(ports == [sync.port])
        #expect(await lights.end() == 0)
    }

    @Test func `a controller that refuses is reported once, and retried`() async throws {
        try await daemon.start()
        var controller: DatagramPeer? = try DatagramPeer()
        let port = try #require(controller?.port)
        controller = nil
        let lights = try ChildProgram(
            surface: "pixelboop-lights", socket: daemon.socketPath, flags: ["--ddp", "127.0.0.1:\(port)"] + crop)
        try lights.start()
        #expect(await lights.says("DDP to 127.0.0.1:\(port): Connection refused; trying again"))
        let back = try DatagramPeer(port: port)
        try await receive(back, until: try await expected(daemon.connect()))
        #expect(await lights.end() == 0)
        #expect(lights.log.ranges(of: "refused; trying again").count == 1)
    }

    @Test(.needs(.pythonLibraries))
    func `a third-party sACN receiver sees the grid, and the end of the stream`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setNote(.bass, step: 7, note: 7, .normal)
        let receiver = try ChildProgram(peer: "sacn_receiver.py", "1", "5")
        #expect(await receiver.line() == "ready")
        let lights = try ChildProgram(
            surface: "pixelboop-lights", socket: daemon.socketPath, flags: ["--sacn", "127.0.0.1"] + crop)
        try lights.start()
        try await receive(try await expected(client)) { await receiver.line() }
        let identifier = try lights.directory.read(".local/state/pixelboop/lights-cid")
        #expect(UUID(uuidString: String(decoding: identifier.dropLast(), as: UTF8.self)) != nil)
        #expect(await lights.end() == 0)
        try await receiveEnd { await receiver.line() }
    }

    private static let multicast: [(network: TwoHosts.Network, flags: [String])] = [
        (.routed, []), (.unrouted, []), (.unrouted, ["--interface", "pb0"]), (.ambiguous, ["--interface", "pb0"]),
    ]

    @Test(.needs(.networkNamespaces), .needs(.pythonLibraries), arguments: multicast.indices)
    func `sACN by multicast reaches another host that asks for it`(index: Int) async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setNote(.bass, step: 7, note: 7, .normal)
        let hosts = try await TwoHosts(Self.multicast[index].network)
        let receiver = try ChildProgram(
            on: hosts, .second, Python.executable, [Python.path(of: "sacn_receiver.py"), "1", "5", "multicast"])
        #expect(await receiver.line() == "ready")
        let folder = try TemporaryDirectory()
        let lights = try ChildProgram(
            on: hosts, .first, .product("pixelboop-lights"),
            ["--socket", daemon.socketPath, "--sacn", "multicast", "--cid-file", folder.file("cid")]
                + Self.multicast[index].flags + crop)
        try await receive(try await expected(client)) { await receiver.line() }
        await lights.end()
        try await receiveEnd { await receiver.line() }
    }

    @Test(
        .needs(.networkNamespaces),
        arguments: [
            ([], "Network is unreachable (--interface says by which interface to send)"),
            (["--interface", "nothere0"], "no interface nothere0"),
        ])
    func `multicast that cannot leave is reported with the reason`(flags: [String], reason: String) async throws {
        try await daemon.start()
        let hosts = try await TwoHosts(.ambiguous)
        let folder = try TemporaryDirectory()
        let lights = try ChildProgram(
            on: hosts, .first, .product("pixelboop-lights"),
            ["--socket", daemon.socketPath, "--sacn", "multicast", "--cid-file", folder.file("cid")] + flags)
        #expect(await lights.says("sACN to multicast: \(reason); trying again"))
        #expect(await lights.end() == 0)
    }

    /// Reads an sACN receiver's output until the universes show a picture.
    private func receive(_ wanted: [UInt8], from next: () async -> String?) async throws {
        var universes: [Int: [UInt8]] = [:]
        while (1...5).flatMap({ universes[$0] ?? [] }).prefix(wanted.count) != wanted[...] {
            let words = try #require(await next()).split(separator: " ").map(String.init)
            guard words[0] == "data" else { continue }
            #expect(words[2] == "100")
            #expect(words[3] == "pixelboop-lights")
            universes[Int(words[1]) ?? 0] = Array(words[4].utf8.prefix(1020)).hexDecoded
        }
    }

    /// Reads an sACN receiver's output until all universes have ended, which must be black by then.
    private func receiveEnd(from next: () async -> String?) async throws {
        var universes: [Int: [UInt8]] = [:]
        var ended: Set<String> = []
        while ended.count < 5 {
            let words = try #require(await next()).split(separator: " ").map(String.init)
            if words[0] == "timeout" { ended.insert(words[1]) }
            if words[0] == "data" { universes[Int(words[1]) ?? 0] = Array(words[4].utf8).hexDecoded }
        }
        #expect(universes.count == 5)
        #expect(universes.values.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test func `errors in the configuration are reported, and end the program for good`() async throws {
        let lights = try ChildProgram(surface: "pixelboop-lights", flags: ["--ddp", "a b", "--fps", "0"])
        #expect(try await lights.run().code == EX_CONFIG)
        #expect(lights.log.contains("--ddp: ddp must be hosts"))
        #expect(lights.log.contains("--fps: fps must be an integer from 1 to 240"))
    }

    @Test func `a configuration report that standard output refuses is an error`() async throws {
        let outcome = try await Program.run(
            URL(filePath: "/bin/sh"),
            ["-c", "exec \"$0\" --check-config --preview >/dev/full", URL.product("pixelboop-lights").path],
            environment: ["HOME": "/nowhere", "PIXELBOOP_SOCKET": "/nowhere/control.sock"])
        #expect(outcome.complaint == "pixelboop-lights: cannot write the output: No space left on device\n")
        #expect(outcome.status == 1)
    }

    @Test func `the preview shows what is sent`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setNote(.melody, step: 0, note: 11, .normal)
        let controller = try DatagramPeer()
        let lights = try ChildProgram(
            surface: "pixelboop-lights", socket: daemon.socketPath,
            flags: ["--preview", "--ddp", "127.0.0.1:\(controller.port)", "--crop", "4,2,2,1"],
            environment: ["COLORTERM": "truecolor"])
        try lights.start()
        // The terminal may leave out a picture for a newer one, which is sent after it.
        let shown = try #require(await lights.line())
        var color = ""
        while !shown.contains("48;2;\(color)m  ") {
            let bytes = try #require(await controller.receive(), "\(shown) was not sent").bytes[10...]
            color = bytes.prefix(3).map { "\($0)" }.joined(separator: ";")
        }
        #expect(await lights.end() == 0)
    }
}

extension [UInt8] {
    /// The bytes that hexadecimal digits encode.
    fileprivate var hexDecoded: [UInt8] {
        stride(from: 0, to: count - 1, by: 2).compactMap {
            UInt8(String(decoding: self[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
