import Foundation
import TestSupport
import Testing

@testable import NSMClient

@Suite(.timeLimit(.minutes(1))) struct OwnDaemonTests {
    private let folder: TemporaryDirectory
    private let project: Project

    init() throws {
        folder = try TemporaryDirectory()
        project = Project(path: folder.file("nAAAA"), displayName: "song", clientID: "pixelboop.nAAAA")
    }

    /// Starts a program in the daemon's place. It is a file that no process writes: one that has just been written may
    /// still be open in a program that another test has started, and then cannot be executed.
    private func start(_ script: String, within limit: Duration = .seconds(600)) async throws {
        _ = try await OwnDaemon.start(
            for: project, at: folder.file("socket"), environment: ["SCRIPT": script],
            program: RepositoryFile("Tests/Programs/Peers/daemon").path, within: limit
        ) { _, _ in }
    }

    @Test func `a daemon that never listens is refused when its time is up, and stopped`() async throws {
        var process: pid_t?
        // On a busy machine the time may be up before there is anything to end.
        for seconds in [0.3, 3, 30] where process == nil {
            let refusal = await #expect(throws: Refusal.self) {
                try await start("echo $$ >\(folder.file("pid")); exec sleep 1000", within: .seconds(seconds))
            }
            #expect(refusal?.reason.hasPrefix("pixelboopd did not start within ") == true)
            process = (try? folder.read("pid")).flatMap { pid_t(String(decoding: $0.dropLast(), as: UTF8.self)) }
        }
        #expect(kill(try #require(process), 0) == -1)
    }

    @Test func `a daemon that ends at once is refused with its last words`() async throws {
        let refusal = await #expect(throws: Refusal.self) { try await start("echo 'no room' >&2; exit 1") }
        #expect(refusal?.reason == "no room")
    }

    @Test func `the wait for a daemon that never listens can be cancelled`() async throws {
        let up = folder.file("up")
        #expect(mkfifo(up, 0o600) == 0)
        // For reading and writing, because opening only one end waits for the other.
        let pipe = open(up, O_RDWR)
        defer { close(pipe) }
        let starting = Task {
            defer { write(pipe, "\n", 1) }
            try await start("echo >\(up); exec sleep 1000")
        }
        let count = await onThread {
            withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { read(pipe, $0.baseAddress, 1) }
        }
        #expect(count == 1)
        starting.cancel()
        await #expect(throws: CancellationError.self) { try await starting.value }
    }
}
