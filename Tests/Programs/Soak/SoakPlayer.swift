import PixelBoopClient
import TestSupport
import Wire

/// A client that watches everything and plays without rest.
struct SoakPlayer: Sendable {
    /// The result of comparing a player's picture with the daemon's.
    enum Agreement: Equatable {
        case equal
        case different(sequence: Int)
        /// The player had received none of the requested pictures.
        case unknown
    }

    let number: Int
    private let client: PixelBoopClient
    private let seen = SeenPictures()

    /// Connects and introduces itself.
    init(number: Int, to path: String) async throws {
        self.number = number
        client = try await PixelBoopClient.connect(to: path)
        try await client.hello(client: "player \(number)")
    }

    /// Watches and plays until cancelled.
    ///
    /// - Throws: When the connection is lost.
    func play(seed: UInt64) async throws {
        // Audio has its own connections. The whole state costs this process more than the daemon, so only some get it.
        let topics = Set(Topic.allCases).subtracting(number % 5 == 0 ? [.audio] : [.audio, .state])
        let subscription = try await client.subscribe(to: topics)
        async let watching: Void = watch(subscription)
        var random = SeededGenerator(seed: seed)
        do {
            while !Task.isCancelled {
                for moment in RandomGesture(finger: 1, using: &random).moments {
                    try await Task.sleep(for: moment.wait)
                    try await client.send(moment.touch)
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...1000, using: &random)))
            }
        } catch is CancellationError {}
        subscription.cancel()
        try await watching
    }

    private func watch(_ subscription: Subscription) async throws {
        defer { Task { await seen.end() } }
        for try await event in subscription {
            if case .frame(let picture) = event { await seen.add(picture) }
        }
    }

    /// Closes the connection.
    func leave() {
        client.close()
    }

    /// Compares the player's picture with the daemon's. While everything moves, this client need not be sent the
    /// picture that the daemon draws for the answer, so it asks until there is one that both have.
    func compare() async throws -> Agreement {
        for _ in 0..<100 {
            let picture = try await client.frame()
            guard let mine = await seen.frame(numbered: picture.sequence) else { continue }
            return mine == picture.frame ? .equal : .different(sequence: picture.sequence)
        }
        return .unknown
    }
}
