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
    /// How long what is compared with a take is listened to, in seconds.
    private static let windowLength = 8
    /// After this time every listener has heard something.
    private static let patience = Duration.seconds(20)

    private let stage: SoakStage
    private let gateway: ChildProgram
    private let door: WebDoor
    private let start = ContinuousClock.now
    private var company: Company
    private var companyStart = ContinuousClock.now
    private var random: SeededGenerator
    /// Those of the current daemon's time, and all.
    private var (pauses, allPauses) = (0, 0)
    private var memory = MemoryCourse()
    private var doctor = DoctorReports()
    private var edits = AcknowledgedEdits()
    private var witness = TakeWitness()
    private var kills: SoakKills
    private var faults: [String] = []
    /// What was lost in a kill.
    private var losses: [String] = []

    /// Plays, and prints what happens and the verdict.
    ///
    /// - Parameters:
    ///   - kills: How often the daemon is killed in the middle of everything.
    ///   - home: Where the session is stored.
    ///   - contents: What the session must contain at the start; nil for anything.
    static func play(
        for duration: Duration, kills: Int, seed: UInt64, at home: TemporaryDirectory,
        goingOnWith contents: SoakStage.Contents?
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
            stage: stage, gateway: gateway, door: door, kills: kills,
            company: try await Company(of: playerCount, at: stage, through: door),
            random: SeededGenerator(seed: seed))
        if !hasGoneOn { session.losses.append("it is not the one that the previous driver left") }
        session.company.start(seed: seed)
        say("seed \(seed): \(playerCount) players, the internal driver")
        try await session.pass(duration)
        await session.company.leave()
        return try await session.finish()
    }

    private init(
        stage: SoakStage, gateway: ChildProgram, door: WebDoor, kills: Int, company: Company, random: SeededGenerator
    ) {
        (self.stage, self.gateway, self.door, self.kills) = (stage, gateway, door, SoakKills(wanted: kills))
        (self.company, self.random) = (company, random)
    }

    /// Lets the time pass, with pauses and kills in it.
    private mutating func pass(_ duration: Duration) async throws {
        let end = start + duration
        var nextReport = ContinuousClock.now
        while ContinuousClock.now < end, company.firstFailure == nil {
            if ContinuousClock.now >= nextReport {
                try await doctor.examine(stage.socketPath)
                nextReport += .seconds(60)
            }
            if Bool.random(using: &random) {
                try await Task.sleep(for: .seconds(Int.random(in: 5...20, using: &random)))
            } else if let window = try await AudioWindow.listen(for: Self.windowLength, at: stage) {
                witness.add(window)
            }
            try memory.addIfDue { [stage] in try stage.figures().ownMebibytes }
            if kills.areDue(after: ContinuousClock.now - start, of: duration) { try await kill() }
            stage.pause(true)
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...Self.longestPause, using: &random)))
            stage.pause(false)
            pauses += 1
        }
    }

    /// Kills the daemon while everyone plays, lets it start again, and looks for what it had acknowledged.
    private mutating func kill() async throws {
        try await judgeAudio()
        // A kill would end a render.
        _ = await witness.findings()
        let take = try await stage.currentTake()
        try await edits.make(stage.client(), isFlushed: Bool.random(using: &random))
        company.foreseeEnd()
        _ = await stage.end(with: SIGKILL)
        kills.count += 1
        await company.leave()
        if let failure = company.firstFailure { faults.append(failure) }
        try await stage.start()
        try await stage.awaitSound()
        if try await !edits.areFound(by: stage.client()) { losses.append("an edit is missing after a kill") }
        if let take, try await !stage.hasRecovered(take) { losses.append("a take is missing after a kill") }
        memory.beginLife()
        (pauses, allPauses) = (0, allPauses + pauses)
        company = try await Company(of: Self.playerCount, at: stage, through: door)
        company.start(seed: random.next() % 1_000_000)
        companyStart = .now
        witness.compare(try stage.renderer)
    }

    /// Judges what the listeners have heard of the current daemon.
    private mutating func judgeAudio() async throws {
        let gaps = try await stage.statistics().audio.xruns
        for (name, heard) in company.audio.sorted(by: { $0.key < $1.key }) {
            say("           \(name): \(heard)")
            if heard.sounding == 0, ContinuousClock.now - companyStart > Self.patience {
                faults.append("\(name) heard nothing")
            }
            if heard.malformed > 0 { faults.append("\(name) had \(heard.malformed) malformed blocks") }
            if heard.leaps + heard.breaks > Self.breaksOfPause * (pauses + gaps) {
                faults.append("\(name) missed more than \(pauses) pauses and \(gaps) gaps explain")
            }
        }
    }

    private mutating func finish() async throws -> Act {
        if let failure = company.firstFailure { faults.append(failure) }
        try await judgeAudio()
        witness.compare(try stage.renderer)
        let takes = await witness.findings()
        let edited = try await stage.editedContents()
        let gatewayStatus = await gateway.end()
        _ = await stage.end(with: SIGKILL)
        try await stage.start()
        if try await stage.contents() != edited { losses.append("it is another one after a kill") }
        let status = await stage.end(with: SIGTERM)
        let verdict = verdict(takes, status: status, gatewayStatus: gatewayStatus)
        for line in verdict.lines { say(line) }
        return Act(verdict: verdict, contents: edited)
    }

    private func verdict(_ takes: TakeFindings, status: Int32?, gatewayStatus: Int32) -> SoakVerdict {
        func words(_ faults: [String], _ good: String) -> String {
            faults.isEmpty ? good : faults.joined(separator: "; ")
        }
        var verdict = SoakVerdict()
        memory.judge(&verdict)
        verdict.add(
            "audio", words(faults, "nothing was missed but \(allPauses + pauses) pauses"), isGood: faults.isEmpty)
        takes.judge(&verdict)
        doctor.judge(&verdict)
        verdict.add("session", words(losses, "whole, after \(kills.count + 1) kills too"), isGood: losses.isEmpty)
        verdict.add("programs", "the gateway ended with \(gatewayStatus)", isGood: gatewayStatus == 0)
        verdict.add("end", "status \(status ?? -1)", isGood: status == 0)
        return verdict
    }
}
