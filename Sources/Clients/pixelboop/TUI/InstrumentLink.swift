import Music
import PixelBoopClient
import Synchronization
import Wire

/// The instrument's connections to the daemon, one after the other.
final class InstrumentLink: Sendable {
    private static let statisticsInterval = Duration.seconds(2)

    private let screen: InstrumentScreen
    private let mode: InstrumentModel.Mode
    private let current = Mutex<PixelBoopClient?>(nil)
    private let strikes = Mutex(KeyStrikes<PlayedKey>())
    private let punchStrikes = Mutex(KeyStrikes<PunchKey>())

    init(screen: InstrumentScreen, mode: InstrumentModel.Mode) {
        self.screen = screen
        self.mode = mode
    }

    /// Shows the daemon's pictures until cancelled, reconnecting whenever the connection is lost.
    func maintain(first client: PixelBoopClient) async {
        let path = client.path
        do {
            try await use(client)
        } catch {
            await show(trouble: "\(error)")
        }
        client.close()
        await PixelBoopClient.stayConnected(to: path, use) { error, wait in
            await show(trouble: (wait.map { "trying again in \($0.inSeconds) s: " } ?? "") + "\(error)")
        }
    }

    /// Sends commands to the current daemon; without one they are lost.
    func perform(_ commands: AsyncStream<InstrumentCommand>) async {
        await withDiscardingTaskGroup { group in
            defer { group.cancelAll() }
            for await command in commands {
                guard let client = current.withLock({ $0 }) else { continue }
                switch command {
                case .strike(let key, let velocity, let seconds):
                    let length = Duration.seconds(seconds)
                    let isPressed = strikes.withLock { $0.strike(key, at: .now, lasting: length) }
                    if isPressed { await perform(.press(key, velocity: velocity), on: client) }
                    group.addTask { await self.release(key, on: client, after: length) }
                case .strikePunchIn(let key):
                    let length = Duration.seconds(PunchKeys.strike)
                    let isNew = punchStrikes.withLock { $0.strike(key, at: .now, lasting: length, isHeldOn: true) }
                    if isNew { for touch in key.press { await perform(.touch(touch), on: client) } }
                    group.addTask { await self.release(key, on: client, after: length) }
                default: await perform(command, on: client)
                }
            }
        }
    }

    /// Releases a key when its time is over, unless it has come again.
    private func release(_ key: PlayedKey, on client: PixelBoopClient, after length: Duration) async {
        try? await Task.sleep(for: length)
        if strikes.withLock({ $0.isOver(key, at: .now) }) { await perform(.release(key), on: client) }
    }

    private func release(_ key: PunchKey, on client: PixelBoopClient, after length: Duration) async {
        try? await Task.sleep(for: length)
        if punchStrikes.withLock({ $0.isOver(key, at: .now) }) { await perform(.touch(key.release), on: client) }
    }

    private func perform(_ command: InstrumentCommand, on client: PixelBoopClient) async {
        do {
            if let words = try await client.perform(command) { await screen.update { $0.notice = words } }
        } catch ClientError.refused(let error) {
            await screen.update { $0.notice = error.description }
        } catch {
            // The connection is lost, which showPictures reports.
        }
    }

    /// Uses a connection until it is lost.
    private func use(_ client: PixelBoopClient) async throws {
        defer { current.withLock { $0 = nil } }
        try await client.hello(client: mode == .instrument ? "pixelboop tui" : "pixelboop show", touch: .cell)
        current.withLock { $0 = client }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.showPictures(of: client) }
            group.addTask { try await self.showStatistics(of: client) }
            try await group.next()
        }
    }

    private func showPictures(of client: PixelBoopClient) async throws {
        for try await event in try await subscribe(client) {
            switch event {
            case .labels(let labels):
                await screen.update { $0.labels = labels }
            case .frame(let keyFrame):
                await screen.update { $0.frame = keyFrame.frame }
            case .tooltip(let tooltip):
                guard let what = tooltip.what else { break }
                let verb = tooltip.text.contains("UNDO") ? "Undid" : "Redid"
                await screen.update { $0.notice = "\(verb) \(what)" }
            case .state(let snapshot):
                await screen.update { model in
                    model.state = snapshot.state
                    if model.trouble != nil { model.notice = nil }
                    model.trouble = nil
                }
            default: break
            }
        }
    }

    private func subscribe(_ client: PixelBoopClient) async throws -> Subscription {
        do {
            return try await client.subscribe(to: [.frame, .state, .labels, .tooltip])
        } catch ClientError.refused {
            // An older daemon that has no labels.
            return try await client.subscribe(to: [.frame, .state])
        }
    }

    private func showStatistics(of client: PixelBoopClient) async throws {
        while true {
            let xruns = try await client.statistics().audio.xruns
            await screen.update { $0.xruns = xruns }
            try await Task.sleep(for: InstrumentLink.statisticsInterval)
        }
    }

    private func show(trouble: String) async {
        // The player has quit.
        if Task.isCancelled { return }
        await screen.update { $0.trouble = trouble }
    }
}

extension PixelBoopClient {
    /// - Returns: Words for the player.
    fileprivate func perform(_ command: InstrumentCommand) async throws -> String? {
        switch command {
        case .undo: return try await undo().what.map { "Undid \($0)" }
        case .redo: return try await redo().what.map { "Redid \($0)" }
        default: try await carryOut(command)
        }
        return nil
    }

    private func carryOut(_ command: InstrumentCommand) async throws {
        switch command {
        case .touch(let touch): try await send(touch)
        case .toggle: try await toggle()
        case .undo: try await undo()
        case .redo: try await redo()
        case .clear: try await clearPattern()
        case .newPattern: try await newPattern()
        case .record(let isOn): try await record(isOn)
        case .catchKeys: try await catchKeys()
        case .scene(let scene): try await launchScene(scene)
        case .lens(let track, let lens): try await setLens(track, lens)
        case .freeze(let track): try await freezeDice(track)
        case .fill(let isOn): try await setFill(isOn)
        case .press(let key, let velocity), .strike(let key, let velocity, _): try await press(key, velocity: velocity)
        case .strikePunchIn(let key): for touch in key.press { try await send(touch) }
        case .release(let key): try await release(key)
        }
    }
}

extension Duration {
    /// Seconds with at most two decimals.
    fileprivate var inSeconds: String {
        let (seconds, attoseconds) = components
        return (Double(seconds) + Double(attoseconds) / 1e18).inWords
    }
}
