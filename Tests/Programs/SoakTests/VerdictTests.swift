import JackTestSupport
import Music
import Testing

@testable import pixelboop_soak

/// What makes a soak good.
struct VerdictTests {
    private static func record(_ change: (inout SoakRecord) -> Void = { _ in }) -> SoakRecord {
        let use = ProcessUse(
            descriptorKinds: ["socket:[]": 19, "/dev/null": 1], threads: 9, residentKilobytes: 30 << 10)
        let figures = SoakFigures(use: use, processorTime: 1)
        var record = SoakRecord(before: figures, period: 1333)
        record.after = figures
        record.exitStatus = 0
        record.recoveries = [.seconds(1)]
        record.heard.steps = StepOrderTests.order(of: Array(0..<32))
        record.heard.followed = [.own: 2, .midi: 1]
        record.heard.keys = goodKeys
        record.heard.clock = ClockCountTests.count(ticks: 12)
        record.browser.memory = Array(repeating: 400, count: 8)
        record.surfaces = ["lights": true, "Link": true]
        record.audio = ["socket": HeardAudioTests.heard(0, 1), "page": HeardAudioTests.heard(0, 2)]
        record.found = ["after its end": true]
        record.encore = .equal
        record.takes = HeardAgainTests.findings(late: 0)
        for _ in 0..<60 { record.memory.add(30) }
        record.doctor.add(Self.report("xruns", "fault"), code: 1)
        for minute in 1...8 {
            record.minutes.append(
                SoakRecord.Minute(
                    time: .seconds(60 * minute), figures: figures,
                    xruns: HeardXruns.Counts(running: 1, notWoken: 1, machine: 7),
                    punctuality: WakeLog.Figures(worst: 900, late: 3, halt: 1000), worstCallback: 80, restarts: 1))
        }
        record.add(Company.Comparison(equal: 50))
        change(&record)
        return record
    }

    private static let goodKeys = KeyWatchTests.watch(
        .on(60), .stop, .off(60), .on(100), .vanishing([100]), .off(100), .end)

    /// What `pixelboop doctor --json` prints about one check.
    private static func report(_ check: String, _ verdict: String) -> String {
        #"{"status": 1, "checks": [{"check": "\#(check)", "verdict": "\#(verdict)", "text": "how it is"}]}"#
    }

    @Test func `a listener who heard no sound, or half a block, is bad`() {
        #expect(!Self.record { $0.audio["page"] = HeardAudio() }.verdict.isGood)
        #expect(!Self.record { $0.audio = [:] }.verdict.isGood)
        #expect(Self.record { $0.audio["page"] = HeardAudioTests.heard(0, 5) }.verdict.isGood)
    }

    @Test func `nothing lost, nothing leaked, and late periods only of the machine are good`() {
        let verdict = Self.record().verdict
        #expect(verdict.isGood, "\(verdict.lines.joined(separator: "\n"))")
    }

    @Test func `a soak without a browser reports that, and is judged by the rest`() {
        let verdict = Self.record { $0.browser = BrowserPages.Findings(obstacle: "there is no chromium") }.verdict
        #expect(verdict.isGood)
        #expect(verdict.lines.contains("     browser: gone without, there is no chromium"))
    }

    /// Something that must not happen, and the part of the verdict that must report it.
    struct Fault: Sendable {
        let part: String
        let happen: @Sendable (inout SoakRecord) -> Void

        init(_ part: String, _ happen: @escaping @Sendable (inout SoakRecord) -> Void) {
            self.part = part
            self.happen = happen
        }
    }

