import DaemonTestSupport
import LinkTestSupport
import TestSupport

/// Ableton Link in network namespaces of its own: our program on one host, on the other a peer who changes the tempo
/// and starts and stops the music.
actor SoakLinkSession {
    private let hosts: TwoHosts
    private let link: ChildProgram
    private let peer: Peer

    init(socketPath: String) async throws {
        hosts = try await TwoHosts()
        peer = try Peer(on: hosts, bpm: 120)
        link = try ChildProgram(on: hosts, .first, .product("pixelboop-link"), ["--socket", socketPath])
        try await peer.waits { $0.peers == 1 }
    }

    /// Conducts until cancelled.
    func play(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        while true {
            try await Task.sleep(for: .seconds(Int.random(in: 3...20, using: &random)))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: peer.say("stop")
            case 1: peer.say("play")
            default: peer.say("tempo \(Int.random(in: 60...200, using: &random))")
            }
        }
    }

    /// Whether the two still see each other.
    func isWhole() async throws -> Bool { try await peer.state().peers == 1 }

    func end() async {
        await link.end()
        await peer.end()
    }
}
