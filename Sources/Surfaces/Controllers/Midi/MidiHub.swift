import CJack
import Dispatch
import Glibc
import Synchronization
import SystemSupport

/// A device's ports in JACK.
public struct MidiDevice: Hashable, Sendable {
    public var name: String
    /// The port from which its messages come.
    public var source: String
    /// The port that messages to it go to.
    public var sink: String

    public init(name: String, source: String, sink: String) {
        self.name = name
        self.source = source
        self.sink = sink
    }
}

/// A MIDI port of JACK. Its names may contain any bytes (`ByteText`).
public struct MidiPort: Hashable, Sendable {
    public var name: String
    public var aliases: [String]
}

/// An event of the server or of a device.
public enum MidiHubEvent: Equatable, Sendable {
    /// There is a JACK server.
    case online
    /// There is none, or it is gone.
    case offline
    case appeared(slot: Int, MidiDevice)
    /// The device of a slot is gone.
    case vanished(slot: Int)
    /// A device sent a message of 1 to 3 bytes.
    case message(slot: Int, [UInt8])
    /// The queue to a device, which had no room for a message, has room again.
    case hasRoom(slot: Int)
}

/// A JACK client that finds MIDI devices by their port names, connects them to its own ports, and transfers messages
/// both ways. Servers and devices may come and go at any time.
///
/// `@unchecked Sendable`: its own thread opens, watches and closes clients; the queues to the devices, which other
/// threads fill, are behind the lock.
public final class MidiHub: @unchecked Sendable {
    /// How many devices can be played at once.
    public static var slotCount: Int { MidiCallbackState.slotCount }

    /// The events; for one reader.
    public let events: AsyncStream<MidiHubEvent>

    private static let queueSize = 1 << 16
    /// The part of a queue that is kept free for urgent messages, in bytes.
    private static let reserve = 256
    /// How often ports are scanned, in ms: how soon a newly plugged-in device can be played.
    private static let scanInterval: CInt = 250
    private static let patience = 1.0
    /// How long ``finish()`` may take: a program that is asked to end has less than a second.
    private static let longestEnd = Duration.milliseconds(700)
    /// How long the devices' clients may need in a cycle.
    private static let reading: UInt32 = 30_000

    private let clientName: String
    private let serverName: String?
    private let find: @Sendable (_ sources: [MidiPort], _ sinks: [MidiPort]) -> [MidiDevice]
    private let report: AsyncStream<MidiHubEvent>.Continuation
    private let state: UnsafeMutablePointer<MidiCallbackState>
    private let sending = Mutex(())
    private let isEnding = Atomic(false)
    private let end = DispatchSemaphore(value: 0)
    private var devices: [MidiDevice?] = Array(repeating: nil, count: slotCount)
    /// The queues that had no room for a message, one bit each.
    private let full = Atomic<UInt32>(0)

