import PixelBoopClient
import Synchronization

/// All clients that use the daemon at the same time.
final class Company: Sendable {
    /// The results of comparing the players' pictures with the daemon's.
    struct Comparison: Equatable, Sendable {
        var equal = 0
        var different = 0
        /// Players who had received none of the requested pictures.
        var unknown = 0
    }

    private let players: [SoakPlayer]
    private let socketPath: String
    private let export: String
    // Closed with this.
    private let door: WebDoor
    private let surfaces: Surfaces?
    private let midi: (guests: MidiGuests, listener: Listener)?
    private let listeners: AudioListeners
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let failure = Mutex<(first: String?, isForeseen: Bool)>((nil, false))

    /// - Parameters:
    ///   - count: Players on the control socket.
    ///   - pages: Players who connect like pages.
    ///   - door: Where those connect, and one listener.
    ///   - surfaces: Surfaces to play on, if any.
    ///   - midi: The clients at the MIDI ports, and the judge of what is heard there; only with JACK.
    init(
        of count: Int, pages: Int = 0, at stage: SoakStage, through door: WebDoor, surfaces: Surfaces? = nil,
        midi: (guests: MidiGuests, listener: Listener)? = nil
    ) async throws {
        socketPath = stage.socketPath
        export = stage.path("export.wav")
        (self.door, self.surfaces, self.midi) = (door, surfaces, midi)
        listeners = AudioListeners(socketPath: stage.socketPath, doorPath: door.path)
        var players: [SoakPlayer] = []
        for number in 1...count + pages {
            players.append(try await SoakPlayer(number: number, to: number <= count ? socketPath : door.path))
        }
        self.players = players
    }

    /// The first failure, nil if there was none.
    var firstFailure: String? { failure.withLock(\.first) }

    /// Records that the daemon will be killed: what fails from now on is no fault.
    func foreseeEnd() { failure.withLock { $0.isForeseen = true } }

    /// What the listeners heard.
    var audio: [String: HeardAudio] { listeners.findings }

    /// Starts everyone.
    func start(seed: UInt64) {
        for player in players {
            begin("player \(player.number)") { try await player.play(seed: seed &* 1000 &+ UInt64(player.number)) }
        }
        begin("the conductor") { [socketPath] in try await Traffic.conduct(at: socketPath) }
        begin("who makes music") { [socketPath, export] in
            try await Traffic.makeMusic(at: socketPath, exportingTo: export, seed: seed)
        }
        begin("a visitor") { [socketPath] in try await Traffic.visit(socketPath, seed: seed) }
        for number in 1...5 {
            begin("slow client \(number)") { [socketPath] in
                try await Traffic.dawdle(at: socketPath, seed: seed &+ UInt64(number))
            }
        }
        begin("a client that never reads") { [socketPath] in try await Traffic.ignoreAnswers(at: socketPath) }
        begin("who listens") { [listeners] in try await listeners.listen() }
        startPerformers(seed: seed)
        if let midi { startMidi(midi.guests, midi.listener, seed: seed) }
        if let surfaces { startSurfaces(surfaces, seed: seed) }
    }

    private func startPerformers(seed: UInt64) {
        for number in 0..<3 {
            let path = number == 2 ? door.path : socketPath
            begin("who presses keys \(number)") { [midi] in
                try await Traffic.pressKeys(at: path, number: number, midi?.listener, seed: seed &+ UInt64(number))
            }
        }
        begin("who punches in") { [socketPath] in try await Traffic.punchIn(at: socketPath, seed: seed) }
        begin("who uses takes") { [socketPath, export] in
            try await Traffic.useTakes(at: socketPath, exportingTo: "\(export).take.wav", seed: seed)
        }
        begin("a page that uses takes") { [door] in
            try await Traffic.useTakes(at: door.path, exportingTo: nil, seed: seed &+ 1)
        }
    }

    private func startMidi(_ guests: MidiGuests, _ listener: Listener, seed: UInt64) {
        begin("who records") { [socketPath] in try await Traffic.record(at: socketPath, seed: seed) }
        begin("who counts the steps") { [socketPath] in try await Self.countSteps(at: socketPath, listener) }
        begin("the MIDI clock") { [socketPath] in
            try await Traffic.keepTime(at: socketPath, guests, listener, seed: seed)
        }
        begin("who listens to MIDI") { [socketPath] in
            try await Traffic.stopNotes(at: socketPath, guests, listener, seed: seed)
        }
    }

    private func startSurfaces(_ surfaces: Surfaces, seed: UInt64) {
        begin("the Launchpad") { try await surfaces.launchpad.play(seed: seed) }
        begin("OSC") { try await Traffic.sendOSC(to: surfaces.oscPort, seed: seed) }
        if let link = surfaces.link { begin("the Link session") { try await link.play(seed: seed) } }
    }

    private static func countSteps(at socketPath: String, _ listener: Listener) async throws {
        let client = try await PixelBoopClient.connect(to: socketPath)
        for try await event in try await client.subscribe(to: [.step, .state]) {
            switch event {
            case .step(let step): listener.add(step)
            case .state(let snapshot): listener.add(snapshot.state)
            default: break
            }
        }
    }

    private func begin(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        let task = Task { [self] in
            do {
                try await body()
            } catch is CancellationError {
            } catch {
                failure.withLock { if !$0.isForeseen { $0.first = $0.first ?? "\(name): \(error)" } }
            }
        }
        tasks.withLock { $0.append(task) }
    }

    /// Compares everyone's picture with the daemon's.
    func compare() async -> Comparison {
        await withTaskGroup(of: SoakPlayer.Agreement?.self) { group in
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

    /// Stops everyone.
    func leave() async {
        let tasks = tasks.withLock(\.self)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for player in players { player.leave() }
    }
}