    @Test(
        arguments: [
            Fault("memory") { $0.memory = MemoryCourse() },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.on(60), .off(60)) },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.on(60), .stop, .off(60)) },
            Fault("clock") { $0.heard.clock = ClockCount() },
            Fault("takes") { $0.takes = TakeFindings() },
            Fault("output") { $0.encore = .missed },
        ])
    func `what could not be judged is neither good nor bad, and is listed`(gap: Fault) {
        let verdict = Self.record(gap.happen).verdict
        #expect(!verdict.isGood && !verdict.isBad && verdict.isOpen)
        #expect(verdict.lines.filter { $0.hasPrefix("open") }.map { $0.hasPrefix("open \(gap.part):") } == [true])
    }

    @Test func `a daemon that was started again is judged by the memory of its longest life`() {
        let verdict = Self.record { record in
            record.memory.beginLife()
            for value in 0..<40 { record.memory.add(Double(value)) }
        }.verdict
        #expect(verdict.isGood, "\(verdict.lines)")
    }

    @Test func `an item is bad if it is in any part, and open if no part could judge it`() {
        let good = Self.record().verdict
        let bad = Self.record { $0.takes = HeardAgainTests.findings(late: 0, changed: [30_000]) }.verdict
        let open = Self.record { $0.takes = TakeFindings() }.verdict
        for (parts, judgement) in [
            ([good, open], SoakVerdict.Judgement.good), ([open, open], .open), ([good, bad, open], .bad),
        ] {
            let takes = SoakVerdict(of: parts).items.filter { $0.name == "takes" }
            #expect(takes.map(\.judgement) == [judgement])
        }
        #expect(SoakVerdict(of: [good, open]).isGood && SoakVerdict(of: [good, bad]).isBad)
    }

    @Test(
        arguments: [
            Fault("xruns") { $0.minutes[2].worstCallback = 1400 },
            Fault("memory") { record in for _ in 0..<30 { record.memory.add(35) } },
            Fault("descriptors") { $0.after?.use.descriptorKinds["socket:[]"] = 20 },
            Fault("threads") { $0.after?.use.threads = 200 },
            Fault("pictures") { $0.add(Company.Comparison(different: 1)) },
            Fault("pictures") { $0.add(Company.Comparison(unknown: 1)) },
            Fault("JACK") { $0.recoveries.append(.seconds(6)) },
            Fault("clients") { $0.failure = "player 1: the connection was lost" },
            Fault("steps") { $0.heard.steps = StepOrderTests.order(of: Array(0..<20) + Array(21..<32)) },
            Fault("steps") { $0.heard.steps = StepOrder() },
            Fault("sources") { $0.heard.followed[.midi] = nil },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.on(60), .stop, .end, .off(60)) },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.on(60), .stop, .off(60), .end, .on(61)) },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.on(100), .vanishing([100]), .end, .off(100)) },
            Fault("keys") { $0.heard.keys = KeyWatchTests.watch(.stop, .end) },
            Fault("clock") { $0.heard.clock = ClockCountTests.count(ticks: 11) },
            Fault("takes") { $0.takes = HeardAgainTests.findings(late: 0, changed: [30_000]) },
            Fault("browser") { $0.browser.failure = "failed AssertionError" },
            Fault("browser") { $0.browser.memory[6...7] = [501, 501] },
            Fault("doctor") { $0.doctor = DoctorReports() },
            Fault("doctor") { $0.doctor.add(report("saving", "fault"), code: 1) },
            Fault("doctor") { $0.doctor.add("", code: -11) },
            Fault("surfaces") { $0.surfaces["lights"] = false },
            Fault("programs") { $0.programs["pixelboop-web"] = -11 },
            Fault("session") { $0.found["after a kill"] = false },
            Fault("output") { $0.encore = .different("main_L from frame 48 on") },
            Fault("end") { $0.exitStatus = -9 },
            Fault("end") { $0.exitStatus = nil },
        ])
    func `one fault is enough`(fault: Fault) {
        let verdict = Self.record(fault.happen).verdict
        #expect(!verdict.isGood)
        #expect(verdict.lines.filter { $0.hasPrefix("BAD") }.map { $0.hasPrefix("BAD  \(fault.part):") } == [true])
    }
}
