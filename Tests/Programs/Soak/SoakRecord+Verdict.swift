import Foundation
import JackTestSupport
import Music

/// The verdict on what was observed.
extension SoakRecord {
    /// A browser's memory may grow by this factor: when it cleans up is its own affair.
    private static let browserGrowth = 1.25
    /// Threads of pools, which start on demand and then stay.
    private static let poolThreads = 2 * ProcessInfo.processInfo.activeProcessorCount
    /// service.md: when the server is back, the daemon plays again within 5 s.
    private static let longestRecovery = Duration.seconds(5)

    var verdict: SoakVerdict {
        var verdict = SoakVerdict()
        addXruns(to: &verdict)
        memory.judge(&verdict)
        if let after {
            verdict.add(
                "descriptors",
                "\(before.use.descriptors) at the start, \(after.use.descriptors) at the end"
                    + newDescriptors(after).map { "; \($0.value) more of \($0.key)" }.sorted().joined(),
                isGood: newDescriptors(after).isEmpty)
            verdict.add(
                "threads", "\(before.use.threads) at the start, \(after.use.threads) at the end",
                isGood: after.use.threads <= before.use.threads + Self.poolThreads)
        }
        verdict.add(
            "pictures",
            "\(comparison.equal) equal, \(comparison.different) different, \(comparison.unknown) not to "
                + "be compared", isGood: comparison.equal > 0 && comparison.different + comparison.unknown == 0)
        if let longest = recoveries.max() {
            verdict.add(
                "JACK",
                String(
                    format: "back %d times, the daemon %.2f s later at most", recoveries.count, longest / .seconds(1)),
                isGood: longest <= Self.longestRecovery)
        }
        addSteps(to: &verdict)
        addMidi(to: &verdict)
        addAudio(to: &verdict)
        takes.judge(&verdict)
        verdict.add(
            "surfaces", Self.words(surfaces, "as the daemon's picture", "different"),
            isGood: !surfaces.isEmpty && surfaces.values.allSatisfy(\.self))
        addBrowser(to: &verdict)
        doctor.judge(&verdict)
        addEncore(to: &verdict)
        addEnd(to: &verdict)
        return verdict
    }

    private func addEncore(to verdict: inout SoakVerdict) {
        let finding =
            switch encore {
            case .equal: "every port as an untouched daemon's"
            case .different(let place): "not as an untouched daemon's: \(place)"
            case .missed: "not recorded without a late period"
            }
        verdict.add("output", finding, encore == .equal ? .good : encore == .missed ? .open : .bad)
    }

    private func addEnd(to verdict: inout SoakVerdict) {
        verdict.add(
            "programs",
            programs.isEmpty
                ? "all ended in order" : programs.map { "\($0.key) with \($0.value)" }.sorted().joined(separator: ", "),
            isGood: programs.isEmpty)
        verdict.add(
            "session", Self.words(found, "equal", "different"),
            isGood: !found.isEmpty && found.values.allSatisfy(\.self))
        verdict.add("clients", failure ?? "none was let down", isGood: failure == nil)
        verdict.add(
            "end", String(format: "status %d after %.2f s", exitStatus ?? -1, exitTime / .seconds(1)),
            isGood: exitStatus == 0)
    }

    private static func words(_ findings: [String: Bool], _ good: String, _ bad: String) -> String {
        findings.map { "\($0.key) \($0.value ? good : bad)" }.sorted().joined(separator: ", ")
    }

    private static func examples(_ faults: [String]) -> String { faults.prefix(3).map { "; \($0)" }.joined() }

    private func addSteps(to verdict: inout SoakVerdict) {
        let steps = heard.steps
        verdict.add(
            "steps",
            "\(steps.inOrder) each after the one before it, \(steps.faults.count) jumps, \(steps.excused) more where the music "
                + "was stopped, what was followed jumped, or periods were late" + Self.examples(steps.faults),
            isGood: steps.inOrder > 0 && steps.faults.isEmpty)
        verdict.add(
            "sources", heard.followed.map { "\($0.key.name) \($0.value) times" }.sorted().joined(separator: ", "),
            isGood: heard.followed[.midi] != nil)
    }

    private func addMidi(to verdict: inout SoakVerdict) {
        let (keys, clock) = (heard.keys, heard.clock)
        let isHanging = !keys.down.isEmpty || !keys.faults.isEmpty
        let hasJudged = keys.settled[.stop] != nil && keys.settled[.vanishing] != nil
        verdict.add(
            "keys",
            "\(keys.notes) notes at midi_out; all that were down went up after \(keys.settled[.stop] ?? 0) stops and when "
                + "\(keys.settled[.vanishing] ?? 0) clients vanished; \(keys.down.count) down at the end"
                + Self.examples(keys.faults), isHanging || keys.notes == 0 ? .bad : hasJudged ? .good : .open)
        verdict.add(
            "clock",
            "12 ticks in each of \(clock.pairs) times two steps, not in \(clock.faults.count)"
                + Self.examples(clock.faults), !clock.faults.isEmpty ? .bad : clock.pairs > 0 ? .good : .open)
    }

    /// Blocks that were dropped for a listener that did not keep up are the machine's fault; what arrives must be
    /// whole.
    private func addAudio(to verdict: inout SoakVerdict) {
        let words = audio.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        verdict.add(
            "audio", words.joined(separator: "; "),
            isGood: !audio.isEmpty && audio.values.allSatisfy { $0.sounding > 0 && $0.malformed == 0 })
    }

    private func addBrowser(to verdict: inout SoakVerdict) {
        if let obstacle = browser.obstacle {
            return verdict.remark("browser", "gone without, \(obstacle)")
        }
        let pages = browser.failure ?? "its pages as the daemon's picture"
        guard let (early, late) = Quarters.medians(of: browser.memory) else {
            verdict.add("browser", pages + "; too short a run to judge its memory", isGood: browser.failure == nil)
            return
        }
        verdict.add(
            "browser", pages + String(format: "; %.0f MiB in the second quarter, %.0f MiB in the last", early, late),
            isGood: browser.failure == nil && late <= early * Self.browserGrowth)
    }

    /// A daemon that is in its callback when the period ends has caused the xrun only if its callback can take that
    /// long. Otherwise it was woken late.
    private func addXruns(to verdict: inout SoakVerdict) {
        let xruns = minutes.last?.xruns ?? HeardXruns.Counts()
        let worst = minutes.map(\.worstCallback).max() ?? 0
        verdict.add(
            "xruns",
            "\(xruns.running) where only the daemon was still in its callback, which never took more than "
                + String(format: "%.0f of %.0f us; ", worst, period)
                + "\(xruns.stalled) where it was when the machine stood still; \(xruns.notWoken) where only it had not "
                + "been woken; \(xruns.machine) of the machine", isGood: xruns.running == 0 || worst < period)
    }

    private func newDescriptors(_ after: SoakFigures) -> [String: Int] {
        after.use.descriptorKinds.merging(before.use.descriptorKinds) { $0 - $1 }
            .filter { after.use.descriptorKinds[$0.key] != nil && $0.value > 0 }
    }
}
