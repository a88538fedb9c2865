import DaemonTestSupport
import Foundation
import TestSupport

/// Two hosts on their own wire: network namespaces, joined by a pair of virtual cards, `pb0` and `pb1`, with a default route
/// each.
/// Multicast there reaches nothing else. They end with their keepers, and these with the test.
package final class TwoHosts {
    package enum Host { case first, second }

    fileprivate static let isPossible =
        ChildProgram.succeeds(
            ["unshare"] + options + ["ip", "link", "add", "pb0", "type", "veth", "peer", "name", "pb1"])

    private static let options = (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--net"]

    private let keeper: ChildProgram
    private let namespaces: [Host: String]

    /// What the first host knows of its networks.
    package enum Network: String {
        /// It has a default route.
        case routed
        /// It knows no route beyond its own network.
        case unrouted
        /// Neither, and it has a second card, whose network leads nowhere.
        case ambiguous
    }

    /// Makes the namespaces; returns when the wire is up.
    package init(_ network: Network = .routed) async throws {
        // Both end with the end of their input.
        keeper = try ChildProgram(
            URL(filePath: "/usr/bin/unshare"),
            Self.options + [
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
                    [[ $3 != routed ]] || ip route add default dev $1
                }
                up pb0 10.77.0.1/24 \(network.rawValue)
                if [[ \(network.rawValue) == ambiguous ]]; then
                    ip link add pb2 type veth peer name pb3
                    ip link set pb3 up
                    up pb2 10.78.0.1/24 unrouted
                fi
                nsenter --net=/proc/$other/ns/net bash -ec "$(declare -f up); up pb1 10.77.0.2/24 routed"
                echo $BASHPID $other
                cat
                """,
            ], endsWithInput: true
        ).start()
        let line = await keeper.line() ?? ""
        let processes = line.split(separator: " ").map(String.init)
        guard processes.count == 2 else { throw CocoaError(.executableLoad) }
        namespaces = [.first: processes[0], .second: processes[1]]
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
