import GatewayTestSupport
import Glibc

/// What the gateway reads from the network: requests, and what follows a handshake.
struct WebTarget: FuzzTarget {
    private let visit: HostileVisit

    init() {
        let path = "/tmp/pixelboop-fuzz-\(getpid())-token"
        visit = finished { try await HostileVisit(tokenPath: path) }
    }

    func run(_ input: UnsafeRawBufferPointer) {
        let kinds = HostileVisit.Kind.allCases
        guard let first = input.first, let kind = HostileVisit.Kind(rawValue: Int(first) % kinds.count) else { return }
        let bytes = Array(input.dropFirst())
        finished { [visit] in try await visit.say(bytes, as: kind) }
    }
}
