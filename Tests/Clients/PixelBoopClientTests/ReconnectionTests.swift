import CannedDaemon
import TestSupport
import Testing
import Wire

@testable import PixelBoopClient

/// Connecting again and again.
@Suite(.timeLimit(.minutes(1)))
struct ReconnectionTests {
    @Test func `the waits double up to the longest`() {
        let backoff = Backoff(first: .milliseconds(250), longest: .seconds(4))
        #expect(
            (1...7).map { backoff.wait(afterFailures: $0) }
                == [0.25, 0.5, 1, 2, 4, 4, 4].map { .seconds($0) })
        #expect(backoff.wait(afterFailures: .max) == .seconds(4))
    }

    @Test func `it tries with growing waits until there is a daemon, and again when that is gone`() async throws {
        let place = try TemporaryDirectory()
        let path = place.socket
        let clock = ImpatientClock()
        var links = PixelBoopClient.connections(to: path, clock: clock).makeAsyncIterator()
        for wait in [0.25, 0.5, 1] {
            guard case .waiting(.noDaemon(path, _), .seconds(wait)) = await links.next(isolation: nil) else {
                Issue.record("expected no daemon, and a wait of \(wait) s")
                return
            }
        }
        #expect(clock.waits == [0.25, 0.5].map { .seconds($0) })
        for _ in 0..<2 {
            let daemon = try await CannedDaemon.start(at: place)
            let accepting = Task { try await daemon.welcome() }
            guard case .connected(let client) = await links.next(isolation: nil) else {
                Issue.record("expected a connection")
                return
            }
            let peer = try await accepting.value
            let call = Task { try await client.ping() }
            _ = try await peer.receive()
            try await daemon.stop()
            try await peer.close()
            await #expect(throws: ClientError.self) { try await call.value }
            guard case .waiting(.noDaemon, .milliseconds(250)) = await links.next(isolation: nil) else {
                Issue.record("expected no daemon, and the first wait again")
                return
            }
        }
    }

    @Test func `the wait that is reported is the one that follows, after refusals too`() async throws {
        let place = try TemporaryDirectory()
        let clock = ImpatientClock()
        var links = PixelBoopClient.connections(to: place.socket, clock: clock).makeAsyncIterator()
        for _ in 0..<5 { links.noteEnd(ClientError.refused(WireError(.tooManyClients, "full"))) }
        var reported: [Duration] = []
        while reported.count < 3, case .waiting(_, let wait)? = await links.next(isolation: nil) {
            reported.append(wait)
        }
        #expect(reported == [4, 4, 4].map { .seconds($0) })
        #expect(clock.waits == [4, 4].map { .seconds($0) })
    }

    @Test func `it ends when its task is cancelled`() async throws {
        let place = try TemporaryDirectory()
        let task = Task { [path = place.socket] in
            var count = 0
            for await _ in PixelBoopClient.connections(to: path) {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        #expect(await task.value == 1)
    }
}
