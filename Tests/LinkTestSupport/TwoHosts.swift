import DaemonTestSupport
import Foundation
import TestSupport

/// Two hosts on a wire of their own: network namespaces, joined by a pair of virtual cards, with a default route each.
/// What is sent there by multicast reaches nothing else. They go with their keepers, and these with the test.
package final class TwoHosts {
    /// One of the two.
    package enum Host { case first, second }

    /// Whether there can be namespaces here.
    fileprivate static let isPossible: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = unshare + ["ip", "link", "add", "pb0", "type", "veth", "peer", "name", "pb1"]
        (probe.standardOutput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        do {
            try probe.run()
        } catch {
            return false
        }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    private static let unshare = ["unshare"] + (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--net"]

    private let keeper = Process()
    private let input = Pipe()
    private var namespaces: [Host: String] = [:]

    /// Makes the namespaces; returns when the wire is up.
    package init() async throws {
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
    package func command(_ host: Host, _ program: URL, _ arguments: [String]) -> [String] {
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        return ["nsenter", "--target", namespaces[host] ?? ""] + user + ["--net", program.path] + arguments
    }
}

extension Need {
    /// ``TwoHosts``.
    package static let networkNamespaces = Need(
        "needs the right to make network namespaces", isMet: TwoHosts.isPossible)
}
