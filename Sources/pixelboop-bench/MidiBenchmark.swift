import ArgumentParser
import Engine
import Foundation
import Music
import OfflineAudio

/// What MIDI costs the process callback: the same music twice, period by period in turn.
struct MidiBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi",
        abstract: "Time per period with 12 voices, alone and with MIDI: 1000 events a second in, all voices out.")

    @Option(help: "Periods of each.")
    var periods = 200_000

    @Option(help: "Frames per period.")
    var frames = 64

    func run() throws {
        var alone = try Run(hasMidi: false, frames: frames)
        var flowing = try Run(hasMidi: true, frames: frames)
        for _ in 0..<periods {
            alone.playPeriod()
            flowing.playPeriod()
        }
        print("µs a period of \(frames) frames" + ["p50", "p99", "p99.9"].map(pad).joined())
        report("12 voices", alone)
        report("12 voices and MIDI", flowing)
        print("\(flowing.received) events in, \(flowing.sent) out")
    }

    private func report(_ name: String, _ run: Run) {
        // The first are for the caches and the branch predictor.
        let distribution = Distribution(Array(run.times.dropFirst(periods / 100)))
        let figures = [0.5, 0.99, 0.999].map(distribution.quantile)
        print(
            name.padding(toLength: 30, withPad: " ", startingAt: 0)
                + figures.map { pad(String(format: "%.2f", $0)) }.joined())
        Results.record(
            benchmark: "midi",
            [
                "load": .text(name), "frames": .number(Double(frames)), "p50": .number(figures[0]),
                "p99": .number(figures[1]), "p99.9": .number(figures[2]),
            ])
    }

    private func pad(_ text: String) -> String { String(repeating: " ", count: max(1, 12 - text.count)) + text }
}

/// An engine that plays 12 voices, and what its periods took.
private struct Run {
    private static let rate = 48_000

    private let engine: Engine
    private let buffers = PeriodBuffers()
    private let hasMidi: Bool
    private let frames: Int
    private var frame = 0
    private(set) var times: [Double] = []
    private(set) var received = 0
    private(set) var sent = 0

    init(hasMidi: Bool, frames: Int) throws {
        (self.hasMidi, self.frames) = (hasMidi, frames)
        var score = EngineLoad.twelve.score
        if hasMidi { for track in 0..<4 { score.parameters[.target, track] = 2 } }
        engine = Engine(score: score)
        try engine.prepare(sampleRate: Double(Self.rate))
        _ = engine.send(.play, at: 0)
    }

    mutating func playPeriod() {
        if hasMidi { fill() }
        let usecs = UInt64(frame) * 1_000_000 / UInt64(Self.rate)
        let cycle = RtCycle(
            frameCount: frames, startFrame: Int64(frame), startUsecs: usecs, usecsPerFrame: 1e6 / Double(Self.rate),
            nowUsecs: usecs)
        let time = ContinuousClock().measure { engine.render(cycle, buffers.ports) }
        times.append(time / .microseconds(1))
        sent += buffers.midi(of: .midiOut).count
        frame += frames
        while engine.nextNotice() != nil {}
        while engine.nextArrival() != nil {}
    }

    /// Lets the messages of one period come in: keys of notes that sound anyway, modulation and bend.
    private mutating func fill() {
        let input = buffers.midi(of: .midiIn)
        input.clear()
        while case let due = received * Self.rate / 1000, due < frame + frames {
            let key = UInt8(60 + received / 4 % 2 * 2)
            let messages: [(UInt8, UInt8, UInt8)] = [
                (0x90, key, 80), (0xb0, 1, UInt8(received % 128)), (0xe0, 0, UInt8(received % 128)), (0x80, key, 0),
            ]
            let (status, first, second) = messages[received % 4]
            input.append(MidiEvent(frame: Int32(due - frame), count: 3, status, first, second))
            received += 1
        }
    }
}
