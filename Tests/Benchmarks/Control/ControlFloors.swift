import ArgumentParser
import CJack
import Glibc
import JackTestSupport
import Synchronization

/// The least that has to be done for what the daemon does, each in a process of its own: what the daemon is measured
/// beside.
struct ControlFloors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor", abstract: "What the daemon is measured beside.", shouldDisplay: false,
        subcommands: [
            AnsweringFloor.self, NIOFloor.self, RelayingFloor.self, WritingFloor.self, SoundingFloor.self,
            SubscribedCrowd.self, MovingFinger.self,
        ])
}

/// Greets each client, and answers whatever comes: with so many bytes, or with the same.
struct AnsweringFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "answer")

    @Option var path: String
    @Option var greeting = 0
    @Option var reply = 0

    func run() throws {
        let greeting = BareLoop.line(of: greeting)
        let reply = BareLoop.line(of: reply)
        var input = [UInt8](repeating: 0, count: 1 << 16)
        try BareLoop(listeningAt: path).run { socket in
            if !greeting.isEmpty { send(socket, greeting, greeting.count, CInt(MSG_NOSIGNAL)) }
        } onInput: { socket in
            let count = read(socket, &input, input.count)
            guard count > 0 else { return false }
            if reply.isEmpty {
                send(socket, input, count, CInt(MSG_NOSIGNAL))
            } else {
                send(socket, reply, reply.count, CInt(MSG_NOSIGNAL))
            }
            return true
        }
    }
}

/// Connects each client that comes over TCP to a Unix-domain socket, and copies all that comes on either side to the other.
struct RelayingFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "relay")

    @Option var path: String

    func run() throws {
        var others: [CInt: CInt] = [:]
        var input = [UInt8](repeating: 0, count: 1 << 16)
        let (listener, port) = try LoopbackTCP.listen()
        let loop = BareLoop(listener: listener)
        print("listening on \(port)")
        fflush(nil)
        loop.run { client in
            LoopbackTCP.sendAtOnce(on: client)
            guard let server = try? LineSocket.connection(to: path) else { return }
            (others[client], others[server]) = (server, client)
            loop.watch(server)
        } onInput: { socket in
            let count = read(socket, &input, input.count)
            guard count > 0, let other = others[socket] else { return false }
            return send(other, input, count, CInt(MSG_NOSIGNAL)) == count
        }
    }
}

/// Waits for so many connections, then writes the same bytes to all of them so many times a second.
struct WritingFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "write")

    @Option var path: String
    @Option var clients: Int
    @Option var rate: Double
    @Option var bytes: Int

    func run() throws {
        OpenFiles.raiseLimit()
        let line = BareLoop.line(of: bytes)
        let listener = try BareLoop.listen(at: path)
        let sockets = (0..<clients).map { _ in accept(listener, nil, nil) }
        var next = monotonicSeconds()
        while true {
            next += 1 / rate
            sleep(untilMonotonic: next)
            for socket in sockets { send(socket, line, line.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        }
    }
}

/// A JACK client whose next period begins with a sample that is not zero, whenever a byte comes.
struct SoundingFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sound")

    @Option var path: String
    @Option var server: String

    /// The output port's full name.
    static let port = "bare:out"

    private struct State: ~Copyable {
        let port: OpaquePointer
        let isAsked = Atomic<Bool>(false)
    }

    func run() throws {
        let client = try BareJackClient(name: "bare", server: server)
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(port: try client.register("out", JackPortIsOutput)))
        client.activate(state) { frames, context in
            let state = context!.assumingMemoryBound(to: State.self)
            let samples = jack_port_get_buffer(state.pointee.port, frames)!.assumingMemoryBound(to: Float.self)
            samples.update(repeating: 0, count: Int(frames))
            if state.pointee.isAsked.exchange(false, ordering: .relaxed) { samples[0] = 0.5 }
            return 0
        }
        var byte: UInt8 = 0
        try BareLoop(listeningAt: path).run { _ in
        } onInput: { socket in
            guard read(socket, &byte, 1) > 0 else { return false }
            state.pointee.isAsked.store(true, ordering: .relaxed)
            return true
        }
    }
}

/// No floor, but a crowd in a process of its own: so many subscribers to the picture, which read whatever comes.
struct SubscribedCrowd: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "subscribe")

    @Option var path: String
    @Option var clients: Int

    func run() throws {
        OpenFiles.raiseLimit()
        let crowd = try Crowd(of: clients) { try LineSocket(subscribingAt: path) }
        while true { crowd.read(for: 1) }
    }
}

/// No floor either: a finger that never rests.
struct MovingFinger: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "touch")

    @Option var path: String

    func run() throws {
        let client = try LineSocket(connectingTo: path)
        _ = try client.line()
        _ = try Finger.drags.times(of: .max, on: client) { _ in }
    }
}
