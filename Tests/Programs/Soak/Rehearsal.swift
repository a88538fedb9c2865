import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport
import Wire

/// The rehearsal: the participants, what happens to the JACK server and to the daemon, and the record of every minute.
struct Rehearsal {
    struct Settings: Sendable {
        var duration: Duration
        var restartsJack: Bool
        /// How often the daemon is killed in the middle of everything.
        var kills: Int
        var hasBrowser: Bool
        var clientCount: Int
        var pageCount: Int
        var period: Int
        var seed: UInt64
    }

    let settings: Settings
    let server: JackServer
    let stage: SoakStage
    let start = ContinuousClock.now
    let surfaces: Surfaces
    let midi: MidiGuests
    let listener = Listener()
    let browser: BrowserPages?
    var company: Company
    var record: SoakRecord
    var random: SeededGenerator
    var watch: ChildProgram
    var keyboard: ChildProgram

    let late: LateWatch
    private var lateness: Lateness
    private var wakes: WakeLog
    /// The bare client's figures since the last line of the record.
    private var punctuality = WakeLog.Figures()
    /// The last line of the record; its figures are a new daemon's when there is one.
    var last: SoakRecord.Minute
    var kills: SoakKills
    var edits = AcknowledgedEdits()
    var witness = TakeWitness()

    /// Plays, and prints what happens and the verdict.
    ///
    /// - Parameters:
    ///   - home: Where the session is stored.
    ///   - contents: What the session must contain at the start; nil for anything.
    static func play(
        _ settings: Settings, at home: TemporaryDirectory, goingOnWith contents: SoakStage.Contents?
    ) async throws -> Act {
        let limit = settings.duration + .seconds(600)
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
        kills = SoakKills(wanted: settings.kills)
        late = LateWatch(path: stage.jackLog.path, telling: listener)
        wakes = WakeLog(path: stage.path("watch.log"))
        try await stage.awaitSound()
        try await stage.openStorage()
        watch = try await stage.startWatch()
        let period = 1e6 * Double(settings.period) / Double(server.sampleRate)
        lateness = Lateness(period: period)
        record = SoakRecord(before: try stage.figures(), period: period)
        last = SoakRecord.Minute(figures: record.before)
        surfaces = try await Surfaces(at: stage)
        keyboard = try stage.startKeyboard(seed: settings.seed)
        midi = MidiGuests(jackServer: server.name)
        try midi.plugIn()
        listener.noteGap(0...ClosedRange.now(until: 1).upperBound)
        record.browser.obstacle = settings.hasBrowser ? BrowserPages.obstacle : "nobody wants one"
        browser =
            record.browser.obstacle == nil
            ? try await BrowserPages(at: stage, port: surfaces.webPort, seed: settings.seed) : nil
        company = try await Self.company(settings, stage, surfaces, midi, listener)
    }

    static func company(
        _ settings: Settings, _ stage: SoakStage, _ surfaces: Surfaces, _ midi: MidiGuests, _ listener: Listener
    ) async throws -> Company {
        try await Company(
            of: settings.clientCount, pages: settings.pageCount, at: stage, through: surfaces.door, surfaces: surfaces,
            midi: (guests: midi, listener: listener))
    }

    private mutating func run() async throws -> Act {
        say(
            "seed \(settings.seed): \(settings.clientCount) players, \(settings.pageCount) pages, \(settings.period) frames a period; before them "
                + String(
                    format: "%.1f MiB, %.1f its own", record.before.residentMebibytes, record.before.ownMebibytes))
        if let obstacle = record.browser.obstacle { say("without a browser: \(obstacle)") }
        late.start()
        company.start(seed: settings.seed)
        var nextRestart = restartTime()
        var nextMinute = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < start + settings.duration, company.firstFailure == nil {
            try await Task.sleep(for: .seconds(1))
            evaluate()
            try await witness.goOn(stage, on: server, late: lateness.counts.sum)
            try record.memory.addIfDue { [stage] in try stage.figures().ownMebibytes }
            if kills.areDue(after: ContinuousClock.now - start, of: settings.duration) { try await killDaemon() }
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
        evaluate()
        lateness.end()
        try await fetchMinutes()
        return try await finish()
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

    /// Evaluates the time since the last evaluation.
    private mutating func evaluate() {
        let wakes = wakes.read()
        punctuality += wakes
        lateness.add(late.take(), worstWake: max(wakes.worst, wakes.halt))
        hear()
    }

    func hear() {
        let messages = midi.fetch()
        listener.hear(notes: messages.notes, clock: messages.clock)
    }

    mutating func note() async throws {
        let statistics = try await stage.statistics()
        let minute = SoakRecord.Minute(
            time: ContinuousClock.now - start, figures: try stage.figures(), xruns: lateness.counts,
            punctuality: punctuality, worstCallback: statistics.audio.worst,
            restarts: record.recoveries.count, kills: kills.count)
        punctuality = WakeLog.Figures()
        say(minute.line(since: last))
        record.minutes.append(minute)
        last = minute
    }
}

/// Prints a line at once, for those who watch a long run.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
