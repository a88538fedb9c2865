import DaemonTestSupport
import Foundation
import JackTestSupport

/// Two hosts on a wire of their own: network namespaces, joined by a pair of virtual cards, with a default route each.
/// What is sent there by multicast reaches nothing else. They go with their keepers, and these with the test.
final class TwoHosts {
    /// One of the two.
    enum Host { case first, second }

    /// Why there cannot be namespaces here, nil when there can.
    static let obstacle: String? = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = unshare + ["ip", "link", "add", "pb0", "type", "veth", "peer", "name", "pb1"]
        (probe.standardOutput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        do {
            try probe.run()
        } catch {
            return "\(error)"
        }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? nil : "this system lets nobody make network namespaces"
    }()

    private static let unshare = ["unshare"] + (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--net"]

    private let keeper = Process()
    private let input = Pipe()
    private var namespaces: [Host: String] = [:]

    /// Makes the namespaces; returns when the wire is up.
    init() async throws {
        let output = Pipe()
        keeper.executableURL = URL(filePath: "/usr/bin/env")
        // Both end with the end of their input.
        keeper.arguments =
            Self.unshare + [
                "bash", "-ec",
                """
                exec 4<&0
                coproc unshare --net bash -c 'echo $BASHPID; cat <&4'
                read -r other <&${COPROC[0]}
                ip link add pb0 type veth peer name pb1 netns $other
                up() {
                    ip address add $2 dev $1
                    ip link set $1 up
                    ip link set lo up
                    ip route add default dev $1
                }
                up pb0 10.77.0.1/24
                nsenter --net=/proc/$other/ns/net bash -ec "$(declare -f up); up pb1 10.77.0.2/24"
                echo $BASHPID $other
                cat
                """,
            ]
        (keeper.standardInput, keeper.standardOutput) = (input, output)
        keeper.standardError = FileHandle.nullDevice
        try keeper.run()
        let line = await LineReader(output.fileHandleForReading).next() ?? ""
        let processes = line.split(separator: " ").map(String.init)
        guard processes.count == 2 else { throw CocoaError(.executableLoad) }
        namespaces = [.first: processes[0], .second: processes[1]]
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if keeper.isRunning { keeper.terminate() }
    }

    /// The words that run a program on a host.
    func command(_ host: Host, _ program: URL, _ arguments: [String]) -> [String] {
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        return ["nsenter", "--target", namespaces[host] ?? ""] + user + ["--net", program.path] + arguments
    }
}

/// A program on one of two hosts that is talked to by lines.
final class HostProgram {
    private let process = Process()
    private let exit: ProcessExit
    private let input = Pipe()
    private let reader: LineReader

    /// Starts a program.
    ///
    /// - Parameter readsErrors: Whether its lines are those of its standard error.
    init(
        on hosts: TwoHosts, _ host: TwoHosts.Host, _ program: String, _ arguments: [String] = [],
        readsErrors: Bool = false
    ) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = hosts.command(host, .product(program), arguments)
        process.standardInput = input
        process.standardOutput = readsErrors ? FileHandle.nullDevice : output
        process.standardError = readsErrors ? output : FileHandle.nullDevice
        exit = ProcessExit(of: process)
        try process.run()
        reader = LineReader(output.fileHandleForReading)
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Says a line to it.
    func say(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// The next line that it says, nil at the end.
    func next() async -> String? { await reader.next() }

    /// Has it end, and waits until it has.
    func end() async {
        process.terminate()
        await exit.wait()
    }
}

/// A second peer in the session.
final class Peer {
    /// The session as the peer sees it.
    struct State: Decodable {
        var usecs: Double
        var beat: Double
        var bpm: Double
        var playing: Bool
        var peers: Int
    }

    struct Ended: Error {}

    private let program: HostProgram

    init(on hosts: TwoHosts, _ host: TwoHosts.Host = .second, bpm: Double) throws {
        program = try HostProgram(on: hosts, host, "link-peer", ["\(bpm)"])
    }

    /// Has it do something: `tempo 130`, `play`, `stop`.
    func say(_ line: String) { program.say(line) }

    /// Waits until it sees the session as wanted.
    @discardableResult
    func waits(_ condition: (State) -> Bool) async throws -> State {
        program.say("state")
        while let line = await program.next() {
            let state = try JSONDecoder().decode(State.self, from: Data(line.utf8))
            if condition(state) { return state }
        }
        throw Ended()
    }

    /// The session as it sees it now.
    func state() async throws -> State {
        let before = Double(rawNanoseconds()) / 1000
        return try await waits { $0.usecs >= before }
    }

    func end() async { await program.end() }
}

/// The system's monotonic clock without corrections, in ns.
func rawNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
