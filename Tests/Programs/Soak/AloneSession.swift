import Foundation
import PixelBoopClient
import TestSupport

/// A part of the session without any JACK server: the internal driver plays, and the machine pauses now and then.
///
/// Listeners hear everything: blocks are missing only where the driver was delayed, which it counts.
struct AloneSession {
    private static let playerCount = 20
    /// The longest pause in ms: the driver renders up to 100 ms late, and beyond that continues from the current time.
    private static let longestPause = 500
    /// A pause can split a block, and a listener's socket is full after 200 ms.
    private static let breaksOfPause = 2

    private let stage: SoakStage
    private let gateway: ChildProgram
    private let company: Company
    private var random: SeededGenerator
    private var pauses = 0
    private var memory: [Double] = []
    private var doctor = DoctorReports()

    /// Plays, and prints what went wrong.
    ///
    /// - Parameters:
    ///   - home: Where the session is stored.
    ///   - contents: What the session must contain at the start; nil for anything.
    static func play(
        for duration: Duration, seed: UInt64, at home: TemporaryDirectory, goingOnWith contents: SoakStage.Contents?
    ) async throws -> Act {
        let stage = try SoakStage(jackServer: "pixelboop-nobody", driver: "internal", home: home)
        try await stage.start()
        try await stage.awaitSound()
        let hasGoneOn = try await stage.has(contents)
        let gateway = try stage.start(
            "pixelboop-web",
            ["--socket", stage.socketPath, "--token-file", stage.path("token"), "--listen", "127.0.0.1:0"])
        let door = try WebDoor(at: stage.path("web.sock"), toGatewayAt: try await stage.port(of: "pixelboop-web"))
        var session = AloneSession(
            stage: stage, gateway: gateway,
            company: try await Company(of: playerCount, at: stage, through: door),
            random: SeededGenerator(seed: seed))
        session.company.start(seed: seed)
        try await session.pass(duration)
        await session.company.leave()
        var (faults, left) = try await session.judge()
        if !hasGoneOn { faults.append("the session is not the one that the previous driver left") }
        for fault in faults { say("wrong: \(fault)") }
        for (name, heard) in session.company.audio.sorted(by: { $0.key < $1.key }) {
            say(
                "\(name): \(heard.blocks) blocks, \(heard.sounding) with sound, \(heard.leaps) leaps, \(heard.breaks) breaks"
            )
        }
        say("seed \(seed): \(session.pauses) pauses, \(session.doctor.count) reports of doctor")
        return Act(isGood: faults.isEmpty, contents: left)
    }

    /// Lets the time pass, with pauses in it.
    private mutating func pass(_ duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        var nextReport = ContinuousClock.now
        while ContinuousClock.now < end, company.firstFailure == nil {
            if ContinuousClock.now >= nextReport {
                try await doctor.examine(stage.socketPath)
                nextReport += .seconds(60)
            }
            try await Task.sleep(for: .seconds(Int.random(in: 5...20, using: &random)))
            memory.append(try stage.figures().residentMebibytes)
            stage.pause(true)
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...Self.longestPause, using: &random)))
            stage.pause(false)
            pauses += 1
        }
    }

    /// - Returns: What went wrong, and the session's final contents.
    private func judge() async throws -> ([String], SoakStage.Contents) {
        var faults = (company.firstFailure.map { [$0] } ?? []) + doctor.faults
        let gaps = try await stage.statistics().audio.xruns
        for (name, heard) in company.audio {
            if heard.sounding == 0 { faults.append("\(name) heard nothing") }
            if heard.malformed > 0 { faults.append("\(name) had \(heard.malformed) malformed blocks") }
            if heard.leaps + heard.breaks > Self.breaksOfPause * (pauses + gaps) {
                faults.append("\(name) missed more than \(pauses) pauses and \(gaps) gaps explain")
            }
        }
        if memory.count >= 4, let last = memory.last, last > memory[memory.count / 2] + 8 {
            faults.append("memory grew from \(memory[memory.count / 2]) to \(last) MiB in the second half")
        }
        let edited = try await stage.editedContents()
        if await gateway.end() != 0 { faults.append("the gateway did not end in order") }
        _ = await stage.end(with: SIGKILL)
        try await stage.start()
        if try await stage.contents() != edited { faults.append("after a kill the session is another one") }
        if await stage.end(with: SIGTERM) != 0 { faults.append("the daemon did not end in order") }
        return (faults, edited)
    }
}
