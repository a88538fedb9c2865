import Configuration
import Dispatch
import Grid
import Logging
import PixelBoopClient
import ServiceCommand
import SurfaceKit
import SystemSupport

/// A wall of lights that shows the grid.
public actor LightsSurface: Surface {
    /// How long until an unknown name is looked up again, and the list of the machine's networks is renewed.
    private static let patience = Duration.seconds(5)

    /// Pictures, at the rate of the lights.
    public nonisolated let interest: Interest

    private let wall: Wall
    private let logger: Logger
    private let socket: DatagramSocket
    private let preview: Preview?
    /// By which interface multicast leaves; nil for the one that the routes say.
    private let interface: String?
    private let start = ContinuousClock.now
    private var outputs: [LightOutput]
    /// The current picture's channels; nil before the first picture.
    private var channels: [UInt8]?
    /// Whether the last picture was sent: others may still arrive, and must not light the wall again.
    private var isOver = false
    private var timer: Task<Void, Never>?
    private var networks: (list: [Network], expiry: Duration) = ([], .zero)

    /// - Throws: If the system has no socket for it.
    public init(_ settings: LightsSettings, in context: CompanionContext) throws {
        wall = settings.wall
        interest = Interest(maximumFrameRate: settings.picturesPerSecond)
        outputs = settings.outputs(logger: context.logger)
        socket = try DatagramSocket()
        preview = settings.isPreviewed ? Preview(environment: context.environment) : nil
        interface = settings.interface?.text
        logger = context.logger
    }

    public func received(_ event: ClientEvent) {
        if case .frame(let keyFrame) = event { show(keyFrame.frame) }
    }

    /// Turns the wall dark, because its picture is outdated.
    public func disconnected() {
        if channels != nil { show(Frame(filledWith: Color(0))) }
    }

    /// Shows pictures until cancelled, then turns the wall dark.
    public func run() async {
        preview?.begin()
        await untilCancelled()
        timer?.cancel()
        (channels, isOver) = (nil, true)
        for index in outputs.indices {
            for packets in outputs[index].ending(channels: 3 * wall.count) { send(packets, by: index) }
        }
        preview?.end()
    }

    private func show(_ frame: Frame) {
        guard !isOver else { return }
        let picture = wall.picture(of: frame)
        let channels = wall.channels(of: picture)
        guard channels != self.channels else { return }
        self.channels = channels
        preview?.show(picture)
        for index in outputs.indices { outputs[index].schedule.change(at: elapsed) }
        sendDue()
    }

    private var elapsed: Duration { ContinuousClock.now - start }

    /// Sends the packets that are due, and schedules the next call.
    private func sendDue() {
        guard let channels else { return }
        noteFailures()
        for index in outputs.indices { send(outputs[index].due(at: elapsed, channels), by: index) }
        timer?.cancel()
        guard let next = outputs.compactMap(\.schedule.next).min() else { return }
        timer = Task { [weak self, start] in
            try? await Task.sleep(until: start + next, clock: .continuous)
            if !Task.isCancelled { await self?.sendDue() }
        }
    }

    // MARK: Sending

    /// Sends packets to all controllers, and then the sync packet once to each network.
    private func send(_ packets: [Packet], by index: Int) {
        guard !packets.isEmpty else { return }
        for number in outputs[index].destinations.indices {
            if let name = outputs[index].destinations[number].unknownName { lookUp(name, number, of: index) }
            let destination = outputs[index].destinations[number]
            let failure =
                destination.controller == .multicast
                ? multicast(packets, to: destination) : send(packets, to: destination)
            note(failure, number, of: index)
        }
        for packet in packets where packet.target == .networks {
            for place in broadcasts(of: index) { _ = socket.send(packet.bytes, to: place.address, port: place.port) }
        }
    }

    /// Sends packets to a destination.
    ///
    /// - Returns: Why that failed; nil if it did not.
    private func send(_ packets: [Packet], to destination: Destination) -> String? {
        var failure: String?
        for packet in packets {
            guard case .controllers(let universe) = packet.target,
                let address = destination.address(ofUniverse: universe)
            else { continue }
            failure = socket.send(packet.bytes, to: address, port: destination.port) ?? failure
        }
        return failure
    }

    /// The same for a multicast destination. Without a route for multicast, as on a network without a router, it leaves by
    /// the only interface that has it.
    private func multicast(_ packets: [Packet], to destination: Destination) -> String? {
        if let failure = socket.useForMulticast(interface) { return failure }
        guard let failure = send(packets, to: destination) else { return nil }
        guard interface == nil else { return failure }
        guard let only = Network.interfaceWithoutRoute(in: currentNetworks()) else {
            return "\(failure) (--interface says by which interface to send)"
        }
        return socket.useForMulticast(only) ?? send(packets, to: destination)
    }

    private struct WallPlace: Hashable {
        let address: IPv4
        let port: UInt16
    }

    /// The broadcast addresses of the networks that a protocol's controllers are in.
    private func broadcasts(of index: Int) -> Set<WallPlace> {
        let networks = currentNetworks()
        return Set(
            outputs[index].destinations.compactMap { destination in
                destination.address.map {
                    WallPlace(address: Network.directedBroadcast(for: $0, in: networks), port: destination.port)
                }
            })
    }

    private func currentNetworks() -> [Network] {
        if elapsed >= networks.expiry { networks = (Network.all, elapsed + Self.patience) }
        return networks.list
    }

    // MARK: Failures of hosts

    /// Notes the errors that the network reported for earlier packets.
    private func noteFailures() {
        let failures = socket.failures()
        for index in outputs.indices {
            for (number, destination) in outputs[index].destinations.enumerated() {
                guard let address = destination.address, let reason = failures[address] else { continue }
                note(reason, number, of: index)
            }
        }
    }

    private func note(_ failure: String?, _ number: Int, of index: Int) {
        let place = "\(type(of: outputs[index].stream).name) to \(outputs[index].destinations[number].controller.text)"
        switch outputs[index].destinations[number].note(failure, at: elapsed) {
        case .lost(let reason): logger.warning("\(place): \(reason); trying again")
        case .back: logger.info("\(place): reachable again")
        case nil: break
        }
    }

    /// Resolves a name on another thread.
    private func lookUp(_ name: String, _ number: Int, of index: Int) {
        outputs[index].destinations[number].isLookedUp = true
        DispatchQueue.global().async {
            let result = Result { () throws(IPv4.Unknown) in try IPv4.resolve(name) }
            Task { await self.found(result, number, of: index) }
        }
    }

    private func found(_ result: Result<IPv4, IPv4.Unknown>, _ number: Int, of index: Int) async {
        switch result {
        case .success(let address): outputs[index].destinations[number].address = address
        case .failure(let unknown): note(unknown.reason, number, of: index)
        }
        try? await Task.sleep(for: Self.patience)
        outputs[index].destinations[number].isLookedUp = false
    }
}
