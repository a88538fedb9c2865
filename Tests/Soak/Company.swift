import PixelBoopClient
import Synchronization

/// All who make use of the daemon at the same time.
final class Company: Sendable {
    /// How the players' pictures compare with the daemon's.
    struct Comparison: Equatable, Sendable {
        var equal = 0
        var different = 0
        /// Players who had none of the pictures that were asked for.
        var unknown = 0
    }

    private let players: [Player]
    private let socketPath: String
    private let exports: String
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let failure = Mutex<String?>(nil)

    init(of count: Int, at stage: Stage) async throws {
        socketPath = stage.socketPath
        exports = stage.path("")
        var players: [Player] = []
        for number in 1...count { players.append(try await Player(number: number, to: socketPath)) }
        self.players = players
    }

    /// What went wrong first, nil while nothing did.
    var firstFailure: String? { failure.withLock(\.self) }

    /// Lets everybody begin.
    func start(seed: UInt64) {
        for player in players {
            begin("player \(player.number)") { try await player.play(seed: seed &* 1000 &+ UInt64(player.number)) }
        }
        begin("the conductor") { [socketPath] in try await Traffic.conduct(at: socketPath) }
        begin("the librarian") { [socketPath, exports] in
            try await Traffic.useLibrary(at: socketPath, exportingTo: exports, seed: seed)
        }
        begin("the sound engineer") { [socketPath] in try await Traffic.changeSounds(at: socketPath, seed: seed) }
        begin("a visitor") { [socketPath] in try await Traffic.visit(socketPath, seed: seed) }
        for number in 1...5 {
            begin("slow client \(number)") { [socketPath] in
                try await Traffic.dawdle(at: socketPath, seed: seed &+ UInt64(number))
            }
        }
        begin("a client that never reads") { [socketPath] in try await Traffic.ignoreAnswers(at: socketPath) }
    }

    private func begin(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        let task = Task { [self] in
            do {
                try await body()
            } catch is CancellationError {
            } catch {
                failure.withLock { $0 = $0 ?? "\(name): \(error)" }
            }
        }
        tasks.withLock { $0.append(task) }
    }

    /// Holds everybody's picture against the daemon's.
    func compare() async -> Comparison {
        await withTaskGroup(of: Player.Agreement?.self) { group in
            for player in players { group.addTask { try? await player.compare() } }
            return await group.reduce(into: Comparison()) { result, agreement in
                switch agreement {
                case .equal: result.equal += 1
                case .different: result.different += 1
                case .unknown, nil: result.unknown += 1
                }
            }
        }
    }

    /// Sends everybody home.
    func leave() async {
        let tasks = tasks.withLock(\.self)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for player in players { player.leave() }
    }
}
