import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// A flood of random and damaged lines while the daemon plays; `PIXELBOOP_LINES` sets how many.
@Suite(.timeLimit(.minutes(isLongRun ? 20 : 2))) struct HostileLinesTests {
    private static let count = repetitions("PIXELBOOP_LINES", 10_000, long: 20_000)
    private static let senders = 4
    /// Lines after which a sender makes a call, and waits for the answer.
    private static let burst = 250
    /// Far more than the largest lines leave in the allocator, far less than a leak in each line.
    private static let memoryTolerance = 32 << 20

    @Test func `no line harms the daemon or its music`() async throws {
        try await Stage.with(limit: .seconds(600 + Self.count / 500)) { stage in
            let player = try await stage.connect()
            try await Self.play(player)
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            #expect(await recorder.hear(channel: 0))
            let start = try await player.statistics()

            // The first fifth fills pools and caches.
            try await Self.flood(stage.daemon.socketPath, lines: Self.count / 5, seed: 1)
            let warm = try await player.statistics()
            try await Self.flood(stage.daemon.socketPath, lines: Self.count * 4 / 5, seed: 2)
            let end = try await player.statistics()

            #expect(end.memory - warm.memory < Self.memoryTolerance)
            #expect(recorder.recording.isContinuous)
            try await Self.play(player)
            #expect(await recorder.hear(channel: 0))
            #expect(end.audio.state == start.audio.state)
            print(
                "\(Self.count) lines: memory \(start.memory), \(warm.memory), \(end.memory) bytes;",
                "xruns \(start.audio.xruns), \(end.audio.xruns); longest callback \(end.audio.worst) µs;",
                "refused notifications \(end.errors)")
            #expect(await stage.daemon.end(with: SIGTERM) == 0)
            try await stage.daemon.start()
        }
    }

    /// A closed hat on every other step, whatever the pattern was.
    private static func play(_ player: PixelBoopClient) async throws {
        var pattern = Pattern()
        for step in stride(from: 0, to: 32, by: 2) { pattern[.rhythm, 7, step] = .accent }
        try await player.setPattern(pattern)
        try await player.set(.rhythm, [.mute: false, .solo: true, .gain: 0, .pan: 0])
        try await player.play()
    }

    private static func flood(_ path: String, lines: Int, seed: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    var hostile = HostileLines(
                        seed: 100 * seed + UInt64(sender), limit: ControlProtocol.maximumLineLength)
                    var left = lines / senders
                    while left > 0 {
                        left -= try await sendUntilCutOff(path, &hostile, count: left)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends lines until there have been enough, or the daemon closes the connection because of one too long.
    ///
    /// - Returns: How many lines were sent.
    private static func sendUntilCutOff(
        _ path: String, _ hostile: inout HostileLines, count: Int
    ) async throws -> Int {
        let client = try RawClient(path: path)
        _ = await client.line()
        var sent = 0
        while sent < count {
            var lines = (0..<min(burst, count - sent)).map { _ in hostile.next() }
            let isTooLong = lines.contains { $0.count > ControlProtocol.maximumLineLength }
            sent += lines.count
            let question = #"{"jsonrpc":"2.0","id":"after \#(sent)","method":"ping"}"#
            lines.append(Array(question.utf8))
            do {
                try client.send(lines)
            } catch {
                // The daemon may close while the rest is still being written.
                try #require(isTooLong)
            }
            var answer = await client.line()
            while let line = answer, !line.hasSuffix(#""id":"after \#(sent)"}"#) { answer = await client.line() }
            try #require((answer == nil) == isTooLong)
            if isTooLong { break }
        }
        return sent
    }
}
