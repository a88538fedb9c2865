import ArgumentParser
import Gestures
import Grid
import Music
import Rendering

/// How long it takes to draw the grid and to find what changed.
struct RenderingBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendering",
        abstract: "Microseconds per redraw and per diff for an empty, a playing and the worst imaginable grid.")

    @Option(help: "How often each is done.")
    var repetitions = 5000

    func run() {
        print("rendering (\(repetitions) times each)      median     99 %      max")
        for (name, scenes) in [
            ("empty", [Self.emptyScene]), ("playing", Self.playingScenes), ("a set", Self.setScenes),
            ("worst", Self.worstScenes),
        ] {
            var renderer = Renderer()
            var frame = Frame()
            report("draw, \(name)") { index in
                _ = renderer.draw(scenes[index % scenes.count], at: .milliseconds(index), into: &frame)
            }
        }
        Self.benchmarkDiffs(report: report)

        func report(_ name: String, _ work: (Int) -> Void) {
            print(name.padded(to: 34) + Timings(of: repetitions, work).description)
        }
    }

    private static func benchmarkDiffs(report: (String, (Int) -> Void) -> Void) {
        let still = Frame()
        var changed = 0
        for (name, frames) in [
            ("nothing changed", [still, still]), ("a step later", drawn(playingScenes)),
            ("everything changed", [still, Frame(filledWith: .white)]),
        ] {
            report("diff, \(name)") { index in
                let diff = FrameDiff(from: frames[index % frames.count], to: frames[(index + 1) % frames.count])
                changed &+= diff.changes.count
            }
        }
        precondition(changed > 0, "frames that differ gave no diff")
    }

    private static func drawn(_ scenes: [Scene]) -> [Frame] {
        scenes.map { scene in
            var renderer = Renderer()
            var frame = Frame()
            _ = renderer.draw(scene, at: .zero, into: &frame)
            return frame
        }
    }
}

// MARK: Scenes

extension RenderingBenchmark {
    private static var emptyScene: Scene { Scene(document: Document()) }

    /// A pattern with a note on most steps, a scene for each step that it plays.
    private static var playingScenes: [Scene] {
        var cells = Cells()
        for step in 0..<Cells.stepCount {
            cells[.melody, step] = StepNotes([step * 5 % 12], step % 4 == 0 ? .accent : .sustain)
            if step % 8 == 0 { cells[.chords, step] = StepNotes([0, 4, 7, 11], .normal) }
            if step % 2 == 0 { cells[.bass, step] = StepNotes([step % 12], .normal) }
            cells[.rhythm, step] = StepNotes(step % 4 == 0 ? [0, 7] : [7], .normal)
        }
        return scenes(of: cells)
    }

    /// The same with notes in all slots, a chain of scenes, and its first one queued.
    private static var setScenes: [Scene] {
        playingScenes.map { scene in
            var scene = scene
            for index in 1..<Slot.count {
                let notes = Track.allCases.map { (Slot($0, index), scene.document.pattern.cells[$0]) }
                scene.document.edit(Dictionary(uniqueKeysWithValues: notes))
            }
            scene.launches.take(.chain(.scenes, [1, 2, 3]), playing: scene.document.pattern.playing)
            return scene
        }
    }

    /// Every cell a sustain cell of the longest run, each scene with other notes: nothing can be kept from the last.
    private static var worstScenes: [Scene] {
        var cells = Cells()
        for track in Track.allCases {
            cells[track, 0] = StepNotes(.all, .accent)
            for step in 1..<Cells.stepCount { cells[track, step] = StepNotes(.all, .sustain) }
        }
        return (0..<Cells.stepCount).map { step in
            cells[.rhythm, 11, step] = step == 0 ? .normal : .accent
            var scene = scenes(of: cells)[step]
            scene.tooltip = (Tooltip(text: "###########", row: 9), .seconds(3600))
            return scene
        }
    }

    private static func scenes(of cells: Cells) -> [Scene] {
        var document = Document()
        document.edit(cells)
        return (0..<Cells.stepCount).map { step in
            var scene = Scene(document: document)
            scene.isPlaying = true
            scene.playhead = Playhead(step: step, startedAt: .seconds(3600))
            scene.pulse = Pulse(step: step, notes: Track.allCases.map { cells[$0, step] }, startedAt: .seconds(3600))
            scene.levels = [-3, -6, -12, -24]
            return scene
        }
    }
}

/// How long each of many repetitions took, in microseconds.
private struct Timings: CustomStringConvertible {
    private let sorted: [Double]

    init(of repetitions: Int, _ work: (Int) -> Void) {
        let clock = ContinuousClock()
        sorted = (0..<repetitions).map { index in clock.measure { work(index) } / .microseconds(1) }.sorted()
    }

    var description: String {
        [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted[sorted.count - 1]].map { time in
            let tenths = Int((time * 10).rounded())
            return String("\(tenths / 10).\(tenths % 10) us".reversed()).padded(to: 9).reversed()
        }.map { String($0) }.joined()
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
