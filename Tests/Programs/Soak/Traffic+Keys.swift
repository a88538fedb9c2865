import Music
import PixelBoopClient
import TestSupport
import Wire

/// What programs hold down: keys and punch-ins, which must end with them.
extension Traffic {
    private static let drumsOfEach = 4

    /// Presses keys, holds and releases them, and vanishes with keys down, until cancelled.
    ///
    /// What is judged are drums, whose notes in patterns are short: whatever else plays them soon lets go.
    ///
    /// - Parameters:
    ///   - number: From 0 to 2; which drums they are.
    ///   - listener: Judges whether the keys are released when the client has vanished; only with JACK.
    static func pressKeys(at path: String, number: Int, _ listener: Listener?, seed: UInt64) async throws {
        let first = drumsOfEach * number
        let drums = (first..<first + drumsOfEach).map { PlayedKey(.rhythm, note: $0) }
        let channel = UInt8(Track.rhythm.defaultChannel - 1)
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let client = try await PixelBoopClient.connect(to: path)
            defer { client.close() }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let down = try await press(drums, client, using: &random)
                for key in down.shuffled(using: &random) { try await unlessRefused { try await client.release(key) } }
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...800, using: &random)))
            }
            _ = try await press(drums, client, using: &random)
            // From now on they are nobody's.
            listener?.noteVanishing(of: Set(drums.map { HeardKeys.Key(channel: channel, number: UInt8($0.key)) }))
        }
    }

    /// Presses some drums and a note, and holds them.
    private static func press(
        _ drums: [PlayedKey], _ client: PixelBoopClient, using random: inout SeededGenerator
    ) async throws -> [PlayedKey] {
        let track = Track.allCases.filter(\.isPitched).randomElement(using: &random)!
        let count = Int.random(in: 1...drums.count, using: &random)
        let note = PlayedKey(track, note: Int.random(in: 0..<12, using: &random))
        let down = drums.shuffled(using: &random).prefix(count) + [note]
        for key in down {
            let velocity = Int.random(in: 1...127, using: &random)
            try await unlessRefused { try await client.press(key, velocity: velocity) }
        }
        // Keys of a page go up when nothing is heard of it for 2 s.
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
            try await client.ping()
        }
        return Array(down)
    }

    /// Holds punch-ins and vanishes with them, catches what was played and rolls the dice, until cancelled.
    static func punchIn(at path: String, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let client = try await PixelBoopClient.connect(to: path)
            defer { client.close() }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let (effect, amount) = (
                    PunchEffect.allCases.randomElement(using: &random)!, Double.random(in: 0...1, using: &random)
                )
                try await unlessRefused { _ = try await client.punchIn(effect, amount: amount) }
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...1500, using: &random)))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try await unlessRefused { try await client.endPunchIn(effect) }
                case 1: try await unlessRefused { _ = try await client.catchKeys() }
                case 2: _ = try await client.rollDice()
                default: break
                }
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 500...4000, using: &random)))
        }
    }

    /// Makes a call that may be refused: there may be no JACK server at the moment, or nothing to do.
    private static func unlessRefused(_ call: () async throws -> Void) async throws {
        do {
            try await call()
        } catch ClientError.refused(let refusal) where refusal.code != .internalError {}
    }
}
