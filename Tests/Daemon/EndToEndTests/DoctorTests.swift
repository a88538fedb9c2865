import Configuration
import DaemonTestSupport
import Foundation
import JSON
import PixelBoopClient
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

/// `pixelboop doctor` beside real daemons, with real faults.
@Suite(.timeLimit(.minutes(3))) struct DoctorTests {
    /// Doctor's findings: verdict and text of each check.
    private struct Findings {
        var status: Int32
        private let checks: [String: JSONObject]

        init(_ daemon: DaemonProcess, environment: [String: String] = [:]) async throws {
            let outcome = try await Program.run(
                Program.url, ["doctor", "--json"],
                environment: [
                    "PIXELBOOP_SOCKET": daemon.socketPath, "PATH": "/usr/bin:/bin", "HOME": daemon.directory.path,
                    "XDG_RUNTIME_DIR": daemon.runtimeDirectory,
                ].merging(environment) { $1 })
            #expect(outcome.complaint.isEmpty)
            status = outcome.status
            let list = try JSONValue(parsing: outcome.output).objectValue?["checks"]?.arrayValue ?? []
            let objects = list.compactMap(\.objectValue)
            checks = Dictionary(uniqueKeysWithValues: objects.map { ($0["check"]?.stringValue ?? "", $0) })
        }

        func verdict(_ check: String) -> String? { checks[check]?["verdict"]?.stringValue }
        func text(_ check: String) -> String { checks[check]?["text"]?.stringValue ?? "" }
    }

    @Test func `a daemon on a server is found well, with its ports' connections`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await waitUntil { try await client.ports().first?.connections == ["system:playback_1"] }
            let found = try await Findings(stage.daemon)
            // A busy machine loses periods, and tests must not depend on its rights.
            for check in ["daemon", "versions", "configuration", "socket", "sound", "ports", "saving"] {
                #expect(found.verdict(check) == "well", "\(check): \(found.text(check))")
            }
            #expect(found.text("sound").hasPrefix("JACK, ") && found.text("sound").contains("256 frames a period"))
            #expect(found.text("ports").hasPrefix("main_L to system:playback_1, main_R to system:playback_2"))
            #expect(found.text("disk").contains(stage.daemon.stateDirectory.path))
            #expect(found.verdict("gateway") == "none")
        }
    }

    @Test func `unconnected ports, an open socket and a silent gateway are faults`() async throws {
        try await Stage.with(flags: ["--no-connect"]) { stage in
            _ = try await stage.connect()
            var place = stage.daemon.socketPath
            chmod(place, 0o755)
            let closed = try await Findings(stage.daemon)
            #expect(closed.verdict("socket") == "well" && closed.text("socket").contains("755"))
            chmod(place, 0o666)
            let shielded = try await Findings(stage.daemon)
            #expect(shielded.verdict("socket") == "well" && shielded.text("socket").contains("666"))
            while place.count > stage.daemon.directory.path.count {
                place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                chmod(place, 0o755)
            }
            let environment = ["XDG_RUNTIME_DIR": stage.daemon.runtimeDirectory]
            let notice = try GatewayNotice(
                of: RunningGateway(
                    addresses: [ListenAddress(address: "127.0.0.1", port: 1)], hosts: [], isEncrypted: false,
                    demandsToken: false, tokenFile: "/nowhere"), environment: environment)
            let found = try await Findings(stage.daemon)
            withExtendedLifetime(notice) {}
            #expect(found.status == 1)
            #expect(found.verdict("ports") == "fault" && found.text("ports") == "no audio port is connected")
            #expect(found.verdict("socket") == "fault" && found.text("socket").contains("666"))
            #expect(found.verdict("gateway") == "fault" && found.text("gateway").contains("127.0.0.1:1"))
        }
    }

    @Test func `a daemon that was killed is a fault, and so is one without a server`() async throws {
        let daemon = try DaemonProcess(jackServer: "pb-none-\(UUID().uuidString.prefix(8))")
        try await daemon.start()
        let silent = try await Findings(daemon)
        #expect(silent.status == 1)
        #expect(silent.verdict("daemon") == "well" && silent.verdict("sound") == "fault")
        #expect(silent.text("sound").hasPrefix("no server"))
        // A daemon that hangs must not count as one of another version.
        kill(await daemon.identifier, SIGSTOP)
        let hung = try await Findings(daemon)
        #expect(hung.text("daemon").hasPrefix("it does not answer"), "\(hung.text("daemon"))")
        _ = await daemon.end(with: SIGKILL)
        let dead = try await Findings(daemon)
        #expect(dead.status == 1 && dead.text("daemon").contains("Connection refused"))
    }

    @Test(.needs(.smallDisk)) func `a full disk and a wrong configuration are faults`() async throws {
        let disk = try SmallDisk()
        let daemon = try DaemonProcess(
            jackServer: "unused", flags: ["--driver", "internal", "--data-dir", disk.path])
        try await daemon.start()
        let found = try await Findings(daemon)
        #expect(found.verdict("disk") == "fault" && found.text("disk").contains("data \(disk.path): 0 MiB free"))
        #expect(found.text("ports").contains("internal driver"))
        let wrong = try await Findings(daemon, environment: ["PIXELBOOP_MAX_CLIENTS": "many"])
        #expect(wrong.verdict("configuration") == "fault")
        #expect(wrong.text("configuration").contains("PIXELBOOP_MAX_CLIENTS"))
        _ = await daemon.end(with: SIGTERM)
    }
}
