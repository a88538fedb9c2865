import Grid
import Instrument
import Music
import NIOCore
import Wire

@testable import Control
@testable import Engine
@testable import Session

/// Clients that press keys, and what must be down because of that. Used on its event loop.
final class KeyPlayers {
    /// A client and the keys that it holds.
    private struct Player {
        var conversation: Conversation
        var isRemote: Bool
        var keys: Set<PlayedKey> = []
    }

    private static let running = AudioState(status: .running, rate: Int(KeyboardEngine.sampleRate), period: 64)

    private let keyboards: KeyboardEngine
    private let rig: ControlRig
    private let roomAtStart: Int
    private var players: [Player] = []
    private var isRunning = true
    /// Whether the last question was answered with a result.
    private var wasDone: [Bool] = []

    /// What was pressed last before the next cycle, if nothing has released it.
    private var newest: KeySource?

    init(on eventLoop: any EventLoop) {
        var document = Document()
        for track in Track.allCases { document.set(.target, on: track, to: .choice("both")) }
        keyboards = KeyboardEngine(document)
        roomAtStart = keyboards.engine.keyRoom
        // Lines take effect at once, even where the machine pauses.
        rig = ControlRig(on: eventLoop, keyboards.engine, document, turn: .seconds(3600))
        plugKeyboard()
        players = (0..<3).map { newPlayer(isRemote: $0 == 2) }
    }

    func play(_ cursor: inout InputCursor) {
        let (kind, first, second, third) = (cursor.byte(), cursor.byte(), cursor.byte(), cursor.byte())
        let player = Int(kind >> 4) % players.count
        switch kind % 16 {
        case 0...2: press(first, second, velocity: third, by: player)
        case 3, 4: release(first, second, by: player)
        case 5: strike(first, second, by: player)
        case 6: vanish(player)
        case 7...9: render(1 + Int(first), times: 1 + Int(second % 4))
        case 10: render(64, isLate: true)
        case 11: if isRunning { keyboards.receive(first, second, third) }
        case 12: transport(first, by: player)
        case 13: set(first, second, third, by: player)
        case 14: fallSilent()
        default: setDriver(isRunning: first % 2 == 0)
        }
    }

    // MARK: Clients

