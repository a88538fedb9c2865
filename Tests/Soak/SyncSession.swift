import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// A session in which the sources of time come and go: timebase masters, a MIDI clock, timelines, and the JACK server.
///
/// Whatever happened, in the end of each round the daemon follows what a model that was given the same says; it plays no step
/// twice and leaves none out while nothing happens; and alone it plays when it is asked to.
struct SyncSession {
    /// Longer than from one beat to the next at the slowest tempo, and than a daemon on a busy machine takes to answer.
    private static let patience = Duration.seconds(5)

    private let server: JackServer
    private let stage: Stage
    private let client: PixelBoopClient
    /// Holds timelines.
    private let holder: PixelBoopClient
    private let steps: HeardSteps
    private var musician: OtherMusician
    private var random: SeededGenerator
    private var model = SourceModel()
    private var counts = (rounds: 0, steps: 0, restarts: 0)

    /// Plays, and prints what was wrong.
    ///
    /// - Returns: Whether nothing was.
    static func play(for duration: Duration, seed: UInt64) async throws -> Bool {
        try await JackServer.with(isStarted: false, limit: duration + .seconds(120)) { server in
            let stage = try Stage(jackServer: server.name)
            server.isSynchronous = false
            server.log = stage.jackLog
            try await server.start()
            try await stage.start()
            try await stage.awaitSound()
            var session = try await SyncSession(server, stage, seed: seed)
            let faults = try await session.run(for: duration)
            for fault in faults { say("wrong: \(fault)") }
            let counts = session.counts
            say("seed \(seed): \(counts.rounds) rounds, \(counts.steps) steps, \(counts.restarts) restarts of jackd")
            return await stage.end(with: SIGTERM) == 0 && faults.isEmpty
        }
    }

    private init(_ server: JackServer, _ stage: Stage, seed: UInt64) async throws {
        self.server = server
        self.stage = stage
        client = try await PixelBoopClient.connect(to: stage.socketPath)
        holder = try await PixelBoopClient.connect(to: stage.socketPath)
        steps = try await HeardSteps(try await PixelBoopClient.connect(to: stage.socketPath))
        musician = try OtherMusician(ofServerNamed: server.name)
        random = SeededGenerator(seed: seed)
        try await client.setSync([.syncSource: .choice(model.source)])
    }

    private mutating func run(for duration: Duration) async throws -> [String] {
        let end = ContinuousClock.now + duration
        var faults: [String] = []
        while ContinuousClock.now < end {
            for _ in 0..<pick(6) + 2 {
                try await act()
                try await Task.sleep(for: .milliseconds(pick(600)))
            }
            if pick(6) == 0 { try await restartServer() }
            faults += try await judge()
            counts.rounds += 1
        }
        return faults
    }

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

    private mutating func tempo() -> Double { .random(in: 60...250, using: &random) }

    // MARK: What happens

    private mutating func act() async throws {
        do {
            switch pick(12) {
            case 0...2: try await choose()
            case 3...5: try await command()
            case 6, 7: try await tell()
            case 8: lead()
            case 9: tick()
            default: moveTransport()
            }
        } catch ClientError.refused {
            // A position that is not ours, or a tempo.
        }
    }

    private mutating func choose() async throws {
        model.source = SyncSource.allCases[pick(SyncSource.allCases.count)]
        model.leads = SyncLead.allCases.filter { _ in pick(4) == 0 }
        try await client.setSync([
            .syncSource: .choice(model.source), .syncLead: .selection(model.leads.map(\.name)),
            .syncQuantum: .number(Double(1 + pick(4))),
            .syncOffsetIn: .number(Double(pick(3) == 0 ? pick(401) - 200 : 0)),
        ])
    }

    private mutating func command() async throws {
        switch pick(6) {
        case 0: try await client.stop()
        case 1: try await client.pause()
        case 2: try await client.locate(step: pick(8))
        default: try await client.play()
        }
    }

    private mutating func tell() async throws {
        if pick(3) == 0 {
            model.hasTimeline = false
            return try await holder.releaseTimeline()
        }
        try await holder.holdTimeline(
            beat: .random(in: -8...40, using: &random), usecs: try await holder.clockTimes().jack, bpm: tempo(),
            isPlaying: [true, false, nil][pick(3)])
        model.hasTimeline = true
    }

