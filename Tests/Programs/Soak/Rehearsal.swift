import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport
import Wire

/// The rehearsal: the participants, what happens to the JACK server, and the record of every minute.
struct Rehearsal {
    struct Settings: Sendable {
        var duration: Duration
        var restartsJack: Bool
        var clientCount: Int
        var pageCount: Int
        var period: Int
        var seed: UInt64
    }

    private let settings: Settings
    private let server: JackServer
    private let stage: SoakStage
    private let company: Company
    private var record: SoakRecord
    private var random: SeededGenerator
    private let start = ContinuousClock.now
    private var watch: ChildProgram
    private var keyboard: ChildProgram
    private let surfaces: Surfaces
    private let midi: MidiGuests
    private let listener = Listener()
    private let browser: BrowserPages?

    private var xruns: HeardXruns
    private var lateness: Lateness
    private var wakes: WakeLog
    /// The bare client's figures since the last line of the record.
    private var punctuality = WakeLog.Figures()

    /// Plays, and prints what happens and the verdict.
    ///
    /// - Parameters:
    ///   - home: Where the session is stored.
    ///   - contents: What the session must contain at the start; nil for anything.
    static func play(
        _ settings: Settings, at home: TemporaryDirectory, goingOnWith contents: SoakStage.Contents?
    ) async throws -> Act {
        let limit = settings.duration + .seconds(300)
        return try await JackServer.with(period: settings.period, isStarted: false, limit: limit) { server in
            let stage = try SoakStage(jackServer: server.name, home: home)
            server.isSynchronous = false
            server.log = stage.jackLog
            try await server.start()
            try await stage.start()
            let hasGoneOn = try await stage.has(contents)
            var rehearsal = try await Rehearsal(settings, server, stage)
            if contents != nil { rehearsal.record.found["under the other driver"] = hasGoneOn }
            return try await rehearsal.run()
        }
    }

    private init(_ settings: Settings, _ server: JackServer, _ stage: SoakStage) async throws {
        self.settings = settings
        self.server = server
        self.stage = stage
        random = SeededGenerator(seed: settings.seed)
        xruns = HeardXruns(path: stage.jackLog.path)
        wakes = WakeLog(path: stage.path("watch.log"))
        try await stage.awaitSound()
        try await stage.openStorage()
        watch = try await stage.startWatch()
        let period = 1e6 * Double(settings.period) / Double(server.sampleRate)
        lateness = Lateness(period: period)
        record = SoakRecord(before: try stage.figures(), period: period)
        surfaces = try await Surfaces(at: stage)
        keyboard = try stage.startKeyboard(seed: settings.seed)
        midi = MidiGuests(jackServer: server.name)
        try midi.plugIn()
        listener.noteGap(0...ClosedRange.now(until: 1).upperBound)
        record.browser.obstacle = BrowserPages.obstacle
        browser =
            record.browser.obstacle == nil
            ? try await BrowserPages(at: stage, port: surfaces.webPort, seed: settings.seed) : nil
        company = try await Company(
            of: settings.clientCount, pages: settings.pageCount, at: stage, through: surfaces.door, surfaces: surfaces,
            midi: (guests: midi, listener: listener))
    }

    private mutating func run() async throws -> Act {
        say(
            "seed \(settings.seed): \(settings.clientCount) players, \(settings.pageCount) pages, \(settings.period) frames a period; before them "
                + String(format: "%.1f MiB", record.before.residentMebibytes))
        if let obstacle = record.browser.obstacle { say("without a browser: \(obstacle)") }
        company.start(seed: settings.seed)
        var nextRestart = restartTime()
        var nextMinute = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < start + settings.duration, company.firstFailure == nil {
            try await Task.sleep(for: .seconds(1))
            listen()
            if let time = nextRestart, ContinuousClock.now >= time {
                try await restartJack()
                nextRestart = restartTime()
            }
            if ContinuousClock.now >= nextMinute {
                try await fetchMinutes()
                try stage.reload(using: &random)
                nextMinute += .seconds(60)
            }
        }
        listen()
        lateness.end()
        try await fetchMinutes()
        return try await finish()
    }

    // MARK: The JACK server

    private mutating func restartTime() -> ContinuousClock.Instant? {
        guard settings.restartsJack else { return nil }
        return ContinuousClock.now + .seconds(Int.random(in: 20...90, using: &random))
    }

    /// Ends the server one way or another, lets the daemon play without it for a while, and starts it again.
    private mutating func restartJack() async throws {
        // The worst callback is that of one JACK client.
        try await note()
        hear()
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

    // MARK: The record

    /// Writes a line of the record, and compares everyone's picture with the daemon's.
    private mutating func fetchMinutes() async throws {
        try await note()
        try await record.doctor.examine(stage.socketPath)
        record.add(await company.compare())
        await browser?.measure(into: &record.browser)
        if let memory = record.browser.memory.last { say(String(format: "           browser %.0f MiB", memory)) }
    }

    /// Evaluates the last second.
    private mutating func listen() {
        let wakes = wakes.read()
        punctuality += wakes
        let late = xruns.read()
        lateness.add(late, worstWake: max(wakes.worst, wakes.halt))
        // The log may report something older than the last second.
        if late != HeardXruns.Counts() || Double(wakes.worst) > lateness.period {
            listener.noteGap(.now(since: 3, until: 0.5))
        }
        hear()
    }

    private func hear() {
        let messages = midi.fetch()
        listener.hear(notes: messages.notes, clock: messages.clock)
    }

    private mutating func note() async throws {
        let statistics = try await stage.statistics()
        let minute = SoakRecord.Minute(
            time: ContinuousClock.now - start, figures: try stage.figures(), xruns: lateness.counts,
            punctuality: punctuality, worstCallback: statistics.audio.worst,
            restarts: record.recoveries.count)
        punctuality = WakeLog.Figures()
        say(minute.line(since: record.minutes.last, from: record.before))
        record.minutes.append(minute)
    }

    private mutating func finish() async throws -> Act {
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
        let contents = try await restartDaemon()
        for report in xruns.reports { say("jackd: \(report)") }
        let verdict = record.verdict
        for line in verdict.lines { say(line) }
        return Act(isGood: verdict.isGood, contents: contents)
    }

    /// Ends the daemon normally, restarts it, kills it in the middle of everything, and compares what it then finds
    /// with what it had.
    ///
    /// - Returns: Its final contents.
    private mutating func restartDaemon() async throws -> SoakStage.Contents {
        let encore = try await Encore.play(stage.quietClient(), on: server)
        let contents = try await stage.contents()
        let end = ContinuousClock.now
        record.exitStatus = await stage.end(with: SIGTERM)
        record.exitTime = ContinuousClock.now - end
        try await stage.start()
        record.found["after its end"] = try await stage.contents() == contents
        let edited = try await stage.editedContents()
        _ = await stage.end(with: SIGKILL)
        try await stage.start()
        record.found["after a kill"] = try await stage.contents() == edited
        _ = await stage.end(with: SIGTERM)
        record.encore = try await Self.compare(encore, on: server)
        return edited
    }

    /// Compares what the daemon played with what one plays that nobody has touched.
    private static func compare(_ encore: Encore?, on server: JackServer) async throws -> SoakRecord.EncoreFinding {
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

/// Prints a line at once, for those who watch a long run.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
