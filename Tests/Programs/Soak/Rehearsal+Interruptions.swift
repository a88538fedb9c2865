import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport

/// The ends of the JACK server and of the daemon in the middle of everything.
extension Rehearsal {
    mutating func restartTime() -> ContinuousClock.Instant? {
        guard settings.restartsJack else { return nil }
        return ContinuousClock.now + .seconds(Int.random(in: 20...90, using: &random))
    }

    /// Ends the server one way or another, lets the daemon play without it for a while, and starts it again.
    mutating func restartJack() async throws {
        // The worst callback is that of one JACK client.
        try await note()
        hear()
        witness.drop()
        let gone = ClosedRange.now(since: 1)
        midi.unplug()
        let isOrderly = Bool.random(using: &random)
        if isOrderly { await server.stop() } else { await server.kill() }
        for child in [watch, keyboard] { _ = await child.end(with: SIGKILL) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...5000, using: &random)))
        try await server.start()
        let back = ContinuousClock.now
        try await stage.awaitSound()
        record.recoveries.append(ContinuousClock.now - back)
        watch = try await stage.startWatch()
        keyboard = try stage.startKeyboard(seed: random.next())
        try await surfaces.launchpad.plugIn()
        try midi.plugIn()
        listener.noteGap(gone.lowerBound...ClosedRange.now(until: 1).upperBound)
    }

    /// Kills the daemon while everyone plays, lets it start again, and looks for what it had acknowledged.
    mutating func killDaemon() async throws {
        // A kill would end a render.
        _ = await witness.findings()
        try await note()
        let gone = ClosedRange.now(since: 1)
        witness.drop()
        let take = try await stage.currentTake()
        try await edits.make(stage.client(), isFlushed: Bool.random(using: &random))
        company.foreseeEnd()
        _ = await stage.end(with: SIGKILL)
        kills.count += 1
        await company.leave()
        hear()
        midi.unplug()
        _ = await keyboard.end(with: SIGKILL)
        try await stage.start()
        try await stage.awaitSound()
        let isFound = try await edits.areFound(by: stage.client())
        record.find(isFound, "after a kill in the middle of everything")
        if let take { record.find(try await stage.hasRecovered(take), "the take after a kill") }
        try await stage.openTakes()
        last.figures = try stage.figures()
        record.memory.beginLife()
        keyboard = try stage.startKeyboard(seed: random.next())
        try midi.plugIn()
        listener.noteGap(gone.lowerBound...ClosedRange.now(until: 1).upperBound)
        company = try await Self.company(settings, stage, surfaces, midi, listener)
        company.start(seed: random.next() % 1_000_000)
        say("           killed, and playing again; what was acknowledged is \(isFound ? "" : "NOT ")there")
        witness.compare(try stage.renderer)
    }
}
