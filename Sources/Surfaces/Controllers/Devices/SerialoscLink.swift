import FoundationEssentials
import Glibc
import OSC
import Synchronization
import SystemSupport

/// serialosc on this machine and its grids: asks for them periodically, and reads their messages on its own
/// thread.
final class SerialoscLink: Sendable {
    /// Grids are told apart by their ports: cheap ones all have the same serial number.
    enum Event: Equatable, Sendable {
        case appeared(id: String, port: UInt16, columns: Int, rows: Int)
        case vanished(port: UInt16)
        case press(port: UInt16, PadPosition)
        case release(port: UInt16, PadPosition)
    }

    /// The system provides no socket; its reason.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How often serialosc is asked, and how often in a row it may leave out a grid before that counts as gone.
    private static let interval = Duration.milliseconds(500)
    private static let patience = 4

    private struct Device {
        enum State {
            /// It has not sent its size yet.
            case greeted
            /// It sends its keys to us.
            case ours
            /// It did, and was asked again.
            case asked
            /// Another program has taken it, and may keep it.
            case taken
        }

        /// Its serial number.
        let id: String
        var state = State.greeted
        /// How many questions it has left unanswered.
        var missed = 0

        var isOurs: Bool { state == .ours || state == .asked }
    }

    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let descriptor: CInt
    private let port: UInt16
    private let serialoscPort: UInt16
    /// By their ports.
    private let devices = Mutex<[UInt16: Device]>([:])
    /// Whether serialosc will report the next device that comes or goes; it does so once.
    private let isNotified = Atomic(false)

    init(serialoscPort: UInt16) throws {
        self.serialoscPort = serialoscPort
        (events, report) = AsyncStream.makeStream()
        descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard IPv4.loopback.withPointer(port: 0, { bind(descriptor, $0, $1) }) == 0 else {
            throw Failure(description: "no socket for serialosc: \(String(cString: strerror(errno)))")
        }
        port = IPv4.reported { getsockname(descriptor, $0, $1) }.port
        try OrdinaryThread.start(name: "serialosc") { self.read() }
    }

    func close() {
        // An empty datagram to our own port ends the thread.
        send([UInt8](), to: port)
        report.finish()
    }

    /// Sends messages to a port of this machine.
    func send(_ messages: [OSCMessage], to port: UInt16) {
        for message in messages { send(message.bytes, to: port) }
    }

