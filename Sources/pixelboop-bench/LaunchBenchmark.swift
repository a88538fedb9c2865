import ArgumentParser
import Engine
import Foundation
import Music
import OfflineAudio

/// What slots cost: the score that carries the next ones, and the period in which they take the place of the present ones.
struct LaunchBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launches",
        abstract: "The score's size, making and publishing one, and periods in which all tracks change slots.")

    @Option(help: "How often each is done.")
    var repetitions = 20_000

    private static let frames = 64
    private static let stepFrames = 2400

    func run() throws {
        print("a score has \(MemoryLayout<Score>.size) bytes")
        print("µs" + pad("p50") + pad("p99.9") + pad("max"))
        for queued in [0, 4] { publishing(queued: queued) }
        try periods()
    }

    /// All slots full, another scene playing than the first.
    private static let document: Document = {
        var pattern = Pattern()
        var notes = TrackCells()
        for step in 0..<Cells.stepCount { notes[step] = StepNotes([0, 4, 7], step % 2 == 0 ? .accent : .sustain) }
        for track in Track.allCases { for index in 0..<Slot.count { pattern[Slot(track, index)] = notes } }
        var document = Document(pattern: pattern)
        document.set(.tempo, to: 300)
        return document
    }()

    private static func score(playing: Int, queued: Int, number: Int64 = 1) -> Score {
        var document = document
        document.launch(Slot.scene(playing))
        var score = Score(document)
        for slot in Slot.scene((playing + 1) % Slot.count).prefix(queued) {
            score.launch(slot, of: document.pattern, at: .step, number: number)
            score.launches.tracks[slot.track.rawValue].known = number - 1
        }
        return score
    }

    private func publishing(queued: Int) {
        let engine = Engine(score: Score())
        let clock = ContinuousClock()
        let times = (0..<repetitions).map { _ in
            clock.measure { engine.publish(Self.score(playing: 0, queued: queued)) } / .microseconds(1)
        }
        report("make and publish a score with \(queued) queued", times)
    }

    /// Every second step a score comes, and on the step after it all tracks change.
    private func periods() throws {
        let driver = try OfflineDriver(engine: Engine(score: Self.score(playing: 0, queued: 0)), sampleRate: 48_000)
        driver.schedule(.command(.play), at: 0)
        driver.render(frames: 48_000) { _ in }
        while driver.engine.nextNotice() != nil {}
        var (plain, launching): ([Double], [Double]) = ([], [])
        let clock = ContinuousClock()
        var number: Int64 = 1
        while launching.count < repetitions / 20 {
            driver.engine.publish(Self.score(playing: Int(number - 1) % 8, queued: 4, number: number))
            number += 1
            // The period that takes the score is neither one nor the other.
            driver.render(frames: Self.frames, periods: [Self.frames]) { _ in }
            for _ in 0..<2 * Self.stepFrames / Self.frames {
                let time = clock.measure { driver.render(frames: Self.frames, periods: [Self.frames]) { _ in } }
                var (hasStarted, hasLaunched) = (false, false)
                while let notice = driver.engine.nextNotice() {
                    switch notice {
                    case .launch: hasLaunched = true
                    case .step: hasStarted = true
                    case .transport, .played, .recorded: break
                    }
                }
                guard hasStarted else { continue }
                if hasLaunched {
                    launching.append(time / .microseconds(1))
                } else {
                    plain.append(time / .microseconds(1))
                }
            }
        }
        report("a period of 64 frames in which a step starts", plain)
        report("the same with a launch on all tracks", launching)
    }

    private func report(_ name: String, _ times: [Double]) {
        let distribution = Distribution(times)
        let figures = [distribution.quantile(0.5), distribution.quantile(0.999), distribution.maximum]
        print(
            name.padding(toLength: 48, withPad: " ", startingAt: 0)
                + figures.map { pad(String(format: "%.2f", $0)) }.joined())
        Results.record(
            benchmark: "launches",
            [
                "what": .text(name), "p50": .number(figures[0]), "p99.9": .number(figures[1]),
                "maximum": .number(figures[2]),
            ])
    }

    private func pad(_ text: String) -> String { String(repeating: " ", count: max(1, 12 - text.count)) + text }
}
