import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport

/// The end of the rehearsal.
extension Rehearsal {
    mutating func finish() async throws -> Act {
        await company.leave()
        record.failure = company.firstFailure
        record.audio = company.audio
        _ = await keyboard.end(with: SIGKILL)
        await midi.liftAll()
        let client = try await stage.quietClient()
        record.surfaces = try await surfaces.compare(with: client)
        await browser?.judge(into: &record.browser)
        await browser?.end()
        hear()
        midi.unplug()
        record.heard = listener.end()
        record.programs = await surfaces.end()
        record.after = try await stage.settledFigures(like: record.before)
        _ = await watch.end(with: SIGKILL)
        witness.compare(try stage.renderer)
        record.takes = await witness.findings()
        let contents = try await restartDaemon()
        for report in late.end() { say("jackd: \(report)") }
        let verdict = record.verdict
        for line in verdict.lines { say(line) }
        return Act(verdict: verdict, contents: contents)
    }

    /// Ends the daemon normally, restarts it, kills it at rest, and compares what it then finds with what it had.
    ///
    /// - Returns: Its final contents.
    private mutating func restartDaemon() async throws -> SoakStage.Contents {
        let encore = try await Encore.play(stage.quietClient(), on: server)
        let contents = try await stage.contents()
        let end = ContinuousClock.now
        record.exitStatus = await stage.end(with: SIGTERM)
        record.exitTime = ContinuousClock.now - end
        try await stage.start()
        record.find(try await stage.contents() == contents, "after its end")
        let edited = try await stage.editedContents()
        _ = await stage.end(with: SIGKILL)
        try await stage.start()
        record.find(try await stage.contents() == edited, "after a kill")
        _ = await stage.end(with: SIGTERM)
        record.encore = try await compare(encore)
        return edited
    }

    /// Compares what the daemon played with what one plays that nobody has touched.
    private func compare(_ encore: Encore?) async throws -> SoakRecord.EncoreFinding {
        let home = try TemporaryDirectory()
        let untouched = try SoakStage(jackServer: server.name, home: home)
        try await untouched.start()
        try await untouched.awaitSound()
        let expected = try await Encore.play(untouched.quietClient(), on: server)
        _ = await untouched.end(with: SIGTERM)
        guard let encore, let expected else { return .missed }
        return encore.difference(from: expected).map { .different($0) } ?? .equal
    }
}
