import CJack
import Foundation
import Glibc
import Synchronization
import TestSupport

/// From a touch's leaving the client to the first sample of the note that it lets sound, as another JACK client hears it,
/// beside a bare JACK client whose sound is asked for by a byte on a socket.
struct SoundMeasurement {
    let touches: Int

    /// The row of the closed hat, the shortest sound; step 0 of the empty pattern.
    private static let down = touch(#""phase":"down","x":4.5,"y":19.5"#)
    private static let cancel = touch(#""phase":"cancel""#)

    func run() async throws {
        try await Rig.with { rig in try await measure(on: rig) }
    }

    private func measure(on rig: Rig) async throws {
        let path = rig.directory.appending(path: "sound.sock").path
        let floor = try ChildProgram.floor("sound", ["--path", path, "--server", rig.jackServer])
        let bare = try LineSocket(awaiting: path)
        let client = try rig.connect()
        let ear = try Ear(server: rig.jackServer, ports: [SoundingFloor.port, "pixelboop:main_L"])
        var random = SystemRandomNumberGenerator()
        var times: [[Double]] = [[], []]
        for _ in 0..<touches {
            // Anywhere in a period.
            usleep(UInt32.random(in: 0..<4000, using: &random))
            times[0].append(try ear.time(of: 0) { try bare.send([0]) })
            try ear.awaitSilence()
            usleep(UInt32.random(in: 0..<4000, using: &random))
            times[1].append(try ear.time(of: 1) { try client.send(Self.down) })
            try client.send(Self.cancel)
            try ear.awaitSilence()
        }
        await floor.end()
        ControlTable.times(
            "touch to sound", benchmark: "control touch sound", floor: Distribution(times[0]),
            daemon: Distribution(times[1]))
    }

    private static func touch(_ parameters: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,\#(parameters)}}"#.utf8) + [10]
    }
}

/// A JACK client that notes when an output of another begins to sound.
private final class Ear {
    private struct State: ~Copyable {
        let inputs: [OpaquePointer]
        /// The input that is listened to, -1 for none.
        let awaited = Atomic<Int>(-1)
        /// When it began to sound, as the bits of a Double.
        let heardAt = Atomic<UInt64>(0)
        let silentPeriods = Atomic<Int>(0)
        let heard: UnsafeMutablePointer<sem_t>
    }

    private let client: BareJackClient
    private let state: UnsafeMutablePointer<State>

    /// How many silent periods make a silence: more than a sound may pause.
    private static let silence = 16

    init(server: String, ports: [String]) throws {
        client = try BareJackClient(name: "ear", server: server)
        var inputs: [OpaquePointer] = []
        for index in ports.indices { inputs.append(try client.register("in_\(index)", JackPortIsInput)) }
        let heard = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(heard, 0, 0)
        state = .allocate(capacity: 1)
        state.initialize(to: State(inputs: inputs, heard: heard))
        client.activate(state) { frames, context in
            Ear.listen(to: Int(frames), context!.assumingMemoryBound(to: State.self))
            return 0
        }
        for (port, input) in zip(ports, inputs) { try client.connect(port, to: input) }
    }

    private static func listen(to frames: Int, _ state: UnsafeMutablePointer<State>) {
        var isSilent = true
        for index in state.pointee.inputs.indices {
            let input = state.pointee.inputs[index]
            let samples = jack_port_get_buffer(input, jack_nframes_t(frames))!.assumingMemoryBound(to: Float.self)
            guard UnsafeBufferPointer(start: samples, count: frames).contains(where: { $0 != 0 }) else { continue }
            isSilent = false
            guard state.pointee.awaited.load(ordering: .acquiring) == index else { continue }
            state.pointee.heardAt.store(monotonicSeconds().bitPattern, ordering: .relaxed)
            state.pointee.awaited.store(-1, ordering: .releasing)
            sem_post(state.pointee.heard)
        }
        if isSilent {
            state.pointee.silentPeriods.add(1, ordering: .relaxed)
        } else {
            state.pointee.silentPeriods.store(0, ordering: .relaxed)
        }
    }

    /// How long after something is done an input begins to sound, in seconds.
    func time(of input: Int, from action: () throws -> Void) throws -> Double {
        state.pointee.awaited.store(input, ordering: .releasing)
        let start = monotonicSeconds()
        try action()
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 2
        guard sem_timedwait(state.pointee.heard, &deadline) == 0 else {
            throw Rig.Failure(description: "nothing was heard")
        }
        return Double(bitPattern: state.pointee.heardAt.load(ordering: .relaxed)) - start
    }

    /// Waits until nothing has sounded for a while.
    func awaitSilence() throws {
        state.pointee.silentPeriods.store(0, ordering: .relaxed)
        let deadline = monotonicSeconds() + 10
        while state.pointee.silentPeriods.load(ordering: .relaxed) < Self.silence {
            guard monotonicSeconds() < deadline else { throw Rig.Failure(description: "it does not fall silent") }
            usleep(1000)
        }
    }
}
