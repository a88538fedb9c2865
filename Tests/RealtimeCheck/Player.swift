import DaemonTestSupport
import Foundation
import Grid
import Music
import PixelBoopClient
import TestSupport
import Wire

/// A client that does anything that clients can do, in an order of its own.
struct Player {
    private let number: Int
    private let daemon: DaemonProcess
    private let tally: Tally
    private var generator: SeededGenerator

    init(number: Int, daemon: DaemonProcess, tally: Tally, seed: UInt64) {
        self.number = number
        self.daemon = daemon
        self.tally = tally
        generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
    }

    /// Connects, plays for a while and hangs up, again and again, until the task is cancelled.
    mutating func play() async throws {
        while true {
            let client = try await daemon.connect()
            await tally.count("connections")
            if pick(2) == 0 {
                let pixels = Double.random(in: 6...20, using: &generator)
                try await client.hello(
                    client: "player \(number)", touch: pick(2) == 0 ? .cell : .subcell(cellPixels: pixels))
            }
            let pictures = pick(2) == 0 ? try await client.subscribe(to: [.frame, .state]) : nil
            for _ in 0..<(5 + pick(40)) {
                try Task.checkCancellation()
                try await act(client)
            }
            pictures?.cancel()
            // Some leave with a finger on the grid.
            if pick(2) == 0 { try await client.send(Touch(id: 7, .down, column: 4 + pick(8), row: 2 + pick(20))) }
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func act(_ client: PixelBoopClient) async throws {
        do {
            switch pick(14) {
            case 0...4: try await touch(client)
            case 5: try await run(client)
            case 6: try await sweep(client)
            case 7: try await mix(client)
            case 8: try await edit(client)
            case 9: try await launch(client)
            case 10: try await changeSounds(client)
            case 11: try await follow(client)
            case 12: try await route(client)
            default: try await store(client)
            }
        } catch ClientError.refused(let refusal) where refusal.code != .internalError {
            // No server to play on, a note that another's key left out of the scale, a pattern that another deleted.
            await tally.count("refusals")
        }
    }
}

// MARK: What it does

extension Player {
    private mutating func touch(_ client: PixelBoopClient) async throws {
        let hand = Hand(client: client, tally: tally, finger: 1 + pick(3))
        switch pick(8) {
        case 0: try await hand.draw([(pick(40), 0)], holding: pick(4) == 0)
        case 1: try await hand.draw([(pick(2), 2 + pick(20))])
        case 2:
            for _ in 0..<2 { try await hand.draw([(20, 22)]) }
        case 3:
            let corners: [Place] = (0..<(2 + pick(4))).map { _ in (4 + pick(39), 1 + pick(22)) }
            try await hand.draw(corners, holding: pick(4) == 0)
        case 4:
            try await hand.touch(.down, (4 + pick(8), 2 + pick(20)))
            try await hand.touch(.cancel, (0, 0))
        default:
            let track = Track.allCases[pick(4)]
            try await hand.perform(Motion.allCases[pick(Motion.allCases.count)], on: track, column: 4 + pick(20))
        }
    }

    private mutating func run(_ client: PixelBoopClient) async throws {
        await tally.count("transport commands")
        switch pick(8) {
        case 0: try await client.stop()
        case 1: try await client.pause()
        case 2: try await client.toggle()
        case 3, 4: try await client.locate(step: pick(8))
        default: try await client.play()
        }
    }

    private mutating func sweep(_ client: PixelBoopClient) async throws {
        await tally.count("sweeps")
        let start = Double.random(in: 20...300, using: &generator)
        let end = Double.random(in: 20...300, using: &generator)
        for part in 0...50 { try await client.setTempo(start + (end - start) * Double(part) / 50) }
        try await client.set(.swing, to: .number(Double.random(in: 0.5...0.75, using: &generator)))
        try await client.set(.length, to: .number(Double(8 + pick(25))))
        if pick(2) == 0 { try await client.tapTempo() }
    }

    private mutating func mix(_ client: PixelBoopClient) async throws {
        await tally.count("mixes")
        for _ in 0..<10 {
            let gain = Double.random(in: -60...12, using: &generator)
            let pan = Double.random(in: -1...1, using: &generator)
            try await client.set(
                Track.allCases[pick(4)],
                [
                    .mute: .toggle(pick(2) == 0), .solo: .toggle(pick(4) == 0), .gain: .number(gain),
                    .pan: .number(pan),
                ])
        }
    }

    /// Sends notes elsewhere, records or not, and binds what may come in.
    private mutating func route(_ client: PixelBoopClient) async throws {
        await tally.count("routes")
        try await client.set(
            Track.allCases[pick(4)],
            [.target: .choice(NoteTarget.allCases[pick(3)]), .channel: .number(Double(1 + pick(16)))])
        try await client.record(pick(2) == 0)
        let trigger = MidiTrigger(.controller, channel: 1 + pick(16), number: pick(120))
        if pick(2) == 0 {
            try await client.bind(MidiBinding(on: trigger, to: MidiAction("swing.set", value: "swing")))
        } else {
            try await client.unbind(trigger)
        }
    }

    /// Chooses whose time it is, and tells one's own.
    private mutating func follow(_ client: PixelBoopClient) async throws {
        await tally.count("sources")
        let sources = SyncSource.allCases
        try await client.setSync([
            .syncSource: .choice(sources[pick(sources.count)]),
            .syncLead: .selection(SyncLead.allCases.filter { _ in pick(3) == 0 }.map(\.name)),
            .syncOffsetIn: .number(Double(pick(2) * (pick(401) - 200))),
            .syncOffsetOut: .number(Double(pick(2) * (pick(401) - 200))),
            .syncLatency: .choice(["none", "compensate"][pick(2)]),
        ])
        let now = try await client.clockTimes().jack
        for _ in 0..<(1 + pick(10)) {
            try await client.holdTimeline(
                beat: Double(pick(200)) / 7 - 4, usecs: now, bpm: Double.random(in: 10...1000, using: &generator),
                isPlaying: [true, false, nil][pick(3)], quantum: Double(1 + pick(8)))
        }
        if pick(2) == 0 { try await client.releaseTimeline() }
    }

    private mutating func launch(_ client: PixelBoopClient) async throws {
        await tally.count("launches")
        let track = Track.allCases[pick(4)]
        switch pick(6) {
        case 0: try await client.launchSlot(track, 1 + pick(8), pick(2) == 0 ? .now : .queued)
        case 1: try await client.launchScene(1 + pick(8), pick(2) == 0 ? .now : .queued)
        case 2: try await client.chainSlots(track, [1 + pick(8), 1 + pick(8)])
        case 3: try await client.chainScenes([1 + pick(3), 1 + pick(3), 1 + pick(3)])
        case 4: try await client.copyScene(from: 1 + pick(8), to: 1 + pick(8))
        default: try await client.set(.launchQuantum, to: .choice(LaunchQuantum.allCases[pick(4)]))
        }
    }

    private mutating func changeSounds(_ client: PixelBoopClient) async throws {
        await tally.count("sounds")
        for _ in 0..<10 { try await client.changeSounds(using: &generator) }
    }

    private mutating func edit(_ client: PixelBoopClient) async throws {
        await tally.count("edits")
        switch pick(12) {
        case 0: try await client.undo()
        case 1: try await client.redo()
        case 2: try await pick(4) == 0 ? client.newPattern() : client.clearPattern()
        case 3: try await client.set(.scale, to: .choice(Scale.allCases[pick(Scale.allCases.count)]))
        case 4: try await client.set(.root, to: .choice(PitchClass(pick(12))))
        case 5: try await client.set(.colors, to: .choice(ColorMode.allCases[pick(3)]))
        case 6: try await client.setFill(pick(2) == 0)
        case 7: try await client.freezeDice(Track.allCases[pick(4)])
        case 8, 9: try await move(client)
        default:
            let track = Track.allCases[pick(4)]
            let velocity = Velocity.allCases[pick(track == .rhythm ? 3 : 4)]
            var values: [NoteValue: Int] = [:]
            for value in NoteValue.allCases where velocity.isHead && pick(2) == 0 {
                values[value] = Int.random(in: value.range, using: &generator)
            }
            try await client.setNote(track, step: pick(32), note: pick(12), velocity, values: values)
        }
    }

    private mutating func move(_ client: PixelBoopClient) async throws {
        let (track, parameter) = (Track.allCases[pick(4)], Parameter.movable[pick(Parameter.movable.count)])
        if pick(8) == 0 { return try await client.clearMotion(track, pick(2) == 0 ? nil : parameter) }
        for _ in 0..<4 {
            let value = Double.random(in: parameter.row.motion ?? 0...0, using: &generator)
            try await client.setMotion(track, parameter, step: pick(32), to: value)
        }
    }

    private mutating func store(_ client: PixelBoopClient) async throws {
        await tally.count("files")
        let name = "pattern \(pick(4))"
        switch pick(7) {
        case 0, 1: try await client.save(name)
        case 2, 3: try await client.load(name)
        case 4: try await client.delete(name)
        case 5: _ = try await client.exportMIDI(loops: 1 + pick(4))
        default:
            let path = daemon.directory.appending(path: "export \(number).wav").path
            _ = try await client.exportWAV(to: path, rate: [44100, 48000, 96000][pick(3)])
        }
    }
}
