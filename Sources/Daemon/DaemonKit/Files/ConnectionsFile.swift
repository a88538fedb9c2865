import FoundationEssentials
import Glibc
import JSON
import JackAudio
import SystemSupport

/// The JACK connections that the user made, kept beside the session: `{"main_L": ["system:playback_1"], ...}`.
struct ConnectionsFile: Sendable {
    let path: String
    private let thread = WorkerThreads("connections")

    init(path: String) {
        self.path = path
    }

    /// The connections of the last run; nil on the first start, or if the file cannot be used.
    var stored: JackConnections? {
        guard let data = FileManager.default.contents(atPath: path),
            let object = try? JSONValue(parsing: data).objectValue
        else { return nil }
        var connections = JackConnections()
        for member in object.members {
            let peers = member.value.arrayValue ?? []
            connections[member.name] = Set(peers.compactMap(\.stringValue))
        }
        return connections
    }

    /// Stores the newest connections until the stream ends. After an error it retries until it succeeds or the task is
    /// cancelled.
    ///
    /// - Parameter onError: Called when the first try to store connections fails.
    func keep(
        _ made: AsyncStream<JackConnections>, retryingEvery interval: Duration = .seconds(5),
        onError: (any Error) -> Void
    ) async {
        for await connections in made {
            do {
                try await save(connections)
            } catch {
                onError(error)
                while (try? await Task.sleep(for: interval)) != nil, (try? await save(connections)) == nil {}
            }
        }
    }

    /// Replaces the stored connections; returns when they are on disk.
    private func save(_ connections: JackConnections) async throws {
        var object = JSONObject()
        for (port, peers) in connections.sorted(by: { $0.key < $1.key }) {
            object[port] = .array(peers.sorted().map { .string($0) })
        }
        let bytes = JSONValue.object(object).prettyBytes
        try await thread.run { try AtomicFile.write(bytes, to: path) }
    }
}