    private mutating func lead() {
        let bpm = pick(2) == 0 ? tempo() : nil
        musician.lead(bpm: bpm)
        model.hasMaster = bpm != nil
    }

    private mutating func tick() {
        if pick(2) == 0 {
            let bpm = pick(3) == 0 ? nil : tempo()
            musician.tick(bpm: bpm)
            model.hasTicks = bpm != nil
        } else {
            let message = [0xfa, 0xfb, 0xfc][pick(3)] as UInt8
            musician.send(message)
            model.isClockStarted = message != 0xfc
        }
    }

    private mutating func moveTransport() {
        switch pick(3) {
        case 0: musician.roll()
        case 1: musician.stop()
        default: musician.locate(UInt32(pick(4_000_000)))
        }
    }

    private mutating func restartServer() async throws {
        musician.close()
        await server.kill()
        try await Task.sleep(for: .milliseconds(pick(1500)))
        try await server.start()
        try await stage.awaitSound()
        musician = try OtherMusician(ofServerNamed: server.name)
        (model.hasMaster, model.hasTicks, model.isClockStarted) = (false, false, false)
        counts.restarts += 1
    }

    // MARK: What is to be seen

    private mutating func judge() async throws -> [String] {
        var faults: [String] = []
        if let fault = try await followingFault() { faults.append(fault) }
        _ = steps.take()
        try await Task.sleep(for: .seconds(2))
        let calm = steps.take()
        let state = try await client.state().state
        if state.sync.locked, let fault = sequenceFault(calm, length: state.length) {
            faults.append("\(fault) while \(state.sync.following) was followed, \(model)")
        }
        (model.source, model.leads) = (.own, [])
        try await client.setSync([.syncSource: .choice(SyncSource.own), .syncLead: .selection([])])
        _ = try await client.setTempo(200)
        try await client.play()
        _ = steps.take()
        // A bar at 200 BPM, and a step for what was on its way.
        try await Task.sleep(for: .milliseconds(1200 + 75))
        let alone = steps.take()
        if !(14...18).contains(alone.count) { faults.append("\(alone.count) steps in a bar alone") }
        if let fault = sequenceFault(alone, length: state.length) { faults.append("\(fault) alone") }
        counts.steps += calm.count + alone.count
        return faults
    }

    /// Waits until the daemon follows what the model says.
    private func followingFault() async throws -> String? {
        let end = ContinuousClock.now + Self.patience
        while true {
            let state = try await client.state().state
            let plays = state.transport.state == .playing
            let expected = model.following(isRolling: musician.isRolling, plays: plays)
            if expected == nil || state.sync.following == expected { return nil }
            guard ContinuousClock.now < end else {
                return "\(state.sync.following) is followed, not \(expected ?? .own): \(model)"
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func sequenceFault(_ steps: [Int], length: Int) -> String? {
        for (step, next) in zip(steps, steps.dropFirst()) where next != (step + 1) % length {
            return "step \(next) after \(step)"
        }
        return nil
    }
}

/// Who is there, and what that means.
struct SourceModel {
    var source = SyncSource.own
    var leads: [SyncLead] = []
    var hasTimeline = false
    var hasMaster = false
    var hasTicks = false
    /// Whether the MIDI clock has said so; without that our own play starts it.
    var isClockStarted = false

    /// What is to be followed; nil where that depends on who stopped or started the music: music that plays passes over what
    /// stands, unless it was started by it.
    func following(isRolling: Bool, plays: Bool) -> SyncSource? {
        switch source {
        case .own, .jack, .midi: return source
        case .timeline: return hasTimeline ? .timeline : .own
        case .automatic:
            if hasMaster, isRolling || !plays { return .jack }
            if isRolling, !leads.contains(.jack) { return .jack }
            if hasTicks, !leads.contains(.midi) { return isClockStarted || !plays ? .midi : nil }
            return hasTimeline ? .timeline : .own
        }
    }
}
