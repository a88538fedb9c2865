import CannedDaemon
import Grid
import JSON
import Logging
import PixelBoopClient
import ServiceCommand
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SurfaceKit

/// Records what it receives.
private actor Witness: Surface {
    let interest = Interest(maximumFrameRate: 30)
    private(set) var story: [String] = []
    private var waiting: [(Int, CheckedContinuation<Void, Never>)] = []

    func connected(to client: PixelBoopClient) { note("connected to \(client.welcome.version)") }
    func received(_ event: ClientEvent) {
        guard case .frame(let keyFrame) = event else { return note("\(event)") }
        note("picture \(keyFrame.sequence)")
    }
    func disconnected() { note("disconnected") }

    private func note(_ text: String) {
        story.append(text)
        for (count, continuation) in waiting where count <= story.count { continuation.resume() }
        waiting.removeAll { $0.0 <= story.count }
    }

    /// What it has received, once there are this many entries.
    func story(of count: Int) async -> [String] {
        if story.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
        return story
    }
}

/// Collects the lines of a log.
private final class Journal: Sendable {
    let lines = Mutex<[String]>([])

    var logger: Logger { Logger(label: "test") { _ in Handler(journal: self) } }

    private struct Handler: LogHandler {
        let journal: Journal
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        func log(event: LogEvent) { journal.lines.withLock { $0.append("\(event.level): \(event.message)") } }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct DaemonLinkTests {
    private let place: TemporaryDirectory
    private let journal = Journal()
    private let surface = Witness()

    init() throws { place = try TemporaryDirectory() }

    private var link: DaemonLink {
        DaemonLink(
            name: "witness", socketPath: place.socket, logger: journal.logger,
            backoff: Backoff(first: .milliseconds(1), longest: .milliseconds(1)))
    }

    /// Welcomes the surface, as a daemon with a picture of this number does.
    private func welcome(_ daemon: CannedDaemon, picture: Int) async throws -> (CannedPeer, [Request]) {
        let peer = try await daemon.welcome()
        let hello = try #require(try await peer.receive())
        try await peer.answer(hello, .success(.object(Welcome(version: "canned").json)))
        let subscribe = try #require(try await peer.receive())
        try await peer.answer(
            subscribe, .success(["frame": .object(KeyFrame(sequence: picture, frame: Frame()).json)]))
        return (peer, [hello, subscribe])
    }

    @Test func `a surface introduces itself and its interest, and gets each picture`() async throws {
        let daemon = try await CannedDaemon.start(at: place)
        let following = Task { await link.follow(surface) }
        let (peer, calls) = try await welcome(daemon, picture: 1)
        #expect(calls.map(\.method) == ["hello", "subscribe"])
        let hello = try #require(calls[0].members)
        #expect(hello["client"] == "witness")
        #expect(hello["touch"]?.objectValue?["resolution"] == "cell")
        #expect(calls[1].members?["topics"] == ["frame"])
        #expect(calls[1].members?["maxFps"] == 30)
        // An unread picture is replaced by a newer one.
        _ = await surface.story(of: 2)
        try await peer.send(line: #"{"jsonrpc":"2.0","method":"frame","params":{"seq":2,"base":1,"cells":[0,255]}}"#)
        #expect(await surface.story(of: 3) == ["connected to canned", "picture 1", "picture 2"])
        following.cancel()
        await following.value
        #expect(await surface.story.last == "disconnected")
    }

    @Test func `a surface reconnects to the daemon`() async throws {
        let following = Task { await link.follow(surface) }
        for picture in 1...3 {
            let daemon = try await CannedDaemon.start(at: place)
            let (peer, _) = try await welcome(daemon, picture: picture)
            _ = await surface.story(of: 3 * picture - 1)
            try await daemon.stop()
            try await peer.close()
            _ = await surface.story(of: 3 * picture)
        }
        following.cancel()
        await following.value
        #expect(
            await surface.story
                == (1...3).flatMap { ["connected to canned", "picture \($0)", "disconnected"] })
    }

    @Test func `a daemon's absence is logged once`() async throws {
        let clock = ImpatientClock()
        var link = link
        link.clock = clock
        let following = Task { [link] in await link.follow(surface) }
        try await waitUntil { clock.waits.count >= 5 }
        following.cancel()
        await following.value
        let warnings = journal.lines.withLock { $0.filter { $0.hasPrefix("warning: ") } }
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("warning: no daemon at") == true)
    }

    @Test func `a refusal is logged once, and tried again at growing intervals`() async throws {
        let daemon = try await CannedDaemon.start(at: place)
        let clock = ImpatientClock()
        var link = DaemonLink(name: "witness", socketPath: place.socket, logger: journal.logger)
        link.clock = clock
        try await daemon.serving { call in
            call.method == "subscribe" ? .failure(WireError(.invalidParams, "topics: too many")) : .success([:])
        } while: { [link] _ in
            let following = Task { await link.follow(surface) }
            while clock.waits.count < 6 { await Task.yield() }
            following.cancel()
            await following.value
        }
        #expect(
            Array(clock.waits.prefix(6)) == [
                .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(4),
            ])
        let warnings = journal.lines.withLock { $0.filter { $0.hasPrefix("warning: ") } }
        #expect(warnings.count == 1 && warnings[0].contains("topics: too many"), "\(warnings)")
        #expect(await surface.story.isEmpty)
    }

    @Test func `a listener that is not a daemon is tried again`() async throws {
        let daemon = try await CannedDaemon.start(at: place)
        let following = Task { await link.follow(surface) }
        let stranger = try await daemon.accept()
        try await stranger.send(line: "220 mail.example.org ESMTP")
        _ = try await welcome(daemon, picture: 7)
        #expect(await surface.story(of: 2) == ["connected to canned", "picture 7"])
        following.cancel()
        await following.value
    }

    @Test func `waiting until cancelled ends with the task`() async {
        let waiting = Task { await untilCancelled() }
        waiting.cancel()
        await waiting.value
    }
}

extension Request {
    /// The parameters by name.
    fileprivate var members: JSONObject? {
        if case .byName(let members) = parameters { return members }
        return nil
    }
}
