import Gestures
import Grid
import Instrument
import Music
import Session
import TestSupport

/// Clients that hold effects with fingers and calls, come and go, and fall silent; controllers; and a transport and a
/// driver that stop at any time.
struct RandomPunchers {
    private struct Client {
        let id: ClientID
        let isRemote: Bool
        /// When it has said something last.
        var heardAt: Duration
        /// The zones under its fingers, by their ids.
        var fingers: [Int: PunchEffect] = [:]
        /// What it has called for.
        var calls: Set<PunchEffect> = []
    }

    private var random: SeededGenerator
    private let instrument: Instrument
    private var clients: [Client] = []
    private var controllers: [MidiTrigger: PunchEffect] = [:]
    private var now = Duration.seconds(1)
    private var hasAudio = true
    private var plays = false
    /// How often anything was held.
    private(set) var heldCount = 0

    init(seed: UInt64) async {
        random = SeededGenerator(seed: seed)
        instrument = await Instrument()
        await instrument.startAudio()
    }

    var session: Session { instrument.session }

    mutating func act() async throws {
        switch int(0...99) {
        case 0..<4: await connect()
        case 4..<6: await disconnect()
        case 6..<22: try await touch(.down)
        case 22..<48: try await touch(.move)
        case 48..<56: try await touch(.up)
        case 56..<58: try await touch(.cancel)
        case 58..<68: try await call()
        case 68..<73: await endCall()
        case 73..<80: try await control()
        case 80..<83: try await transport()
        case 83: await changeDriver()
        case 84..<88: await speak()
        default: await wait(int(1...600))
        }
        await wait(int(0...120))
    }

    /// Everybody lets go, or is gone.
    mutating func leave() async throws {
        for index in clients.indices {
            for id in clients[index].fingers.keys { try await send(.up, id, at: (4.5, 22.5), by: index) }
        }
        while !clients.isEmpty { await disconnect() }
        for (trigger, effect) in controllers { await session.endPunchIn(effect, by: .controller(trigger)) }
        controllers = [:]
    }

    /// What is held, and whether there is somebody for each who may hold it.
    mutating func check() async -> (held: [PunchEffect], isPossible: Bool) {
        let punchIns = await session.punchIns
        let held = PunchEffect.allCases.filter { punchIns[$0].isHeld }
        if !held.isEmpty { heldCount += 1 }
        let alive = clients.filter { !$0.isRemote || now < $0.heardAt + .seconds(2) }
        let possible = alive.flatMap { Array($0.fingers.values) + $0.calls } + controllers.values
        let isPossible = held.allSatisfy { possible.contains($0) && hasAudio && (plays || $0.actsWhileStopped) }
        return (held, isPossible)
    }

    // MARK: Clients

    private mutating func connect() async {
        guard clients.count < 5 else { return }
        let id = await session.connect()
        let isRemote = int(0...1) == 0
        var surface = int(0...1) == 0 ? TouchSurface.cell : TouchSurface()
        surface.isRemote = isRemote
        await session.declare(surface, of: id)
        clients.append(Client(id: id, isRemote: isRemote, heardAt: now))
    }

    private mutating func disconnect() async {
        guard let index = clients.indices.randomElement(using: &random) else { return }
        await session.disconnect(clients.remove(at: index).id, at: now)
    }

    private mutating func speak() async {
        guard let index = clients.indices.randomElement(using: &random) else { return }
        clients[index].heardAt = now
        await session.hear(clients[index].id, at: now)
    }

    private mutating func touch(_ phase: TouchPhase) async throws {
        guard let index = clients.indices.randomElement(using: &random) else { return await connect() }
        let id = int(1...3)
        let (x, y) = (Double.random(in: 4..<40, using: &random), Double.random(in: 22..<24, using: &random))
        if phase == .down { clients[index].fingers[id] = PunchEffect(rawValue: (Int(x) - 4) / 9) }
        try await send(phase, id, at: (x, y), by: index)
    }

    private mutating func send(_ phase: TouchPhase, _ id: Int, at place: (x: Double, y: Double), by index: Int)
        async throws
    {
        clients[index].heardAt = now
        if phase == .up || phase == .cancel { clients[index].fingers[id] = nil }
        let touch = Touch(id: id, phase: phase, x: place.x, y: place.y)
        _ = try await session.touch(touch, by: clients[index].id, at: now)
        // A quick double tap on the overview starts or stops the music.
        plays = await session.transport.state == .playing
    }

    private mutating func call() async throws {
        guard hasAudio, let index = clients.indices.randomElement(using: &random) else { return }
        let effect = PunchEffect.allCases[int(0...3)]
        clients[index].heardAt = now
        clients[index].calls.insert(effect)
        _ = try await session.punchIn(
            effect, amount: Double(int(0...10)) / 10, on: tracks(), by: .program(clients[index].id), at: now)
    }

    private mutating func endCall() async {
        guard let index = clients.indices.randomElement(using: &random) else { return }
        let effect = PunchEffect.allCases[int(0...3)]
        clients[index].calls.remove(effect)
        await session.endPunchIn(effect, by: .program(clients[index].id))
    }

    // MARK: Everything else

    private mutating func control() async throws {
        let trigger = MidiTrigger(.controller, channel: 1, number: int(1...4))
        let effect = PunchEffect.allCases[trigger.number - 1]
        if hasAudio, int(0...1) == 0 {
            controllers[trigger] = effect
            _ = try await session.punchIn(
                effect, amount: Double(int(1...127)) / 127, on: tracks(), by: .controller(trigger), at: now)
        } else {
            controllers[trigger] = nil
            await session.endPunchIn(effect, by: .controller(trigger))
        }
    }

    private mutating func transport() async throws {
        let request: TransportRequest = [.play, .play, .play, .stop, .pause][int(0...4)]
        guard request != .play || hasAudio else { return }
        try await session.perform(.transport(request), at: now)
        plays = await session.transport.state == .playing
    }

    private mutating func changeDriver() async {
        if hasAudio { await instrument.loseAudio(at: now) } else { await instrument.startAudio(at: now) }
        hasAudio.toggle()
        plays = await session.transport.state == .playing
    }

    private mutating func wait(_ milliseconds: Int) async {
        let end = now + .milliseconds(milliseconds)
        while let wake = await session.nextWake, wake < end {
            now = max(now, wake)
            await session.advance(to: now)
        }
        now = end
        await session.advance(to: now)
        _ = await session.fetchEvents()
    }

    private mutating func tracks() -> [Track] { Track.allCases.filter { _ in int(0...1) == 0 } }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}