    /// A hub that begins to look for devices.
    ///
    /// - Parameters:
    ///   - serverName: JACK's own default unless given.
    ///   - find: Returns the devices among the ports, which have their full names.
    public init(
        clientName: String, serverName: String?,
        find: @escaping @Sendable (_ sources: [MidiPort], _ sinks: [MidiPort]) -> [MidiDevice]
    ) throws(OrdinaryThread.Failure) {
        self.clientName = clientName
        self.serverName = serverName
        self.find = find
        (events, report) = AsyncStream.makeStream()
        let slots = UnsafeMutablePointer<MidiSlot>.allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount {
            (slots + index).initialize(
                to: MidiSlot(
                    received: jack_ringbuffer_create(Self.queueSize), waiting: jack_ringbuffer_create(Self.queueSize)))
        }
        let isShutDown = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
        isShutDown.initialize(to: Atomic(false))
        let cycles = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
        cycles.initialize(to: Atomic(0))
        state = .allocate(capacity: 1)
        state.initialize(
            to: MidiCallbackState(
                slots: slots, wake: eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)), isShutDown: isShutDown,
                cycles: cycles))
        try OrdinaryThread.start(name: "midi") { self.work() }
    }

    // MARK: From any thread

    /// Puts a message into the queue to a device. If there is no room, as while the server hangs, it is dropped, and
    /// ``MidiHubEvent/hasRoom(slot:)`` follows.
    ///
    /// - Parameter isUrgent: Whether it may use the room that is kept for a few such messages.
    /// - Returns: Whether the queue has accepted it.
    public func send(_ message: [UInt8], to slot: Int, isUrgent: Bool = false) -> Bool {
        guard let queue = state.pointee.slots[slot].waiting else { return false }
        let reserve = isUrgent ? 0 : Self.reserve
        return sending.withLock { _ in
            guard jack_ringbuffer_write_space(queue) >= message.count + 2 + reserve else {
                full.bitwiseOr(1 << UInt32(slot), ordering: .relaxed)
                return false
            }
            let record = withUnsafeBytes(of: UInt16(message.count).littleEndian) { Array($0) } + message
            record.withUnsafeBytes { cjack_ringbuffer_write(queue, $0.baseAddress, $0.count) }
            return true
        }
    }

    /// Sends waiting messages, and leaves JACK; returns when that is done, or after 0.7 s.
    public func finish() {
        isEnding.store(true, ordering: .releasing)
        cjack_signal(state.pointee.wake)
        _ = end.wait(timeout: .now() + Double(Self.longestEnd / .seconds(1)))
    }

    // MARK: On the thread

    private var isOver: Bool { isEnding.load(ordering: .acquiring) }

    /// Whether the server has shut the client down.
    private var isShutDown: Bool { state.pointee.isShutDown.pointee.load(ordering: .acquiring) }

    private func work() {
        // libjack's messages about missing servers only repeat the events.
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
        var isOffline = false
        while !isOver {
            if let client = open() {
                isOffline = false
                report.yield(.online)
                watch(client)
                close(client)
            }
            if !isOffline {
                isOffline = true
                report.yield(.offline)
            } else {
                sleepUntilWoken(CInt(Self.patience * 1000))
            }
        }
        report.finish()
        end.signal()
    }

    private func open() -> OpaquePointer? {
        state.pointee.isShutDown.pointee.store(false, ordering: .relaxed)
        var status = CJack.JackStatus(0)
        guard let client = cjack_client_open(clientName, serverName, JackNoStartServer, &status) else { return nil }
        for index in 0..<Self.slotCount {
            let slot = state.pointee.slots + index
            let name = "pads_\(index + 1)"
            slot.pointee.input = jack_port_register(
                client, "\(name)_in", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0)
            slot.pointee.output = jack_port_register(
                client, "\(name)_out", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)
        }
        guard registerMidiCallbacks(of: client, context: state), jack_activate(client) == 0 else {
            close(client)
            return nil
        }
        return client
    }

    private func close(_ client: OpaquePointer) {
        for slot in devices.indices where devices[slot] != nil {
            devices[slot] = nil
            report.yield(.vanished(slot: slot))
        }
        // Closing cancels jackd2's notification thread, which reports the loss and may hold a lock that closing needs
        // (jackaudio/jack2 issue 395).
        if isShutDown {
            usleep(250_000)
            for index in 0..<Self.slotCount {
                cjack_forget_port(client, state.pointee.slots[index].input)
                cjack_forget_port(client, state.pointee.slots[index].output)
            }
        }
        // No callback runs after this.
        jack_client_close(client)
        for index in 0..<Self.slotCount {
            let slot = state.pointee.slots + index
            (slot.pointee.input, slot.pointee.output) = (nil, nil)
            if let queue = slot.pointee.received { jack_ringbuffer_reset(queue) }
            sending.withLock { _ in if let queue = slot.pointee.waiting { jack_ringbuffer_reset(queue) } }
        }
        full.store(0, ordering: .relaxed)
    }

    private func watch(_ client: OpaquePointer) {
        while !isShutDown, !isOver {
            scan(client)
            sleepUntilWoken(Self.scanInterval)
            drain()
            reportRoom()
        }
        if !isShutDown { sendTheRest() }
    }

    /// Returns when the last messages have left, and the devices' clients have read them. That is in the next cycle: a
    /// device is connected both ways, and JACK runs its client first. A cycle may last 0.2 s.
    private func sendTheRest() {
        let deadline = ContinuousClock.now + Self.longestEnd
        wait(until: deadline) { !(0..<Self.slotCount).contains(where: isWaiting) }
        let last = cycleCount
        wait(until: deadline) { cycleCount != last }
        usleep(Self.reading)
    }

    private var cycleCount: Int { state.pointee.cycles.pointee.load(ordering: .acquiring) }

    /// Polls a condition that JACK's process thread brings about; it cannot wake us for this without a system call.
    private func wait(until deadline: ContinuousClock.Instant, _ condition: () -> Bool) {
        while !condition(), .now < deadline, !isShutDown { usleep(2000) }
    }

    /// Reports the queues that have room again: half of it, because a picture's lights are many messages.
    private func reportRoom() {
        let slots = full.load(ordering: .relaxed)
        for slot in 0..<Self.slotCount where slots >> UInt32(slot) & 1 == 1 {
            guard let queue = state.pointee.slots[slot].waiting,
                jack_ringbuffer_write_space(queue) > Self.queueSize / 2
            else { continue }
            // Before the report, whose receiver may fill the queue again.
            full.bitwiseAnd(~(1 << UInt32(slot)), ordering: .relaxed)
            if devices[slot] != nil { report.yield(.hasRoom(slot: slot)) }
        }
    }

    private func isWaiting(_ slot: Int) -> Bool {
        devices[slot] != nil && state.pointee.slots[slot].waiting.map { jack_ringbuffer_read_space($0) > 0 } == true
    }

    private func sleepUntilWoken(_ milliseconds: CInt) {
        var entry = pollfd(fd: state.pointee.wake, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return }
        var count: UInt64 = 0
        _ = read(state.pointee.wake, &count, MemoryLayout<UInt64>.size)
    }

    private func drain() {
        for slot in 0..<Self.slotCount {
            guard let queue = state.pointee.slots[slot].received else { continue }
            var record = [UInt8](repeating: 0, count: MidiCallbackState.recordSize)
            while jack_ringbuffer_read_space(queue) >= record.count {
                record.withUnsafeMutableBytes { cjack_ringbuffer_read(queue, $0.baseAddress, $0.count) }
                guard devices[slot] != nil else { continue }
                report.yield(.message(slot: slot, Array(record[1..<1 + Int(record[0])])))
            }
        }
    }

    // MARK: Devices

    private func scan(_ client: OpaquePointer) {
        let found = find(ports(of: client, JackPortIsOutput), ports(of: client, JackPortIsInput))
        for slot in devices.indices {
            guard let device = devices[slot] else { continue }
            // A device that was away between two scans has lost its connections.
            guard !found.contains(device) || !isConnected(device, slot) else { continue }
            devices[slot] = nil
            report.yield(.vanished(slot: slot))
        }
        for device in found where !devices.contains(device) {
            guard let slot = devices.firstIndex(of: nil), connect(device, slot, client) else { continue }
            devices[slot] = device
            report.yield(.appeared(slot: slot, device))
        }
    }

    private func ports(of client: OpaquePointer, _ flag: JackPortFlags) -> [MidiPort] {
        guard let list = jack_get_ports(client, nil, JACK_DEFAULT_MIDI_TYPE, UInt(flag.rawValue)) else { return [] }
        defer { jack_free(list) }
        var ports: [MidiPort] = []
        while let name = list[ports.count] {
            ports.append(MidiPort(name: ByteText.text(cString: name), aliases: aliases(of: name, client)))
        }
        return ports
    }

    /// A port's other names, of which JACK has up to two.
    private func aliases(of name: UnsafePointer<CChar>, _ client: OpaquePointer) -> [String] {
        guard let port = jack_port_by_name(client, name) else { return [] }
        let size = Int(jack_port_name_size())
        let room = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * size)
        defer { room.deallocate() }
        room.initialize(repeating: 0, count: 2 * size)
        let places: [UnsafeMutablePointer<CChar>?] = [room, room + size]
        let count = places.withUnsafeBufferPointer { jack_port_get_aliases(port, $0.baseAddress) }
        return (0..<max(0, min(2, Int(count)))).map { ByteText.text(cString: room + $0 * size) }
    }

    private func isConnected(_ device: MidiDevice, _ slot: Int) -> Bool {
        guard let input = state.pointee.slots[slot].input, let output = state.pointee.slots[slot].output else {
            return false
        }
        return jack_port_connected_to(input, ByteText.cString(device.source)) != 0
            && jack_port_connected_to(output, ByteText.cString(device.sink)) != 0
    }

    private func connect(_ device: MidiDevice, _ slot: Int, _ client: OpaquePointer) -> Bool {
        guard let input = state.pointee.slots[slot].input, let output = state.pointee.slots[slot].output,
            let inputName = jack_port_name(input), let outputName = jack_port_name(output)
        else { return false }
        let isDone = [
            jack_connect(client, ByteText.cString(device.source), inputName),
            jack_connect(client, outputName, ByteText.cString(device.sink)),
        ]
        return isDone.allSatisfy { $0 == 0 || $0 == EEXIST }
    }
}
