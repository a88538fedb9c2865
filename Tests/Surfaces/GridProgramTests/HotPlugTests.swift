import DaemonTestSupport
import Foundation
import JackTestSupport
import PixelBoopClient
import SurfaceTestSupport
import TestNeeds
import TestSupport
import Testing

/// A daemon, a Launchpad and a monome that come, go and hang at random while the program runs. `PIXELBOOP_HOTPLUG_SEED` and
/// `PIXELBOOP_HOTPLUG_ACTIONS` say what happens and how much: the same numbers give the same actions and pauses.
@Suite(.timeLimit(.minutes(isLongRun ? 60 : 2))) struct HotPlugTests {
    private static let seed =
        ProcessInfo.processInfo.environment["PIXELBOOP_HOTPLUG_SEED"].flatMap(UInt64.init) ?? 19
    private static let count = repetitions("PIXELBOOP_HOTPLUG_ACTIONS", 12, long: 100)

    private enum Action: Equatable {
        case start
        case end(signal: Int32)
        case hang(milliseconds: Int)
        /// Plugs a Launchpad in, or pulls it out.
        case launchpad
        case monome(isThere: Bool)
        case pad(Int, velocity: Int)
        case key(column: Int, isDown: Int)
    }

    /// The actions in order, and the pause after each in milliseconds.
    private static func actions(seed: UInt64, count: Int) -> [(action: Action, pause: Int)] {
        var random = SeededGenerator(seed: seed)
        var isRunning = false
        return (0..<count).map { _ in
            let action: Action =
                switch (Int.random(in: 0..<6, using: &random), isRunning) {
                case (0, true): .end(signal: Bool.random(using: &random) ? SIGKILL : SIGTERM)
                case (0, false), (1, false): .start
                case (1, true): .hang(milliseconds: Int.random(in: 10...400, using: &random))
                case (2, _): .launchpad
                case (3, _): .monome(isThere: Bool.random(using: &random))
                case (4, _):
                    .pad(
                        10 * Int.random(in: 1...8, using: &random) + 1, velocity: Int.random(in: 0...1, using: &random))
                default:
                    .key(
                        column: Int.random(in: 0...15, using: &random), isDown: Int.random(in: 0...1, using: &random))
                }
            if action == .start { isRunning = true }
            if case .end = action { isRunning = false }
            return (action, Int.random(in: 0...300, using: &random))
        }
    }

    @Test(.needs(.pythonLibraries))
    func `whatever comes and goes, in the end every controller shows the grid`() async throws {
        print("PIXELBOOP_HOTPLUG_SEED=\(Self.seed) PIXELBOOP_HOTPLUG_ACTIONS=\(Self.count)")
        let stage = try await GridStage()
        let serialosc = try ChildProgram(peer: "serialosc.py", "16", "8")
        let port = try #require(await serialosc.line()?.split(separator: " ").last)
        let program = try await stage.program(["--serialosc", String(port)])
        let reading = Task { while await program.says("") {} }
        var launchpad: ChildProgram?
        var isRunning = false
        for (action, pause) in Self.actions(seed: Self.seed, count: Self.count) {
            switch action {
            case .start:
                try await stage.daemon.start()
                isRunning = true
            case .end(let signal):
                _ = await stage.daemon.end(with: signal)
                isRunning = false
            case .hang(let milliseconds):
                await stage.daemon.suspend()
                try await Task.sleep(for: .milliseconds(milliseconds))
                await stage.daemon.resume()
            case .launchpad: launchpad = launchpad == nil ? try await stage.launchpad() : nil
            case .monome(let isThere): serialosc.write(isThere ? "plug" : "unplug")
            case .pad(let note, let velocity): launchpad?.write("midi 144 \(note) \(velocity)")
            case .key(let column, let isDown): serialosc.write("key \(column) 3 \(isDown)")
            }
            try await Task.sleep(for: .milliseconds(pause))
        }
        if !isRunning { try await stage.daemon.start() }
        serialosc.write("plug")
        // A new one, which shows the first page.
        launchpad = nil
        let last = try await stage.launchpad()
        let client = try await stage.daemon.connect()
        try await stage.waitForCells(last, client)
        try await stage.waitForLevels(serialosc, client)
        #expect(await program.end() == 0)
        await reading.value
        while let line = await last.line(), line != "mode live" {}
    }
}
