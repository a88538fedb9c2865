import CannedDaemon
import Instrument
import JSON
import Music
import PixelBoopClient
import ProgramTestSupport
import Systemd
import TestSupport
import Testing
import Wire

@testable import pixelboop

/// `pixelboop doctor`: each fault is planted, found and named with its remedy.
@Suite(.timeLimit(.minutes(1))) struct DoctorTests {
    /// A machine on which all is well.
    private static let well: Examination = {
        var state = InstrumentState()
        state.audio = AudioState(status: .running, rate: 48_000, period: 128)
        let statistics = Statistics(
            uptime: 61, audio: AudioStatistics(state: state.audio, xruns: 3, load: 0.04, worst: 212), clients: [],
            frames: DeliveryCounts(), errors: 0, memory: 12_582_912)
        let rights = SchedulingRights(realTimePriority: 95, lockedMemory: nil, isPrivileged: false)
        return Examination(
            version: "1.0", place: "your own, /run/user/7/pixelboop/control.sock",
            daemon: .success(
                Examination.Daemon(
                    version: "1.0", state: state, statistics: statistics,
                    ports: [
                        InstrumentPort(name: "main_L", connections: ["system:playback_1"]),
                        InstrumentPort(name: "main_R", connections: ["system:playback_2"]),
                        InstrumentPort(name: "midi_in"),
                    ])),
            process: Examination.Process(rights: rights, hasRealTimeThread: true, usesPipeWire: false), shell: rights,
            socket: Examination.Socket(isSocket: true, mode: 0o600, owner: "ada", group: "ada"), servers: ["jackd"],
            folders: [
                Examination.Folder(name: "state", path: "/s", freeBytes: 1 << 30),
                Examination.Folder(name: "data", path: "/d", freeBytes: 1 << 30),
            ], gateways: [Examination.Gateway(address: "127.0.0.1:8044")])
    }()

    typealias Plant = @Sendable (inout Examination) -> Void

    struct Fault: Sendable, CustomTestStringConvertible {
        var check: String
        var words: String
        var remedy: String
        var plant: Plant

        init(_ check: String, _ words: String, _ remedy: String, _ plant: @escaping Plant) {
            (self.check, self.words, self.remedy, self.plant) = (check, words, remedy, plant)
        }

        var testDescription: String { "\(check): \(words)" }
    }

    private static func daemon(_ change: @escaping @Sendable (inout Examination.Daemon) -> Void) -> Plant {
        { seen in
            guard var daemon = seen.answers else { return }
            change(&daemon)
            seen.daemon = .success(daemon)
        }
    }

    private static func silent(_ status: DriverState, servers: Set<String>) -> Plant {
        { seen in
            daemon { $0.state.audio = AudioState(status: status, reason: "why") }(&seen)
            seen.servers = servers
        }
    }

    /// A fault of a daemon that plays without a JACK server.
    private static func internally(_ plant: @escaping Plant) -> Plant {
        { seen in
            plant(&seen)
            daemon { daemon in
                daemon.state.audio.driver = .own
                daemon.statistics?.audio.state.driver = .own
            }(&seen)
            seen.process?.usesPipeWire = nil
            seen.servers = []
        }
    }

    private static func none(_ reason: String) -> Plant {
        { seen in
            seen.daemon = .failure(.noDaemon(path: "/a.sock", reason: reason))
            seen.process = nil
        }
    }

    private static let faults = [
        Fault("daemon", "none at /a.sock (Connection refused)", "start pixelboopd", none("Connection refused")),
        Fault("daemon", "does not let this user in", "socket-group", none("Permission denied")),
        Fault("daemon", "none at /a.sock", "for the system's daemon join its socket-group") { seen in
            none("No such file or directory")(&seen)
            seen.isShutOut = true
        },
        Fault("daemon", "/a.sock is not a socket", "remove it") { seen in
            none("Connection refused")(&seen)
            seen.socket?.isSocket = false
        },
        Fault("daemon", "speaks version 2", "same version") {
            $0.daemon = .failure(.protocolViolation("it speaks version 2, this program 1"))
        },
        Fault(
            "daemon", "1024 clients are connected already", "max-clients and systemctl --user reload pixelboopd"
        ) {
            $0.daemon = .failure(
                .refused(WireError(.tooManyClients, "1024 clients are connected already, the maximum")))
        },
        Fault("daemon", "does not answer: connection lost: timeout", "restart") {
            $0.daemon = .failure(.connectionLost(reason: "timeout"))
        },
        Fault(
            "versions", "pixelboop 1.0, pixelboopd 0.9", "systemctl --user restart pixelboopd",
            daemon { $0.version = "0.9" }),
        Fault("versions", "pixelboop 1.0, pixelboopd 0.9", "sudo systemctl restart pixelboopd") { seen in
            daemon { $0.version = "0.9" }(&seen)
            seen.isSystem = true
        },
        Fault("configuration", "line 3", "pixelboopd --check-config") { $0.configurationErrors = ["line 3"] },
        Fault("configuration", "line 3", "pixelboopd --config /etc/pixelboop/pixelboopd.toml --check-config") {
            $0.configurationErrors = ["line 3"]
            $0.isSystem = true
        },
        Fault("socket", "everyone may connect (666)", "restart") { $0.socket?.mode = 0o140666 },
        Fault("socket", "everyone may connect (602)", "restart") { seen in
            seen.socket?.mode = 0o140602
            seen.socket?.folders = [Examination.Socket.SocketPlace(mode: 0o40711, group: "root")]
        },
        Fault("rights", "no real-time priority, locked memory unlimited", "LimitRTPRIO") {
            $0.process?.rights.realTimePriority = 0
        },
        Fault("rights", "locked memory up to 8192 KiB", "LimitMEMLOCK") { $0.process?.rights.lockedMemory = 8 << 20 },
        Fault("rights", "(of this shell)", "LimitRTPRIO") { seen in
            seen.process = nil
            seen.daemon = .failure(.noDaemon(path: "/a.sock", reason: "none"))
            seen.shell.realTimePriority = 0
        },
        Fault("sound", "no server: why (no JACK server runs)", "jackd -d alsa", silent(.noServer, servers: [])),
        Fault("sound", "lost: why (runs: jackd)", "jack-server", silent(.lost, servers: ["jackd"])),
        Fault("sound", "no server: why (runs: pipewire)", "pw-jack", silent(.noServer, servers: ["pipewire"])),
        Fault("audio thread", "without real-time priority", "jackd -R") { $0.process?.hasRealTimeThread = false },
        Fault(
            "audio thread", "without real-time priority", "the rights above, then systemctl --user restart pixelboopd",
            internally { $0.process?.hasRealTimeThread = false }),
        Fault(
            "sound", "off: why", "journalctl --user -u pixelboopd",
            internally(silent(.off, servers: []))),
        Fault(
            "xruns", "2 in the last hour", "a longer period (the daemon's setting period)",
            internally(daemon { $0.statistics?.audio.xrunsLastHour = 2 })),
        Fault(
            "load", "81 % of each period", "a longer period (the daemon's setting period)",
            internally(daemon { $0.statistics?.audio.load = 0.81 })),
        Fault("ports", "no audio port is connected", "jack_connect", daemon { $0.ports = [] }),
        Fault("ports", "no audio port is connected", "sudo -u pixelboop jack_connect") { seen in
            daemon { $0.ports = [] }(&seen)
            seen.isSystem = true
        },
        Fault("ports", "no audio port is connected", "pw-jack jack_connect") { seen in
            daemon { $0.ports = [] }(&seen)
            seen.process?.usesPipeWire = true
        },
        Fault(
            "ports", "no audio port is connected; midi_in to a:out", "jack_connect",
            daemon { $0.ports = [InstrumentPort(name: "midi_in", connections: ["a:out"])] }),
        Fault(
            "xruns", "2 in the last hour, 3 since the start", "longer period",
            daemon { $0.statistics?.audio.xrunsLastHour = 2 }),
        Fault("load", "81 % of each period", "longer period", daemon { $0.statistics?.audio.load = 0.81 }),
        Fault(
            "saving", "cannot be saved: disk full", "make room",
            daemon { $0.state.storage = StorageState(status: .failing, reason: "disk full") }),
        Fault(
            "takes", "none are kept: the disk is full; 1 take, 1 of them starred, 40 KiB", "raise takes-size",
            daemon { $0.takes = TakeList(takes: [.example], status: .stopped, reason: "the disk is full") }),
        Fault("disk", "data /d: 15 MiB free", "make room") { $0.folders[1].freeBytes = 15 << 20 },
        Fault("disk", "state /s: read-only", "state-dir") { $0.folders[0].isReadOnly = true },
        Fault("gateway", "does not answer at 127.0.0.1:8044 (Connection refused)", "--user restart pixelboop-web") {
            $0.gateways[0].refusal = "Connection refused"
        },
        Fault("gateway", "does not answer at 127.0.0.1:8044", "sudo systemctl restart pixelboop-web") {
            $0.gateways[0].refusal = "Connection refused"
            $0.gateways[0].isSystem = true
        },
    ]

    @Test func `all is well where nothing is wrong`() {
        let report = Report(Self.well)
        #expect(report.status == .done)
        #expect(report.findings.allSatisfy { $0.verdict.word == "well" }, "\(report.inWords)")
        #expect(report.inWords.contains("ok    sound          JACK, 48000 Hz, 128 frames a period (2.67 ms)\n"))
        #expect(report.inWords.contains("main_L to system:playback_1, main_R to system:playback_2"))
    }

    @Test(arguments: faults)
    func `a fault is named with its remedy`(fault: Fault) throws {
        var seen = Self.well
        fault.plant(&seen)
        let report = Report(seen)
        #expect(report.status == .refused)
        let found = try #require(report.findings.first { $0.check.name == fault.check }).verdict
        #expect(found.word == "fault" && found.text.contains(fault.words), "\(report.inWords)")
        #expect(found.remedy?.contains(fault.remedy) == true && found.remedy?.contains("\n") == false)
        #expect(report.inWords.contains("FAULT \(fault.check)"))
    }

    @Test(arguments: faults)
    func `no remedy for the internal driver is about JACK`(fault: Fault) throws {
        guard !["sound", "ports"].contains(fault.check) else { return }
        var seen = Self.well
        Self.internally(fault.plant)(&seen)
        guard seen.isInternal else { return }
        let report = Report(seen).inWords
        #expect(!report.contains("jack") && !report.contains("PipeWire"), "\(report)")
    }

    @Test(
        arguments: [
            (0o755, [], "ada and root may connect (755)"), (0o644, [], "ada and root may connect (644)"),
            (0o660, [], "ada and root may connect, and the group audio (660)"),
            (0o640, [], "ada and root may connect (640)"),
            // Nobody else can pass the folder, or only its group.
            (0o666, [(0o755, "root"), (0o700, "ada")], "ada and root may connect (666)"),
            (0o666, [(0o755, "root"), (0o750, "audio")], "ada and root may connect, and the group audio (666)"),
            (0o660, [(0o750, "ada")], "ada and root may connect (660)"),
        ] as [(UInt32, [(UInt32, String)], String)])
    func `who may connect is judged by the rights to write to the socket and to pass its folders`(
        mode: UInt32, folders: [(UInt32, String)], words: String
    ) throws {
        var seen = Self.well
        seen.socket = Examination.Socket(
            isSocket: true, mode: 0o140000 | mode, owner: "ada", group: "audio",
            folders: folders.map { Examination.Socket.SocketPlace(mode: 0o40000 | $0.0, group: $0.1) })
        #expect(Check.socket.look(seen) == .well(words))
    }

    @Test func `for a tablet the gateway's address is named, or what makes it reachable`() {
        var seen = Self.well
        #expect(Check.gateway.look(seen).text.contains("pixelboop-web --lan"))
        seen.gateways[0].isLocal = false
        #expect(Check.gateway.look(seen).text.contains("pixelboop-web --print-url"))
        seen.gateways = []
        #expect(Check.gateway.look(seen).text.contains("pixelboop-web --lan"))
    }

    @Test func `each check has a planted fault`() {
        #expect(Set(Self.faults.map(\.check)) == Set(Check.all.map(\.name)))
    }

    @Test func `what cannot be checked is reported, but not as a fault`() {
        var seen = Self.well
        seen.process?.hasRealTimeThread = nil
        let report = Report(seen)
        #expect(report.status == .usage)
        #expect(report.inWords.contains("?     audio thread"))
    }

    @Test func `limits are read in the format of /proc`() {
        let limits = """
            Limit                     Soft Limit           Hard Limit           Units
            Max locked memory         8388608              unlimited            bytes
            Max realtime priority     95                   99
            """
        let rights = SchedulingRights(limits: limits, isPrivileged: false)
        #expect(rights.realTimePriority == 95 && rights.lockedMemory == 8 << 20 && !rights.isPrivileged)
        let unlimited = SchedulingRights(
            limits: limits.replacing("8388608  ", with: "unlimited"), isPrivileged: false)
        #expect(unlimited.lockedMemory == nil)
    }

    @Test func `a daemon's settings are found by its flags and variables`() async throws {
        let place = try TemporaryDirectory()
        let folder = try TemporaryDirectory()
        let daemon = try ChildProgram(
            .product("pixelboopd"),
            [
                "--driver=internal", "--socket", place.socket, "--state-dir", folder.file("state"), "--data-dir",
                folder.file("data"),
            ], environment: ["PATH": "/usr/bin:/bin"])
        try daemon.start()
        try await daemon.wait(for: "listening")
        let report = try await Program.run(["doctor"], socket: place.socket).output
        #expect(report.contains("ok    configuration"), "\(report)")
        #expect(report.contains("state \(folder.file("state"))"))
        await daemon.end()
    }

    @Test(arguments: [[], ["--json"]])
    func `without a daemon the rest is still checked`(flags: [String]) async throws {
        let place = try TemporaryDirectory()
        let outcome = try await Program.run(["doctor"] + flags, socket: place.socket)
        #expect(outcome.status == 1 && outcome.complaint.isEmpty)
        guard flags.isEmpty else {
            let report = try JSONValue(parsing: outcome.output).objectValue
            #expect(report?["status"] == 1)
            #expect(report?["checks"]?.arrayValue?.count == Check.all.count)
            return
        }
        #expect(outcome.output.contains("FAULT daemon         none at \(place.socket) (No such file or directory)"))
        #expect(outcome.output.contains("rights"))
    }
}
