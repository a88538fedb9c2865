import DaemonTestSupport
import Foundation
import Grid
import Music
import PixelBoopClient
import TestSupport
import Wire

/// A client that does anything that clients can do, in random order.
struct Player {
    private let number: Int
    private let daemon: DaemonProcess
    private let tally: Tally
    private var generator: SeededGenerator
    private var musician: RandomMusician

    init(number: Int, daemon: DaemonProcess, tally: Tally, seed: UInt64) {
        self.number = number
        self.daemon = daemon
        self.tally = tally
        generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
        let export = daemon.directory.appending(path: "export \(number).wav").path
        musician = RandomMusician(seed: generator.next(), exportingTo: export)
    }

    /// Lets several players play at the same time, until an event has ended.
    static func playTogether(
        _ count: Int, _ daemon: DaemonProcess, _ tally: Tally, seed: UInt64, until event: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...count {
                group.addTask {
                    var player = Player(number: number, daemon: daemon, tally: tally, seed: seed)
                    try await player.play()
                }
            }
            try await event()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
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
            guard pick(3) > 0 else { return try await touch(client) }
            let act = RandomMusician.Act.allCases[pick(RandomMusician.Act.allCases.count)]
            await tally.count(try await musician.perform(act, at: client) ? act.rawValue : "refusals")
        } catch ClientError.refused(let refusal) where refusal.code != .internalError {
            await tally.count("refusals")
        }
    }

    private mutating func touch(_ client: PixelBoopClient) async throws {
        let hand = Hand(client: client, tally: tally, finger: 1 + pick(3))
        switch pick(9) {
        case 8:
            // Holds a punch-in.
            let (column, row) = (4 + pick(35), 22 + pick(2))
            try await hand.draw([(column, row), (column + 1, row)], holding: true)
        case 0: try await hand.draw([(pick(40), 0)], holding: pick(4) == 0)
        case 1: try await hand.draw([(pick(2), 2 + pick(20))])
        case 2:
            for _ in 0..<2 { try await hand.draw([(20, 22)]) }
        case 3:
            let corners: [FingerPlace] = (0..<(2 + pick(4))).map { _ in (4 + pick(39), 1 + pick(22)) }
            try await hand.draw(corners, holding: pick(4) == 0)
        case 4:
            try await hand.touch(.down, (4 + pick(8), 2 + pick(20)))
            try await hand.touch(.cancel, (0, 0))
        default:
            let track = Track.allCases[pick(4)]
            try await hand.perform(
                FingerMotion.allCases[pick(FingerMotion.allCases.count)], on: track, column: 4 + pick(20))
        }
    }
}
