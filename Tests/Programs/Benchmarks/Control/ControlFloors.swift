import ArgumentParser
import Glibc
import JackTestSupport

/// The least that has to be done for each of the daemon's tasks, each in a process of its own: what the daemon is
/// compared with.
struct ControlFloors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor", abstract: "What the daemon is compared with.", shouldDisplay: false,
        subcommands: [EchoingFloor.self, WritingFloor.self, MovingFinger.self])
}

/// Echoes all bytes.
struct EchoingFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "echo")

    @Option var path: String

    func run() throws {
        var input = [UInt8](repeating: 0, count: 1 << 16)
        try BareLoop(listeningAt: path).run { socket in
            let count = read(socket, &input, input.count)
            guard count > 0 else { return false }
            return send(socket, input, count, CInt(MSG_NOSIGNAL)) == count
        }
    }
}

/// Waits for a number of connections, then writes the same bytes to all of them at a rate per second.
struct WritingFloor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "write")

    @Option var path: String
    @Option var clients: Int
    @Option var rate: Double
    @Option var bytes: Int

    func run() throws {
        FileLimit.raiseLimit()
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

/// Not a floor, but a finger that never rests.
struct MovingFinger: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "touch")

    @Option var path: String

    func run() throws {
        let client = try LineSocket(connectingTo: path)
        _ = try client.line()
        _ = try TimedFinger.drags.times(of: .max, on: client) { _ in }
    }
}
