import DaemonTestSupport
import Foundation
import JackTestSupport
import PixelBoopClient
import SurfaceTestSupport
import TestSupport
import Testing

/// A daemon, a Launchpad and a monome that come, go and hang at random while the program runs. For a long session:
/// `PIXELBOOP_HOTPLUG_SECONDS=600 swift test --filter HotPlugTests`.
@Suite(.timeLimit(.minutes(5))) struct HotPlugTests {
    private static let length = Duration.seconds(
        ProcessInfo.processInfo.environment["PIXELBOOP_HOTPLUG_SECONDS"].flatMap { Int($0) } ?? 8)

    @Test func `whatever comes and goes, in the end every controller shows the grid`() async throws {
        let stage = try await GridStage()
        let serialosc = try PythonPeer("serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await stage.program(["--serialosc", String(port)])
        let reading = Task { while await program.says("") {} }
        var random = SeededGenerator(seed: 19)
        var launchpad: PythonPeer?
        var isRunning = false
        let end = ContinuousClock.now + Self.length
        while ContinuousClock.now < end {
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where isRunning:
                _ = await stage.daemon.end(with: [SIGKILL, SIGTERM].randomElement(using: &random) ?? SIGKILL)
                isRunning = false
            case 0,
                1 where !isRunning:
                try await stage.daemon.start()
                isRunning = true
            case 1:
                await stage.daemon.suspend()
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...400, using: &random)))
                await stage.daemon.resume()
            case 2: launchpad = launchpad == nil ? try await stage.launchpad() : nil
            case 3: serialosc.write(Bool.random(using: &random) ? "plug" : "unplug")
            case 4:
                launchpad?.write(
                    "midi 144 \(10 * Int.random(in: 1...8, using: &random) + 1) \(Int.random(in: 0...1, using: &random))"
                )
            default:
                serialosc.write(
                    "key \(Int.random(in: 0...15, using: &random)) 3 \(Int.random(in: 0...1, using: &random))")
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
        if !isRunning { try await stage.daemon.start() }
        serialosc.write("plug")
        // Another one, that is on the first page.
        launchpad = nil
        let last = try await stage.launchpad()
        let client = try await stage.daemon.connect()
        try await stage.waitForCells(last, client)
        try await stage.waitForLevels(serialosc, client)
        #expect(await program.end().code == 0)
        await reading.value
        while let line = await last.line(), line != "mode live" {}
    }
}
