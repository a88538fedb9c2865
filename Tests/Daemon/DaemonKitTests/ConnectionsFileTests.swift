import Foundation
import TestSupport
import Testing

@testable import DaemonKit

@Suite(.timeLimit(.minutes(1))) struct ConnectionsFileTests {
    @Test func `storing connections is retried until it succeeds`() async throws {
        let directory = try TemporaryDirectory()
        let file = ConnectionsFile(path: directory.file("state/connections.json"))
        let connections: [String: Set<String>] = ["main_L": ["system:playback_1"]]
        let (made, make) = AsyncStream.makeStream(of: [String: Set<String>].self)
        let (errors, fail) = AsyncStream.makeStream(of: Void.self)
        async let kept: Void = file.keep(made, retryingEvery: .milliseconds(1)) { _ in fail.yield() }
        make.yield(connections)
        make.finish()
        var failed = errors.makeAsyncIterator()
        await failed.next()
        try FileManager.default.createDirectory(atPath: directory.file("state"), withIntermediateDirectories: false)
        await kept
        #expect(file.stored == connections)
    }
}
