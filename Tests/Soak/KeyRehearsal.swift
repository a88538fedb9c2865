import DaemonTestSupport
import Foundation
import Grid
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// Somebody who hears all keys at the MIDI output, and must never be left with one that is down: whatever is edited, muted,
/// launched, undone and played by hand meanwhile, and however often the JACK server dies.
struct KeyRehearsal {
    private let server: JackServer
    private let stage: Stage
    private let client: PixelBoopClient
    private let end: ContinuousClock.Instant
    private var random: SeededGenerator
    private var counts = (notes: 0, stops: 0, restarts: 0)
    private var faults: [String] = []

    /// Plays, and prints a verdict.
    ///
    /// - Returns: Whether each start of a note had its end.
    static func play(for duration: Duration, seed: UInt64) async throws -> Bool {
        try await JackServer.with(period: 64, limit: duration + .seconds(120)) { server in
            let stage = try Stage(jackServer: server.name)
            try await stage.start()
            try await stage.awaitSound()
            var rehearsal = try await KeyRehearsal(server, stage, duration, seed)
            return try await rehearsal.run()
        }
    }

    private init(_ server: JackServer, _ stage: Stage, _ duration: Duration, _ seed: UInt64) async throws {
        (self.server, self.stage) = (server, stage)
        client = try await PixelBoopClient.connect(to: stage.socketPath)
        end = ContinuousClock.now + duration
        random = SeededGenerator(seed: seed)
    }

    private mutating func run() async throws -> Bool {
        while ContinuousClock.now < end, faults.isEmpty {
            try await playUntilKilled()
            if ContinuousClock.now < end { try await restart() }
        }
        let status = await stage.end(with: SIGTERM)
        if status != 0 { faults.append("the daemon ended with \(status ?? -1)") }
        say("\(counts.notes) notes, \(counts.stops) stops, \(counts.restarts) restarts of the server")
        for fault in faults { say("BAD  \(fault)") }
        if faults.isEmpty { say("good keys: each that was pressed was let go") }
        return faults.isEmpty && counts.notes > 0
    }

    /// One life of the server.
    private mutating func playUntilKilled() async throws {
        let peer = try JackMidiPeer("listener", of: server)
        defer { peer.close() }
        try peer.connect("pixelboop:midi_out", to: "listener:in")
        try peer.connect("listener:out", to: "pixelboop:midi_in")
        for _ in 0..<Int.random(in: 3...15, using: &random) where ContinuousClock.now < end && faults.isEmpty {
            for _ in 0..<Int.random(in: 5...40, using: &random) { try await act(peer) }
            try await stop(peer)
        }
        counts.notes += peer.messages.count { $0.bytes[0] & 0xf0 == 0x90 }
    }

    private mutating func restart() async throws {
        await server.kill()
        try await client.waitForState { $0.audio.status != .running }
        // What happens without a server must not be left sounding when there is one again.
        for _ in 0..<5 { try await edit() }
        try await server.start()
        try await stage.awaitSound()
        counts.restarts += 1
    }

    // MARK: What happens

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func act(_ peer: JackMidiPeer) async throws {
        if pick(2) == 0 {
            let statuses: [UInt8] = [0x80, 0x90, 0x90, 0xb0, 0xe0]
            let channel = UInt8([0, 1, 2, 9][pick(4)])
            let (status, key) = (statuses[pick(5)], UInt8(36 + pick(36)))
            _ = await peer.send([status | channel, status == 0xb0 ? 64 : key, UInt8(pick(128))])
        } else {
            try await edit()
        }
    }

    private mutating func edit() async throws {
        let track = Track.allCases[pick(4)]
        do {
            switch pick(16) {
            case 0...2: try await client.play()
            case 3: try await client.pause()
            case 4: try await client.locate(step: pick(8))
            case 5: try await client.set(track, [.mute: .toggle(pick(3) == 0), .solo: .toggle(pick(8) == 0)])
            case 6: try await client.set(track, [.target: .choice(NoteTarget.allCases[pick(3)])])
            case 7: try await client.set(track, [.channel: .number(Double(1 + pick(4)))])
            case 8: try await client.launchScene(1 + pick(4), pick(2) == 0 ? .now : .queued)
            case 9: try await client.chainSlots(track, [1 + pick(4), 1 + pick(4)])
            case 10: try await client.undo()
            case 11: try await client.setTempo(Double(100 + pick(200)))
            case 12:
                for phase in [TouchPhase.down, .up] {
                    try await client.send(Touch(id: 1, phase, column: 4 + pick(8), row: 2 + pick(20)))
                }
            default:
                for step in 0..<8 {
                    let velocity = Velocity.allCases[pick(track == .rhythm ? 3 : 4)]
                    try await client.setNote(track, step: step, note: Int([0, 4, 7][pick(3)]), velocity)
                }
            }
        } catch ClientError.refused(let refusal) where refusal.code != .internalError {
            // There is no server, or nothing to undo.
        }
    }

    /// Lets all keys go and stops: then nothing may be down.
    private mutating func stop(_ peer: JackMidiPeer) async throws {
        for channel in [0, 1, 2, 3, 9] as [UInt8] {
            for controller in [64, 123] as [UInt8] { _ = await peer.send([0xb0 | channel, controller, 0]) }
        }
        try await client.stop()
        counts.stops += 1
        let limit = ContinuousClock.now + .seconds(2)
        while true {
            let keys = HeardKeys(peer.messages)
            if let fault = keys.fault { return faults.append(fault) }
            if keys.down.isEmpty { return }
            guard ContinuousClock.now < limit else {
                return faults.append("still down after stop \(counts.stops), channel and key: \(keys.down)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