    private func newPlayer(isRemote: Bool) -> Player {
        let output = CheckedOutput { [unowned self] response in
            if case .success = response.result { wasDone.append(true) } else { wasDone.append(false) }
        }
        let player = Player(conversation: rig.attach(output), isRemote: isRemote)
        if isRemote { ask(#"{"jsonrpc":"2.0","method":"hello","params":{"remote":true},"id":0}"#, player) }
        return player
    }

    /// Sends a line; returns whether each of its requests was answered with a result.
    @discardableResult
    private func ask(_ line: String, _ player: Player) -> [Bool] {
        wasDone = []
        player.conversation.receive(ByteBuffer(string: line + "\n"))
        return wasDone
    }

    private func request(_ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":{\#(parameters)},"id":1}"#
    }

    private func vanish(_ player: Int) {
        rig.detach(players[player].conversation)
        newest = nil
        players[player] = newPlayer(isRemote: players[player].isRemote)
    }

    /// A remote client says nothing for so long that it no longer holds anything; nobody else loses a key by that.
    private func fallSilent() {
        rig.session.assumeIsolated { $0.heldKeys.advance(to: ControlClock.now + .seconds(3)) }
        for index in players.indices where players[index].isRemote {
            if !players[index].keys.isEmpty { newest = nil }
            players[index].keys = []
        }
    }

    // MARK: Keys

    /// A key in words, and as the protocol understands it; nil for one that it refuses.
    private func named(_ which: UInt8, _ number: UInt8) -> (words: String, key: PlayedKey?) {
        let track = Track.allCases[Int(which % 4)]
        if which & 4 == 0 {
            let note = Int(number % 13)
            return (
                #""track":"\#(track.name)","note":\#(note)"#,
                note < Track.noteCount ? PlayedKey(track, note: note) : nil
            )
        }
        return (#""track":"\#(track.name)","key":\#(number % 130)"#, PlayedKey(track, key: Int(number % 130)))
    }

    private func press(_ which: UInt8, _ number: UInt8, velocity: UInt8, by player: Int) {
        let (words, key) = named(which, number)
        let isDone = ask(request("keys.press", #"\#(words),"velocity":\#(velocity % 128)"#), players[player])
        require(isDone == [canPress(key, velocity: velocity % 128, by: player)], "a press of \(words): \(isDone)")
        guard isDone == [true], let key else { return }
        if velocity % 128 == 0 { return noteRelease(of: key, by: player) }
        players[player].keys.insert(key)
        newest = source(of: key, by: player)
    }

    private func canPress(_ key: PlayedKey?, velocity: UInt8, by player: Int) -> Bool {
        guard isRunning, let key else { return false }
        let keys = players[player].keys
        return velocity == 0 || keys.contains(key) || keys.count < 16
    }

    private func release(_ which: UInt8, _ number: UInt8, by player: Int) {
        let (words, key) = named(which, number)
        let isDone = ask(request("keys.release", words), players[player])
        require(isDone == [isRunning && key != nil], "a release of \(words): \(isDone)")
        if isDone == [true], let key { noteRelease(of: key, by: player) }
    }

    private func noteRelease(of key: PlayedKey, by player: Int) {
        players[player].keys.remove(key)
        if newest == source(of: key, by: player) { newest = nil }
    }

    /// Presses and releases a key in one line.
    private func strike(_ which: UInt8, _ number: UInt8, by player: Int) {
        let (words, key) = named(which, number)
        let line = "[\(request("keys.press", words)),\(request("keys.release", words))]"
        let canPress = canPress(key, velocity: 64, by: player)
        let isDone = ask(line, players[player])
        require(isDone == [canPress, isRunning && key != nil], "a strike of \(words): \(isDone)")
        if let key, isRunning { noteRelease(of: key, by: player) }
        if canPress { newest = nil }
    }

    private func source(of key: PlayedKey, by player: Int) -> KeySource {
        KeySource(
            RtKey(
                owner: Int32(players[player].conversation.client.id.number), track: UInt8(key.track.rawValue),
                key: UInt8(key.key), velocity: 0))
    }

    // MARK: What else happens

    private func transport(_ which: UInt8, by player: Int) {
        let requests = [
            ("transport.play", ""), ("transport.stop", ""), ("transport.pause", ""), ("transport.locate", #""step":9"#),
            ("transport.record", #""on":true"#), ("transport.record", #""on":false"#),
        ]
        let (method, parameters) = requests[Int(which) % requests.count]
        ask(request(method, parameters), players[player])
        newest = nil
    }

    private func set(_ which: UInt8, _ track: UInt8, _ value: UInt8, by player: Int) {
        let track = Track.allCases[Int(track % 4)].name
        let (isOn, choice) = (value % 2 == 0, Int(value) % 3)
        let (method, parameters) =
            switch which % 7 {
            case 0: ("scale.set", #""scale":"\#(["major", "minor", "penta"][choice])""#)
            case 1: ("root.set", #""root":"\#(["C", "F#", "B"][choice])""#)
            case 2: ("track.set", #""track":"\#(track)","mute":\#(isOn)"#)
            case 3: ("track.set", #""track":"\#(track)","arm":\#(isOn)"#)
            case 4: ("track.set", #""track":"\#(track)","channel":\#(1 + value % 16)"#)
            case 5: ("track.set", #""track":"\#(track)","target":"\#(["internal", "midi", "both"][choice])""#)
            default: ("track.set", #""track":"\#(track)","accents":"\#(["hard", "all", "none"][choice])""#)
            }
        require(ask(request(method, parameters), players[player]) == [true], "\(method) \(parameters) was refused")
        newest = nil
    }

    private func setDriver(isRunning: Bool) {
        guard isRunning != self.isRunning else { return }
        self.isRunning = isRunning
        newest = nil
        if isRunning { return plugKeyboard() }
        rig.setAudio(AudioState(status: .lost, reason: "the server died"))
        for index in players.indices { players[index].keys = [] }
        keyboards.unplug()
    }

    private func plugKeyboard() { rig.setAudio(Self.running, ["midi_in": ["system:midi_capture_1"]]) }

    // MARK: Cycles

    /// Renders cycles, after which the keys that are down are held by somebody.
    private func render(_ frameCount: Int, times: Int = 1, isLate: Bool = false) {
        guard isRunning else { return }
        // Messages come after the keys that programs press.
        if isLate || !keyboards.messages.isEmpty { newest = nil }
        for _ in 0..<times { keyboards.render(frameCount, isLate: isLate) }
        let holders = players.indices.flatMap { index in players[index].keys.map { source(of: $0, by: index) } }
        keyboards.check(holders, newest: newest)
        newest = nil
        rig.session.assumeIsolated {
            $0.advance(to: ControlClock.now)
            _ = $0.fetchEvents()
        }
    }

    /// Everybody leaves, and the music stops.
    func end() {
        setDriver(isRunning: true)
        render(64)
        fallSilent()
        render(64)
        for index in players.indices {
            rig.detach(players[index].conversation)
            players[index].keys = []
        }
        render(64)
        // Unplugged keyboards let go of their keys and pedals.
        rig.setAudio(Self.running)
        keyboards.unplug()
        rig.session.assumeIsolated {
            do throws(CommandError) {
                try $0.perform(.transport(.stop), at: ControlClock.now)
            } catch {
                require(false, "the music cannot be stopped: \(error)")
            }
        }
        render(64)
        for _ in 0..<40 where !keyboards.engine.isWhollySilent { render(8000) }
        require(keyboards.engine.isWhollySilent, "something sounds after all have left")
        require(keyboards.atOutput.down.isEmpty, "keys are down at the output: \(keyboards.atOutput.down)")
        checkRoom()
        rig.loop.stop()
    }

    /// Nothing is left of the keys: each that is held keeps a place of the queue for its release.
    private func checkRoom() {
        require(keyboards.engine.keyRoom == roomAtStart, "the queue of keys has lost room")
        let count = rig.session.assumeIsolated { [roomAtStart] session in
            let client = session.connect()
            return (0..<roomAtStart).prefix { _ in
                (try? session.press(PlayedKey(.melody, note: 0), velocity: 64, by: client, at: ControlClock.now)) != nil
            }.count
        }
        require(count == roomAtStart - 1, "\(count) presses have room, not \(roomAtStart - 1)")
    }
}