    private func send(_ bytes: [UInt8], to port: UInt16) {
        _ = IPv4.loopback.withPointer(port: port) {
            sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), $0, $1)
        }
    }

    // MARK: Looking for grids

    /// Asks serialosc for its grids periodically, until the task is cancelled.
    func keepLooking() async {
        while !Task.isCancelled {
            for device in missing() {
                vanish(device)
                // serialosc itself may be gone, and will not know us when it is back.
                isNotified.store(false, ordering: .relaxed)
            }
            send([MonomeProtocol.list(answerTo: port)], to: serialoscPort)
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Counts the question for all grids, and returns those that serialosc has left out too often.
    private func missing() -> [UInt16] {
        devices.withLock { devices in
            for port in devices.keys { devices[port]?.missed += 1 }
            return devices.filter { $0.value.missed > Self.patience }.map(\.key)
        }
    }

    private func vanish(_ device: UInt16) {
        guard devices.withLock({ $0.removeValue(forKey: device) })?.isOurs == true else { return }
        report.yield(.vanished(port: device))
    }

    // MARK: On the thread

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let (count, _, from) = IPv4.reported { recvfrom(descriptor, &buffer, buffer.count, 0, $0, $1) }
            if count == 0 && from == port { break }
            // The system reports here that a port refused an earlier packet; that can be ignored.
            guard count > 0, let packet = try? OSCPacket(decoding: buffer[..<count]) else { continue }
            handle(packet, from: from)
        }
        Glibc.close(descriptor)
    }

    private func handle(_ packet: OSCPacket, from port: UInt16) {
        switch packet {
        case .bundle(_, let elements): for element in elements { handle(element, from: port) }
        case .message(let message): if let event = MonomeProtocol.event(message) { handle(event, from: port) }
        }
    }

    private func handle(_ event: MonomeProtocol.Event, from port: UInt16) {
        switch event {
        case .device(let id, let devicePort): found(id, at: devicePort)
        case .added(let id, let devicePort):
            isNotified.store(false, ordering: .relaxed)
            // It may have been away between two questions: its lights and pressed pads are reset.
            vanish(devicePort)
            found(id, at: devicePort)
        case .addedOther:
            isNotified.store(false, ordering: .relaxed)
            awaitNotice()
        case .removed(let device):
            isNotified.store(false, ordering: .relaxed)
            vanish(device)
            awaitNotice()
        case .size(let columns, let rows):
            let id = devices.withLock { devices -> String? in
                guard devices[port]?.state == .greeted else { return nil }
                devices[port]?.state = .ours
                return devices[port]?.id
            }
            if let id { report.yield(.appeared(id: id, port: port, columns: columns, rows: rows)) }
        case .destination(let destination): sends(from: port, to: destination)
        case .started: if let device = ourDevice(at: port) { greetAgain(device.id, at: port) }
        case .press(let pad): if ourDevice(at: port) != nil { report.yield(.press(port: port, pad)) }
        case .release(let pad): if ourDevice(at: port) != nil { report.yield(.release(port: port, pad)) }
        }
    }

    /// Has serialosc report the next device that comes or goes, unless it already will.
    private func awaitNotice() {
        guard !isNotified.exchange(true, ordering: .relaxed) else { return }
        send([MonomeProtocol.notify(at: port)], to: serialoscPort)
    }

    private func ourDevice(at port: UInt16) -> Device? {
        devices.withLock { $0[port] }.flatMap { $0.isOurs ? $0 : nil }
    }

    /// serialosc has reported a grid, new or known.
    private func found(_ id: String, at port: UInt16) {
        let known = devices.withLock { devices in
            devices[port]?.missed = 0
            return devices[port]
        }
        guard let known else {
            forgetFormer(of: id)
            return greet(id, at: port)
        }
        guard known.id == id else { return greetAgain(id, at: port) }
        switch known.state {
        case .greeted: greet(id, at: port)
        case .ours, .asked:
            devices.withLock { $0[port]?.state = .asked }
            send([MonomeProtocol.question(answerTo: self.port)], to: port)
        case .taken: break
        }
    }

    /// A grid has reported the port that it sends keys to. It also reports it, unasked, to the program that loses it.
    private func sends(from port: UInt16, to destination: Int) {
        guard let device = ourDevice(at: port) else { return }
        if destination == Int(self.port) {
            devices.withLock { $0[port]?.state = .ours }
        } else if device.state == .asked {
            greetAgain(device.id, at: port)
        } else {
            devices.withLock { $0[port]?.state = .taken }
            report.yield(.vanished(port: port))
        }
    }

    /// Forgets the grids of a serial number that serialosc does not report any more, as after a restart, when a grid has a
    /// new port. One that has just been reported is another grid with the same number.
    private func forgetFormer(of id: String) {
        for port in devices.withLock({ $0.filter { $0.value.id == id && $0.value.missed > 0 }.map(\.key) }) {
            isNotified.store(false, ordering: .relaxed)
            vanish(port)
        }
    }

    /// serialosc was restarted, and does not know us.
    private func greetAgain(_ id: String, at port: UInt16) {
        isNotified.store(false, ordering: .relaxed)
        vanish(port)
        greet(id, at: port)
    }

    private func greet(_ id: String, at port: UInt16) {
        awaitNotice()
        devices.withLock { $0[port] = Device(id: id) }
        send(MonomeProtocol.greeting(answerTo: self.port), to: port)
    }
}
