import ControlTestSupport
import Grid
import JSON
import Music
import TestSupport
import Testing
import Wire

/// Fingers whose packets come late, over real sockets: each touch says by its client's clock when it was.
///
/// Three packets in ten are up to 400 ms late, and hold up those behind them. The pauses of 15 s between gestures pass on the
/// clients' clocks alone, and many clients play at a time.
@Suite(.timeLimit(.minutes(1))) struct LateTouchTests {
    @Test func `of 770 taps and double taps on notes that come up to 400 ms late, none becomes something else`()
        async throws
    {
        try await TestServer.with { server in
            var judged = 0
            // A busy machine gets further tries.
            for seed in [0, 100, 200, 300] where judged <= 96 {
                let hands = (0..<77).map { Hand(seed: UInt64(seed + $0), at: note($0), rounds: 5) }
                let outcomes = try await play(hands, on: server)
                #expect(outcomes.flatMap(\.self).count == 77 * 10)
                let (count, wrong) = judge(outcomes)
                #expect(wrong == [])
                judged += count
                try await server.client().call("pattern.new")
            }
            #expect(judged > 96, "the machine was too busy to judge by")
        }
    }

    @Test func `without the time at which fingers did it, the same touches become accents`() async throws {
        try await TestServer.with { server in
            let hands = (0..<16).map { Hand(seed: UInt64($0), at: note(7 * $0), rounds: 2, tellsTime: false) }
            let (_, wrong) = judge(try await play(hands, on: server))
            #expect(wrong.contains { $0.hasSuffix("accent") })
        }
    }

    @Test func `of 240 taps and double taps on clear, record, music key and pads none becomes a hold`() async throws {
        try await TestServer.with(hasAudio: true) { server in
            let watcher = try await server.client()
            try await watcher.call("subscribe", ["topics": ["tooltip"]])
            let places = [(41, 0), (1, 0), (0, 0), (41, 5), (42, 3), (43, 9), (40, 22), (43, 23)]
            let hands = (0..<24).map { Hand(seed: UInt64($0), at: places[$0 % places.count], rounds: 5) }
            let outcomes = try await play(hands, on: server)
            let state = try InstrumentState(json: try await watcher.call("state.get"))
            var texts: Set<String> = []
            for notification in watcher.pendingNotifications {
                if let tooltip = notification.message(as: TooltipEvent.self) { texts.insert(tooltip.text) }
            }
            #expect(texts.isSuperset(of: ["HOLD", "PLAY", "STOP"]))
            guard outcomes.flatMap(\.self).allSatisfy({ !$0.wasDisturbed }) else { return }
            #expect(!state.transport.record && state.settings[.colors].name == ColorMode.chromatic.name)
            let held = texts.filter { text in
                ["CLEARED!", "REC", "CHROMATIC", "HARMONIC", "SAFE", "COPY", "PASTE"].contains { text.hasPrefix($0) }
            }
            #expect(held == [])
        }
    }

    /// Lets all hands play at the same time.
    private func play(_ hands: [Hand], on server: TestServer) async throws -> [[Outcome]] {
        try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for hand in hands {
                let transport = try await server.socket()
                group.addTask { try await hand.play(over: transport) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// How many gestures can be judged, and what is wrong with which. A hand that the machine held up for long is judged up to
    /// there: no clock measures that.
    private func judge(_ outcomes: [[Outcome]]) -> (judged: Int, wrong: [String]) {
        let judged = outcomes.flatMap { $0.prefix { !$0.wasDisturbed } }
        return (
            judged.count,
            judged.filter { $0.gestures != $0.expected }.map {
                "\($0.expected.joined(separator: ", ")) became \($0.gestures.joined(separator: ", "))"
            }
        )
    }
}

/// A step that one hand alone plays, in a row of several notes: after a tap on a note there is still something to erase.
private func note(_ number: Int) -> (column: Int, row: Int) {
    let track = Track.allCases[number % 4]
    let lowest = track == .melody || track == .chords ? 4 : 0
    return (Layout.column(ofStep: number / 4), Layout.row(of: track, note: lowest))
}

/// What became of a tap or a double tap.
private struct Outcome: Sendable {
    var expected: [String]
    var gestures: [String] = []
    /// Whether an answer took so long that the machine, not the packet, was late.
    var wasDisturbed = false
}

/// A hand that taps a place: a tap, a double tap on what it wrote, and so on.
private struct Hand: Sendable {
    private struct Line: Sendable {
        let gesture: Int
        let isUp: Bool
        /// When it reaches the socket.
        let arrival: Duration
        let bytes: [UInt8]
    }

    /// Less than what the daemon trusts a clock beyond the lateness of packets.
    private static let disturbance = Duration.milliseconds(80)

    private var lines: [Line] = []
    private var expected: [Outcome] = []

    init(seed: UInt64, at place: (column: Int, row: Int), rounds: Int, tellsTime: Bool = true) {
        var random = SeededGenerator(seed: seed)
        var (now, pauses, lastArrival) = (Int.random(in: 0...300, using: &random), 0, 0)
        func add(_ phase: String, at time: Int) {
            let lateness = Int.random(in: 0..<10, using: &random) < 3 ? Int.random(in: 0...400, using: &random) : 0
            lastArrival = max(lastArrival, time + lateness)
            var touch = TestClient.touch(phase, place.column, place.row)
            if tellsTime { touch["ms"] = .integer(time + pauses) }
            let request = Request(id: .integer(lines.count + 1), method: "touch", parameters: .byName(touch))
            lines.append(
                Line(
                    gesture: expected.count - 1, isUp: phase == "up", arrival: .milliseconds(lastArrival),
                    bytes: request.line))
        }
        func tap(from start: Int, to end: Int) {
            add("down", at: start)
            // As the page does while a finger rests.
            for time in stride(from: start + 100, to: end, by: 100) { add("move", at: time) }
            add("up", at: end)
            now = end
        }
        for _ in 0..<rounds {
            expected.append(Outcome(expected: ["tap"]))
            tap(from: now, to: now + Int.random(in: 50...350, using: &random))
            // Later than what would make them a double tap.
            now += 450
            pauses += [0, 15_000].randomElement(using: &random)!
            expected.append(Outcome(expected: ["tap", "erase"]))
            let first = now
            tap(from: first, to: first + Int.random(in: 50...110, using: &random))
            let second = first + Int.random(in: 120...240, using: &random)
            tap(from: second, to: second + Int.random(in: 50...350, using: &random))
            now += 450
            pauses += [0, 15_000].randomElement(using: &random)!
        }
    }

    func play(over transport: SocketTransport) async throws -> [Outcome] {
        let clock = ContinuousClock()
        let start = clock.now
        async let answers = answers(from: transport, since: start)
        for line in lines {
            try await clock.sleep(until: start + line.arrival)
            try await transport.send(line.bytes)
        }
        var outcomes = expected
        for (line, answer) in zip(lines, try await answers) {
            if answer.arrival - line.arrival > Hand.disturbance { outcomes[line.gesture].wasDisturbed = true }
            if line.isUp { outcomes[line.gesture].gestures.append(answer.gesture) }
        }
        await transport.close()
        return outcomes
    }

    private func answers(
        from transport: SocketTransport, since start: ContinuousClock.Instant
    ) async throws -> [(gesture: String, arrival: Duration)] {
        var answers: [(gesture: String, arrival: Duration)] = []
        for await line in transport.lines {
            for message in try DaemonMessage.messages(parsing: line) {
                guard case .response(let response) = message else { continue }
                let outcome = try response.result.get().objectValue
                answers.append((outcome?["gesture"]?.stringValue ?? "", start.duration(to: .now)))
            }
            if answers.count == lines.count { break }
        }
        return answers
    }
}
