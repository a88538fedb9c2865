import Configuration
import Grid
import Logging
import OSC
import PixelBoopClient
import ServiceCommand
import SurfaceKit

/// Controllers with pads that play the grid, each with its own page: Launchpads by JACK MIDI, and monome grids.
public actor PadSurface: Surface {
    private struct Controller {
        enum Kind {
            case launchpad(slot: Int, LaunchpadProtocol)
            case monome(port: UInt16, columns: Int, rows: Int)
        }

        let kind: Kind
        var deck: Deck
        /// Whether it was told that its pads and lights are ours; a monome need not be.
        var isEntered: Bool
        /// The lights that it shows, as far as that is known.
        var shown: [Deck.Spot: Color] = [:]

        init(_ kind: Kind, _ deck: Deck) {
            self.kind = kind
            self.deck = deck
            isEntered = if case .monome = kind { true } else { false }
        }
    }

    private enum DevicePlace: Hashable {
        case slot(Int)
        case monome(port: UInt16)
    }

    /// Pictures, and steps if they are followed.
    public nonisolated let interest: Interest

    private let settings: GridSettings
    private let logger: Logger
    private let hub: MidiHub
    private let serialosc: SerialoscLink
    private var client: PixelBoopClient?
    private var frame: Frame?
    private var controllers: [DevicePlace: Controller] = [:]
    private var nextNumber = 0

    /// Starts to look for controllers.
    ///
    /// - Throws: If the system has no socket for serialosc's answers.
    public init(_ settings: GridSettings, in context: CompanionContext) throws {
        self.settings = settings
        logger = context.logger
        interest = Interest(in: settings.follows ? [.frame, .step] : [.frame])
        serialosc = try SerialoscLink(serialoscPort: UInt16(settings.serialoscPort))
        hub = try MidiHub(clientName: GridTable.program, serverName: settings.jackServer) { sources, sinks in
            func ports(_ ports: [MidiPort]) -> [LaunchpadFinder.Port] {
                ports.map { LaunchpadFinder.Port($0.name, aliases: $0.aliases) }
            }
            return LaunchpadFinder.launchpads(sources: ports(sources), sinks: ports(sinks)).map {
                MidiDevice(name: $0.model.rawValue, source: $0.source, sink: $0.sink)
            }
        }
    }

    // MARK: The daemon

    /// Touches go to this daemon from now on.
    public func connected(to client: PixelBoopClient) { self.client = client }

    /// Releases all touches, and turns the lights off.
    public func disconnected() {
        client = nil
        frame = nil
        for place in controllers.keys {
            _ = controllers[place]?.deck.cancelAll()
            controllers[place]?.deck.show(nil)
            light(place)
        }
    }

    /// Shows pictures, and follows steps if asked to.
    public func received(_ event: ClientEvent) {
        switch event {
        case .frame(let keyFrame):
            frame = keyFrame.frame
            for place in controllers.keys {
                controllers[place]?.deck.show(frame)
                light(place)
            }
        case .step(let step) where settings.follows:
            for place in controllers.keys {
                controllers[place]?.deck.follow(step)
                light(place)
            }
        default: break
        }
    }

    // MARK: Devices

    /// Plays until cancelled; then controllers are left as they were found.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await event in self.hub.events { await self.handle(event) } }
            group.addTask { for await event in self.serialosc.events { await self.handle(event) } }
            group.addTask { await self.serialosc.keepLooking() }
            group.addTask { await self.reportAbsence() }
            await untilCancelled()
            group.cancelAll()
        }
        for place in controllers.keys { leave(place) }
        hub.finish()
        serialosc.close()
    }

    /// Connected controllers are found within this time.
    private static let search = Duration.seconds(2)

    /// Logs what to check when no controller was found.
    private func reportAbsence() async {
        guard (try? await Task.sleep(for: Self.search)) != nil, controllers.isEmpty else { return }
        logger.notice(
            """
            no controller yet: a Launchpad needs MIDI ports in JACK (jack_lsp shows them; with jackd run \
            a2jmidid -e, with PipeWire start this program with pw-jack), a monome needs serialosc
            """)
    }

    private func handle(_ event: MidiHubEvent) async {
        switch event {
        case .online: logger.info("connected to JACK")
        case .offline: logger.info("no JACK server; looking for one")
        case .appeared(let slot, let device):
            guard let model = LaunchpadModel(rawValue: device.name) else { return }
            add(.launchpad(slot: slot, LaunchpadProtocol(model)), at: .slot(slot), field: .eight, isBare: false)
            logger.info("\(device.name) at \(device.source)")
        case .vanished(let slot): await remove(.slot(slot))
        case .hasRoom(let slot): light(.slot(slot))
        case .message(let slot, let bytes):
            guard case .launchpad(_, let words)? = controllers[.slot(slot)]?.kind, let event = words.event(bytes) else {
                return
            }
            await perform(at: .slot(slot)) { deck in
                switch event {
                case .press(let pad): deck.press(pad)
                case .release(let pad): deck.release(pad)
                case .pressButton(let button): deck.press(button)
                case .releaseButton(let button): deck.release(button)
                }
            }
        }
    }

    private func handle(_ event: SerialoscLink.Event) async {
        switch event {
        case .appeared(let id, let port, let columns, let rows):
            let field = PadField(columns: columns, rows: rows)
            add(
                .monome(port: port, columns: columns, rows: rows), at: .monome(port: port), field: field, isBare: true)
            logger.info("monome \(id), \(columns) by \(rows)")
        case .vanished(let port): await remove(.monome(port: port))
        case .press(let port, let pad): await perform(at: .monome(port: port)) { $0.press(pad) }
        case .release(let port, let pad): await perform(at: .monome(port: port)) { $0.release(pad) }
        }
    }

    private func add(_ kind: Controller.Kind, at place: DevicePlace, field: PadField, isBare: Bool) {
        nextNumber += 1
        var deck = Deck(field, isBare: isBare, number: nextNumber)
        deck.show(frame)
        controllers[place] = Controller(kind, deck)
        light(place)
    }

    private func remove(_ place: DevicePlace) async {
        guard var controller = controllers.removeValue(forKey: place) else { return }
        await send(controller.deck.cancelAll())
        logger.info("a controller is gone\(controllers.isEmpty ? "; none is left" : "")")
    }

    /// Leaves a controller: a Launchpad in its own mode, a monome dark.
    private func leave(_ place: DevicePlace) {
        switch controllers.removeValue(forKey: place)?.kind {
        case .launchpad(let slot, let words): _ = hub.send(words.leave, to: slot, isUrgent: true)
        case .monome(let port, _, _): serialosc.send([MonomeProtocol.dark], to: port)
        case nil: break
        }
    }

    // MARK: Playing and lighting

    private func perform(at place: DevicePlace, _ change: (inout Deck) -> [Deck.Action]) async {
        guard var controller = controllers[place] else { return }
        let actions = change(&controller.deck)
        controllers[place]?.deck = controller.deck
        light(place)
        await send(actions)
    }

    private func send(_ actions: [Deck.Action]) async {
        guard let client else { return }
        for action in actions {
            switch action {
            case .touch(let touch): try? await client.send(touch)
            case .record(let isOn): try? await client.notify("transport.record", ["on": .bool(isOn)])
            }
        }
    }

    /// Sends a controller its changed lights. Those for which there is no room are sent when there is.
    private func light(_ place: DevicePlace) {
        guard let controller = controllers[place] else { return }
        let lights = controller.deck.lights
        let changes = lights.filter { controller.shown[$0.key] != $0.value }
        guard !changes.isEmpty || !controller.isEntered else { return }
        switch controller.kind {
        case .launchpad(let slot, let words):
            guard controller.isEntered || hub.send(words.enter, to: slot, isUrgent: true) else { return }
            controllers[place]?.isEntered = true
            for (spot, color) in changes {
                guard hub.send(words.message(spot, color.rgb), to: slot) else { return }
                controllers[place]?.shown[spot] = color
            }
        case .monome(let port, let columns, let rows):
            func levels(_ lights: [Deck.Spot: Color]) -> [Int] {
                (0..<columns * rows).map { index in
                    lights[.pad(PadPosition(column: index % columns, row: index / columns))].map(MonomeProtocol.level)
                        ?? 0
                }
            }
            let before = controller.shown.isEmpty ? nil : levels(controller.shown)
            controllers[place]?.shown = lights
            serialosc.send(MonomeProtocol.lights(levels(lights), after: before, columns: columns), to: port)
        }
    }
}
