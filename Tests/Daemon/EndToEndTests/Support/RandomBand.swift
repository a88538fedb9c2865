import DaemonTestSupport
import Foundation
import Grid
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// Three clients, a keyboard, a MIDI clock and JACK's transport, which do anything at random: the same for the same seed, but not
/// at the same moments.
struct RandomBand: Sendable {
    let daemon: DaemonProcess
    let seed: UInt64

    /// Plays for some seconds.
    ///
    /// - Parameter server: Whose MIDI ports and transport are used; nil for neither.
    func play(seconds: Double, on server: JackServer? = nil) async throws {
        let peers = try server.map { try (JackMidiPeer("keyboard", of: $0), JackMidiPeer("clock", of: $0)) }
        defer {
            peers?.0.close()
            peers?.1.close()
        }
        for (peer, name) in [(peers?.0, "keyboard"), (peers?.1, "clock")] {
            try peer?.connect("\(name):out", to: "pixelboop:midi_in")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 as Range<UInt64> {
                group.addTask {
                    let client = try await daemon.connect()
                    defer { client.close() }
                    var player = RandomPlayer(client, seed: seed &* 100 &+ number, at: daemon.directory)
                    try await player.play()
                }
            }
            if let (keyboard, clock) = peers {
                group.addTask { try await Self.playKeys(keyboard, seed: seed) }
                group.addTask { try await Self.tick(clock, seed: seed) }
            }
            try await Task.sleep(for: .seconds(seconds))
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    /// Keys, bends and pedals on all channels, and starts, stops and relocations of JACK's transport.
    private static func playKeys(_ keyboard: JackMidiPeer, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 7)
        func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }
        while true {
            try await Task.sleep(for: .milliseconds(20 + pick(150)))
            let channel = UInt8([0, 1, 2, 9][pick(4)])
            switch pick(12) {
            case 0: _ = await keyboard.send([0xe0 | channel, UInt8(pick(128)), UInt8(pick(128))])
            case 1: _ = await keyboard.send([0xb0 | channel, 64, UInt8(pick(2) * 127)])
            case 2: keyboard.startTransport()
            case 3: keyboard.stopTransport()
            case 4: keyboard.locateTransport(to: UInt32(pick(2_000_000)))
            default:
                let key = UInt8(36 + pick(48))
                _ = await keyboard.send([0x90 | channel, key, UInt8(1 + pick(127))])
                try await Task.sleep(for: .milliseconds(pick(300)))
                _ = await keyboard.send([0x80 | channel, key, 0])
            }
        }
    }

    /// A clock with a tempo that drifts, whose ticks come in the middle of some period.
    private static func tick(_ clock: JackMidiPeer, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 8)
        while true {
            _ = await clock.send([[0xfa, 0xfb].randomElement(using: &random)!])
            var bpm = Double.random(in: 80...200, using: &random)
            for _ in 0..<Int.random(in: 50...150, using: &random) {
                try await Task.sleep(for: .seconds(2.5 / bpm))
                _ = await clock.send([0xf8])
                bpm *= .random(in: 0.99...1.01, using: &random)
            }
            _ = await clock.send([0xfc])
            try await Task.sleep(for: .seconds(.random(in: 0...2, using: &random)))
        }
    }
}

/// A client that touches the grid and calls methods at random.
private struct RandomPlayer {
    private let client: PixelBoopClient
    private var random: SeededGenerator
    private var musician: RandomMusician

    /// What changes what is heard. Exports would only take time.
    private static let acts = RandomMusician.Act.allCases.filter { $0 != .files }

    init(_ client: PixelBoopClient, seed: UInt64, at directory: URL) {
        self.client = client
        random = SeededGenerator(seed: seed)
        musician = RandomMusician(seed: seed &+ 1, exportingTo: directory.appending(path: "never.wav").path)
    }

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

    /// Plays until cancelled.
    mutating func play() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(10 + pick(80)))
            do {
                try await act()
            } catch ClientError.refused(let refusal) where refusal.code != .internalError {
                // Another client has changed what it needs, or JACK is not there.
            }
        }
    }

    private mutating func act() async throws {
        switch pick(20) {
        case 0...6: try await touch()
        case 7: try await press()
        case 8: for _ in 0..<4 { try await tapTempo() }
        case 9: try await client.save("pattern \(1 + pick(4))")
        case 10: try await client.load("pattern \(1 + pick(4))")
        case 11: try await client.set(.rhythm, [.kit: .choice(RandomKits.names[pick(2)])])
        case 12: if pick(3) == 0 { _ = try await client.kits(reloading: true) }
        case 13, 14: try await client.play()
        case 15:
            // The player's clock most of the time, or the music would mostly wait.
            let sources: [SyncSource] = [.own, .own, .midi, .jack, .automatic]
            try await client.setSync([.syncSource: .choice(sources[pick(sources.count)])])
        default: try await musician.perform(Self.acts[pick(Self.acts.count)], at: client)
        }
    }

    private mutating func tapTempo() async throws {
        try await client.tapTempo()
        try await Task.sleep(for: .milliseconds(300 + pick(20)))
    }

    private mutating func press() async throws {
        let key = PlayedKey(Track.allCases[pick(4)], note: pick(12))
        try await client.press(key, velocity: 1 + pick(127))
        try await Task.sleep(for: .milliseconds(pick(400)))
        try await client.release(key)
    }

    /// A tap, a hold or a drag anywhere.
    private mutating func touch() async throws {
        var (column, row) = (pick(44), pick(24))
        try await client.send(Touch(id: 1, .down, column: column, row: row))
        if pick(3) == 0 { try await Task.sleep(for: .milliseconds(450)) }
        for _ in 0..<pick(6) {
            (column, row) = (min(43, max(0, column + pick(9) - 4)), min(23, max(0, row + pick(5) - 2)))
            try await Task.sleep(for: .milliseconds(20))
            try await client.send(Touch(id: 1, .move, column: column, row: row))
        }
        try await client.send(Touch(id: 1, .up, column: column, row: row))
    }
}
