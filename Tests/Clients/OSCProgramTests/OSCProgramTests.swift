import DaemonTestSupport
import Foundation
import Instrument
import JSON
import JackTestSupport
import LinkTestSupport
import OSC
import PixelBoopClient
import SurfaceTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

/// The built program on a daemon without JACK, with third-party peers: liblo's tools and python-osc.
@Suite(.timeLimit(.minutes(2))) struct OSCProgramTests {
    private let daemon: DaemonProcess

    init() throws { daemon = try DaemonProcess(jackServer: "none-\(UUID().uuidString.prefix(6))") }

    /// A bridge that listens, and its port.
    private func bridge(to other: DaemonProcess? = nil) async throws -> (ChildProgram, UInt16) {
        let bridge = try ChildProgram(
            surface: "pixelboop-osc", socket: (other ?? daemon).socketPath, flags: ["--listen", "127.0.0.1:0"])
        try bridge.start()
        #expect(await bridge.says("listening on"))
        let port = bridge.log.split(separator: ":").last.flatMap { UInt16($0) }
        return (bridge, try #require(port))
    }

    private func peer(_ kind: String, _ port: UInt16) async throws -> ChildProgram {
        let peer = try ChildProgram(peer: "osc_client.py", kind, "\(port)")
        #expect(await peer.line() == "ready")
        return peer
    }

    @Test(.needs(.pythonLibraries), arguments: ["udp", "tcp"])
    func `python-osc calls methods, is answered, and gets events`(
        kind: String
    ) async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let peer = try await peer(kind, port)
        peer.write(#"["/pixelboop/tempo/set", 133.5]"#)
        #expect(await peer.line() == #"["/pixelboop/reply", "tempo.set", "{\"bpm\":133.5}"]"#)
        peer.write(#"["/pixelboop/tempo/set", 900]"#)
        let refusal = try #require(await peer.line())
        #expect(refusal.hasPrefix(#"["/pixelboop/error", "tempo.set", -32602, "bpm: "#), "\(refusal)")
        peer.write(#"["/pixelboop/nothing"]"#)
        #expect(await peer.line()?.hasPrefix(#"["/pixelboop/error", "nothing", -32601, "#) == true)
        // Not for remote clients, which all OSC senders are.
        peer.write(#"["/pixelboop/export/midi", "path", "/tmp/x.mid"]"#)
        #expect(await peer.line()?.hasPrefix(#"["/pixelboop/error", "export.midi", -32007, "#) == true)
        peer.write(#"["/pixelboop/subscribe", "state"]"#)
        var told: [String] = []
        while let line = await peer.line(), !line.contains("subscribe") { told.append(line) }
        while !told.contains(#"["/pixelboop/state/bpm", 133.5]"#) { told.append(try #require(await peer.line())) }
        try await daemon.connect().call("track.set", ["track": "bass", "gain": -6])
        while let line = await peer.line(), line != #"["/pixelboop/state/tracks/bass/gain", -6]"# {
            #expect(line.hasPrefix(#"["/pixelboop/state/"#))
        }
        #expect(await bridge.end() == 0)
        if kind == "tcp" { while let line = await peer.line(), line != "closed" {} }
    }

    @Test(.needs(.pythonLibraries))
    func `a punch-in is held by one message, and ended by another or by silence`() async throws {
        let daemon = try DaemonProcess(jackServer: "none", flags: ["--driver", "internal"])
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        var events = try await client.subscribe(to: [.punch]).makeAsyncIterator()
        let (bridge, port) = try await bridge(to: daemon)
        let peer = try await peer("udp", port)
        let held = PunchEvent(effect: .throw, amount: 0.25, tracks: [.bass])
        for isEnded in [true, false] {
            peer.write(#"["/pixelboop/punch/set", "throw", 0.25, "tracks", "[\"bass\"]"]"#)
            #expect(await peer.line() == #"["/pixelboop/reply", "punch.set", "{\"held\":true}"]"#)
            #expect(try await events.next() == .punch(held))
            if isEnded {
                peer.write(#"["/pixelboop/punch/end", "throw"]"#)
                #expect(await peer.line() == #"["/pixelboop/reply", "punch.end", "{}"]"#)
            }
            #expect(try await events.next() == .punch(PunchEvent(effect: .throw)))
        }
        #expect(await bridge.end() == 0)
    }

    @Test(.needs(.pythonLibraries))
    func `a button of TouchOSC acts when it is pressed`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let peer = try await peer("udp", port)
        for step in 1...3 { peer.write(#"["/pixelboop/note/set", "bass", \#(step), 0, "normal"]"#) }
        for _ in 1...3 { #expect(await peer.line()?.hasPrefix(#"["/pixelboop/reply", "note.set", "#) == true) }
        for value in ["1.0", "0.0", "1.0", "0.0"] { peer.write(#"["/pixelboop/history/undo", \#(value)]"#) }
        peer.write(#"["/pixelboop/ping", 1.0]"#)
        for left in [#"{\"undo\":2,\"redo\":1"#, #"{\"undo\":1,\"redo\":2"#] {
            let answer = #"["/pixelboop/reply", "history.undo", "\#(left),\"what\":\"the notes of Bass\"}"]"#
            #expect(await peer.line() == answer)
        }
        #expect(await peer.line() == #"["/pixelboop/reply", "ping", "{}"]"#)
        #expect(await bridge.end() == 0)
    }

    @Test func `answers and events go to the port that a sender names`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let (device, display) = (try DatagramPeer(), try DatagramPeer())
        func send(_ message: OSCMessage) { device.send(message.bytes, to: port) }
        send(OSCMessage("/pixelboop/subscribe", .string("state")))
        while let message = await device.message(), message.address != "/pixelboop/reply" {}
        send(OSCMessage("/pixelboop/reply/to", .integer(Int32(display.port))))
        // The state from its beginning, and the answer.
        var told: [OSCMessage] = []
        let (answer, tempo) = (reply("reply.to"), OSCMessage("/pixelboop/state/bpm", .integer(120)))
        while !told.contains(answer) || !told.contains(tempo) { told.append(try #require(await display.message())) }
        send(OSCMessage("/pixelboop/ping"))
        while let message = await display.message(), message != reply("ping") {}
        try await daemon.connect().call("tempo.set", ["bpm": 97])
        while let message = await display.message(), message != OSCMessage("/pixelboop/state/bpm", .integer(97)) {}
        send(OSCMessage("/pixelboop/reply/to", .integer(Int32(port))))
        var refusal = try #require(await display.message())
        while refusal.address.hasPrefix("/pixelboop/state/") { refusal = try #require(await display.message()) }
        #expect(
            refusal.arguments == [
                .string("reply.to"), .integer(-32_602), .string("port: \(port) is the bridge's own"),
            ])
        #expect(await bridge.end() == 0)
    }

    private func reply(_ method: String) -> OSCMessage {
        OSCMessage("/pixelboop/reply", .string(method), .string("{}"))
    }

    @Test(.needs(.pythonLibraries), .needs(.networkNamespaces))
    func `another machine confirms itself before it gets events, or is named by the configuration`() async throws {
        try await daemon.start()
        let hosts = try await TwoHosts()
        let bridge = try ChildProgram(
            on: hosts, .first, .product("pixelboop-osc"),
            ["--socket", daemon.socketPath, "--listen", "10.77.0.1:9044", "--peer", "10.77.0.2:9001"])
        #expect(await bridge.says("listening on"))
        func peer(_ ownPort: Int) async throws -> ChildProgram {
            let peer = try ChildProgram(
                on: hosts, .second, Python.executable,
                [Python.path(of: "osc_client.py"), "udp", "9044", "10.77.0.1", "\(ownPort)"])
            #expect(await peer.line() == "ready")
            return peer
        }
        let stranger = try await peer(9002)
        stranger.write(#"["/pixelboop/subscribe", "state"]"#)
        let confirmation = try #require(await stranger.line())
        #expect(confirmation.hasPrefix(#"["/pixelboop/confirm", "#), "\(confirmation)")
        let refusal = #"["/pixelboop/error", "subscribe", -32099, "confirm yourself first"]"#
        #expect(await stranger.line() == refusal)
        // It may play all the same.
        stranger.write(#"["/pixelboop/tempo/set", 133]"#)
        #expect(await stranger.line() == #"["/pixelboop/reply", "tempo.set", "{\"bpm\":133}"]"#)
        stranger.write(#"["/pixelboop/confirm", 0]"#)
        stranger.write(#"["/pixelboop/subscribe", "state"]"#)
        #expect(await stranger.line() == refusal)
        stranger.write(confirmation)
        stranger.write(#"["/pixelboop/subscribe", "state"]"#)
        while let line = await stranger.line(), line != #"["/pixelboop/state/bpm", 133]"# {
            let isAnswer = line == #"["/pixelboop/reply", "subscribe", "{}"]"#
            #expect(isAnswer || line.hasPrefix(#"["/pixelboop/state/"#), "\(line)")
        }
        let known = try await peer(9001)
        known.write(#"["/pixelboop/subscribe", "step"]"#)
        #expect(await known.line() == #"["/pixelboop/reply", "subscribe", "{}"]"#)
        #expect(await bridge.end() == 0)
    }

    @Test func `a peer that sends everything back is soon quiet`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let echo = try DatagramPeer()
        for message in [
            OSCMessage("/pixelboop/ping"), OSCMessage("/pixelboop/nothing"), OSCMessage("/pixelboop/namespace"),
            OSCMessage("/pixelboop/subscribe", .string("state")),
        ] {
            echo.send(message.bytes, to: port)
        }
        var answers: [String] = []
        while let message = await echo.message() {
            echo.send(message.bytes, to: port)
            let isState = message.address.hasPrefix("/pixelboop/state/")
            let answer = "\(message.address.split(separator: "/").last ?? "") \(message.arguments.first?.text ?? "")"
            if !isState { answers.append(answer) }
            // Its own answer comes after those to everything that was sent back before.
            if answer == "reply subscribe" { echo.send(OSCMessage("/pixelboop/the/end").bytes, to: port) }
            if answer == "error the.end" { break }
        }
        #expect(
            answers.filter { !$0.hasPrefix("namespace ") }
                == ["reply ping", "error nothing", "reply subscribe", "error the.end"])
        #expect(answers.count == 4 + 1 + Methods.all.count)
        #expect(await bridge.end() == 0)
    }

    @Test(.needs(.pythonLibraries))
    func `a touch is answered only if it is refused`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let peer = try await peer("udp", port)
        peer.write(#"["/pixelboop/touch", 1, "down", 4.5, 4.5]"#)
        for (values, field) in [
            (#"1, "sideways", 4, 4"#, "phase"), (#"1, "move""#, "x"), (#"1, "move", "left", 4"#, "x"),
        ] {
            peer.write(#"["/pixelboop/touch", \#(values)]"#)
            let refusal = try #require(await peer.line())
            #expect(refusal.hasPrefix(#"["/pixelboop/error", "touch", -32602, "\#(field): "#), "\(refusal)")
        }
        peer.write(#"["/pixelboop/touch", 1, "cancel"]"#)
        peer.write(#"["/pixelboop/ping"]"#)
        #expect(await peer.line() == #"["/pixelboop/reply", "ping", "{}"]"#)
        #expect(await bridge.end() == 0)
    }

    @Test func `whoever asks for a port is shown the address that has it`() async throws {
        let ended = try await ChildProgram(surface: "pixelboop-osc", flags: ["--port", "9000"]).run()
        #expect(ended.log.contains("Unknown option '--port'. Did you mean '--listen'? An address to listen on"))
    }

    @Test func `a port that is in use is named`() async throws {
        let (first, port) = try await bridge()
        let second = try ChildProgram(
            surface: "pixelboop-osc", socket: daemon.socketPath, flags: ["--listen", "127.0.0.1:\(port)"])
        try second.start()
        #expect(await second.says("cannot listen on 127.0.0.1:\(port): Address already in use"))
        #expect(await second.end() == 1)
        #expect(await first.end() == 0)
    }

    /// Some containers may not change their own network's settings.
    @Test(.needs(.networkNamespaces), .enabled(if: access("/proc/sys/net/ipv4/ip_local_port_range", W_OK) == 0))
    func `port 0 stands for a port that is free by UDP and by TCP`() async throws {
        let hosts = try await TwoHosts()
        // Of the two ports that the system chooses from, another program has one.
        let script = """
            echo 40000 40001 >/proc/sys/net/ipv4/ip_local_port_range
            exec /usr/bin/python3 -uc '
            import socket, sys
            taken = socket.create_server(("127.0.0.1", 40000))
            print("taken")
            sys.stdin.read()'
            """
        let other = try ChildProgram(on: hosts, .first, URL(filePath: "/bin/bash"), ["-ec", script])
        try #require(await other.line() == "taken")
        // It chooses at random.
        for _ in 0..<8 {
            let bridge = try ChildProgram(
                on: hosts, .first, .product("pixelboop-osc"),
                ["--socket", "/nowhere/control.sock", "--listen", "127.0.0.1:0"])
            #expect(await bridge.says("listening on 127.0.0.1:40001"))
            #expect(await bridge.end() == 0)
        }
        await other.endOfInput()
    }

    @Test func `liblo's oscsend is understood`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let client = try await daemon.connect()
        for words in [
            ["/pixelboop/note/set", "siis", "melody", "5", "4", "accent"],
            ["/pixelboop/track/set", "ssTsf", "bass", "mute", "pan", "-0.5"],
            ["/pixelboop/swing/set", "d", "0.6"], ["/pixelboop/length/set", "h", "16"],
        ] {
            #expect(ChildProgram.succeeds(["oscsend", "osc.udp://127.0.0.1:\(port)"] + words))
        }
        try await client.waitForState { state in
            let bass = state.json["tracks"]?.objectValue?["bass"]?.objectValue
            return state.json["length"] == 16 && state.json["swing"] == 0.6 && bass?["mute"] == true
                && bass?["pan"] == -0.5
        }
        #expect(await bridge.end() == 0)
    }

    @Test func `liblo's oscdump reads the packets written here`() async throws {
        let place = try DatagramPeer()
        let port = try DatagramPeer().port
        let dump = try ChildProgram(URL(filePath: "/usr/bin/oscdump"), ["-L", "\(port)"]).start()
        // It would notice a signal that it handles only with the next packet.
        defer { dump.send(SIGKILL) }
        let message = OSCMessage(
            "/pixelboop/all", .integer(-7), .float(0.5), .string("BASS é"), .long(1 << 40), .double(0.25),
            .boolean(true), .boolean(false))
        // It does not say when it listens.
        let sending = Task {
            while !Task.isCancelled {
                place.send(OSCPacket.bundle(.immediately, [.message(message)]).bytes, to: port)
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        let line = try #require(await dump.line())
        sending.cancel()
        #expect(line.hasSuffix(#"/pixelboop/all ifshdTF -7 0.500000 "BASS é" 1099511627776 0.250000 #T #F"#), "\(line)")
    }

    @Test(.needs(.pythonLibraries))
    func `anything but OSC is ignored by UDP, and ends a TCP connection`() async throws {
        try await daemon.start()
        let (bridge, port) = try await bridge()
        let stranger = try DatagramPeer()
        for bytes in ["GET / HTTP/1.1\r\n\r\n", "/pixelboop/tempo/set\0\0\0\0,b\0\0"] {
            stranger.send(Array(bytes.utf8), to: port)
        }
        #expect(await bridge.says("sends invalid OSC packets, which are ignored"))
        // Ends when the connection does.
        let post = #"exec 3<>/dev/tcp/127.0.0.1/\#(port); printf 'POST /pixelboop/undo HTTP/1.1\r\n\r\n' >&3; cat <&3"#
        _ = try await ChildProgram(URL(filePath: "/bin/bash"), ["-c", post]).run()
        let peer = try await peer("udp", port)
        peer.write(#"["/pixelboop/ping"]"#)
        #expect(await peer.line() == #"["/pixelboop/reply", "ping", "{}"]"#)
        #expect(await bridge.end() == 0)
        #expect(bridge.log.contains("2 packets were malformed, 0 messages were dropped"))
        // It has an address, so its sender is told.
        #expect(await stranger.message()?.arguments.first == .string("tempo.set"))
    }

    @Test(.needs(.pythonLibraries))
    func `a sender gets an error while there is no daemon, and continues when it is back`() async throws {
        let (bridge, port) = try await bridge()
        let peer = try await peer("udp", port)
        for _ in 0..<2 {
            peer.write(#"["/pixelboop/ping"]"#)
            #expect(await peer.line()?.hasPrefix(#"["/pixelboop/error", "ping", -32000, "no daemon at "#) == true)
            try await daemon.start()
            peer.write(#"["/pixelboop/ping"]"#)
            #expect(await peer.line() == #"["/pixelboop/reply", "ping", "{}"]"#)
            #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
        }
        #expect(await bridge.end() == 0)
    }

    @Test(.needs(.pythonLibraries))
    func `without a descriptor for a connection accepting pauses, and resumes when there is one`() async throws {
        let (bridge, port) = try await bridge()
        // Fewer than it has open.
        try FileLimit.limit(bridge.identifier, to: 5)
        let peer = try await peer("tcp", port)
        #expect(await bridge.says("cannot accept clients: "))
        let before = try ThreadTimes(of: bridge.identifier)
        // There is nothing to wait for in the meantime.
        try await Task.sleep(for: .seconds(2))
        let times = try ThreadTimes(of: bridge.identifier).milliseconds(since: before)
        #expect(times.reduce(0) { $0 + $1.milliseconds } < 400, "\(times)")
        try FileLimit.limit(bridge.identifier, to: 100)
        peer.write(#"["/pixelboop/ping"]"#)
        #expect(await peer.line()?.hasPrefix(#"["/pixelboop/error", "ping", -32000, "#) == true)
        #expect(await bridge.says("clients can be accepted again"))
        #expect(await bridge.end() == 0)
    }

    @Test(.needs(.pythonLibraries))
    func `all addresses are listed`() async throws {
        let (bridge, port) = try await bridge()
        let peer = try await peer("tcp", port)
        peer.write(#"["/pixelboop/namespace"]"#)
        while let line = await peer.line(), line != #"["/pixelboop/namespace", "/pixelboop/tempo/set", "f", "bpm"]"# {
            #expect(line.hasPrefix(#"["/pixelboop/namespace", "/pixelboop/"#))
        }
        #expect(await bridge.end() == 0)
    }
}

extension DatagramPeer {
    /// Waits for the next message.
    fileprivate func message() async -> OSCMessage? {
        guard let datagram = await receive(), case .message(let message)? = try? OSCPacket(decoding: datagram.bytes)
        else { return nil }
        return message
    }
}
