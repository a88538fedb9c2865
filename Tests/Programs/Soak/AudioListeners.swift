import PixelBoopClient
import Synchronization

/// Two listeners to the audio, one at the control socket and one, like a page, through the gateway.
final class AudioListeners: Sendable {
    private let paths: [(name: String, path: String)]
    private let heard = Mutex<[String: HeardAudio]>([:])

    init(socketPath: String, doorPath: String) {
        paths = [("socket", socketPath), ("page", doorPath)]
    }

    /// Listens until cancelled.
    func listen() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, path) in paths {
                group.addTask { [self] in
                    let client = try await PixelBoopClient.connect(to: path)
                    for try await case .audio(let block) in try await client.subscribe(to: [.audio]) {
                        heard.withLock { $0[name, default: HeardAudio()].hear(block) }
                    }
                    try Task.checkCancellation()
                }
            }
            try await group.waitForAll()
        }
    }

    /// What they heard, by where they listened; always has both.
    var findings: [String: HeardAudio] {
        heard.withLock { heard in
            Dictionary(uniqueKeysWithValues: paths.map { ($0.name, heard[$0.name] ?? HeardAudio()) })
        }
    }
}
