import NIOCore
import NIOPosix
import Testing

@testable import Control

@Suite(.timeLimit(.minutes(1)))
struct LoopTimerTests {
    /// What happened on the event loop.
    private final class Log {
        var calls = 0
    }

    /// Runs a body on an event loop, then a check once everything due has run.
    private func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (any EventLoop, Log) -> Void, then check: @escaping @Sendable (Log) -> Result
    ) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let log = try await loop.submit {
            let log = Log()
            body(loop, log)
            return NIOLoopBound(log, eventLoop: loop)
        }.get()
        let result = try await loop.submit { check(log.value) }.get()
        try await group.shutdownGracefully()
        return result
    }

    @Test(arguments: 1...3)
    func `a rescheduled timer does not run, although the event loop had already picked it`(changes: Int)
        async throws
    {
        let calls = try await onLoop { loop, log in
            let timer = LoopTimer(on: loop) { log.calls += 1 }
            let due = ControlClock.now + .milliseconds(1)
            timer.set(to: due)
            // Scheduled before it, and so run before it; a task submitted for immediate execution might run after it.
            loop.assumeIsolated().scheduleTask(deadline: .distantPast) {
                for change in 1...changes { timer.set(to: due + .seconds(3600 + change)) }
            }
            // When this ends both are due, and so run in the same turn.
            while ControlClock.now < due + .milliseconds(1) {}
        } then: {
            $0.calls
        }
        #expect(calls == 0)
    }

    @Test func `a timer that reschedules itself immediately does not block the event loop`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let timer = try await loop.submit {
            // Always due when it ends.
            var timer: LoopTimer?
            timer = LoopTimer(on: loop) { timer?.set(to: ControlClock.now) }
            timer?.set(to: ControlClock.now)
            return NIOLoopBound(timer!, eventLoop: loop)
        }.get()
        let server = try await ServerBootstrap(group: loop)
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: loop).connect(to: server.localAddress!).get()
        try await client.close()
        try await server.close()
        try await loop.submit { timer.value.set(to: nil) }.get()
        try await group.shutdownGracefully()
    }

    @Test func `a timer runs once, at the time that was set last`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let promise = loop.makePromise(of: Duration.self)
        let due = ControlClock.now + .milliseconds(3)
        let timer = try await loop.submit {
            let timer = LoopTimer(on: loop) { promise.succeed(ControlClock.now) }
            timer.set(to: due + .seconds(3600))
            timer.set(to: due)
            return NIOLoopBound(timer, eventLoop: loop)
        }.get()
        #expect(try await promise.futureResult.get() >= due)
        try await loop.submit { timer.value.set(to: nil) }.get()
        try await group.shutdownGracefully()
    }
}
