import Grid
import JSON
import Synchronization
import Wire

/// The calls that a canned daemon received, in order.
public final class CallLog: Sendable {
    private let calls = Mutex<[Request]>([])

    /// All calls so far except `hello`.
    public var all: [Request] { calls.withLock { $0 } }

    public var methods: [String] { all.map(\.method) }

    fileprivate func append(_ call: Request) { calls.withLock { $0.append(call) } }
}

extension CannedDaemon {
    /// Welcomes all clients and answers all calls while a body runs.
    ///
    /// - Parameters:
    ///   - answer: The answer to each call except `hello`; an empty object by default.
    ///   - body: Runs meanwhile, with access to the calls.
    public func serving<Value: Sendable>(
        _ answer: @escaping @Sendable (Request) -> Result<JSONValue, WireError> = { _ in .success([:]) },
        while body: @Sendable (CallLog) async throws -> Value
    ) async throws -> Value {
        let log = CallLog()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while let peer = try? await self.welcome() {
                    try? await self.serve(peer, log, answer)
                }
            }
            return try await body(log)
        }
    }

    private func serve(
        _ peer: CannedPeer, _ log: CallLog, _ answer: @Sendable (Request) -> Result<JSONValue, WireError>
    ) async throws {
        while let call = try await peer.receive() {
            if call.method == "hello" {
                try await peer.answer(call, .success(.object(Welcome(version: "canned").json)))
            } else {
                log.append(call)
                try await peer.answer(call, answer(call))
            }
        }
    }
}
