import DaemonTestSupport
import Foundation
import Grid
import JSON
import JackTestSupport
import Music
import PixelBoopClient
import Testing
import Wire

/// Many clients, and one among them that does not read.
@Suite(.timeLimit(.minutes(1))) struct ManyClientsTests {
    /// The key frame and the diffs of a client that reads late.
    private struct Late {
        let client: RawClient
        var picture: KeyFrame
        var updates = 0

        /// Introduces a client and subscribes, and reads none of the answers.
        static func subscribe(_ client: RawClient) throws {
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"client":"late"}}"#)
            try client.send(#"{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"topics":["frame"]}}"#)
        }

        /// Reads up to the subscription's key frame.
        init(_ client: RawClient) async throws {
            self.client = client
            while true {
                let line = try #require(await client.line())
                let message = try JSONValue(parsing: line).objectValue
                guard message?["id"] == 2 else { continue }
                picture = try #require(try SubscribeReply(json: message?["result"] ?? .null).frame)
                return
            }
        }

        /// Reads diffs, each of which must be based on the current picture, up to a picture or a later one.
        mutating func read(until sequence: Int) async throws {
            while picture.sequence < sequence {
                let line = try #require(await client.line())
                let message = try JSONValue(parsing: line).objectValue
                let update = try FrameUpdate(json: message?["params"] ?? .null)
                try #require(update.base == picture.sequence)
                let isApplied = picture.frame.apply(update.changes)
                try #require(isApplied)
                picture.sequence = update.sequence
                updates += 1
            }
        }
    }

    @Test func `a client that does not read gets one diff in the end and blocks nobody`() async throws {
        try await Stage.with { stage in
            let player = try await stage.connect()
            var readers: [Subscription.AsyncIterator] = []
            var clients: [PixelBoopClient] = []
            for _ in 0..<100 {
                let client = try await stage.daemon.connect()
                clients.append(client)
                readers.append(try await client.subscribe(to: [.frame]).makeAsyncIterator())
            }
            let deaf = try RawClient(path: stage.daemon.socketPath)
            try Late.subscribe(deaf)

            // Until its socket is full and it has been sent nothing for ten changes that all others have seen.
            var (sent, unchanged, rounds) = (-1, 0, 0)
            var memory: Int?
            while unchanged < 10 {
                rounds += 1
                try #require(rounds < 500)
                try await Self.change(player, round: rounds)
                try await Self.follow(&readers, until: try await player.frame())
                let statistics = try await player.statistics()
                let now = statistics.clients.first { $0.name == "late" }?.frames.sent ?? -1
                unchanged = now == sent && now > 0 ? unchanged + 1 : 0
                if unchanged == 1 { memory = statistics.memory }
                sent = now
            }
            // What it misses is not stored for it.
            let growth = try await player.statistics().memory - (memory ?? 0)
            #expect(growth < 8 << 20)

            let newest = try await player.frame()
            var late = try await Late(deaf)
            try await late.read(until: newest.sequence)
            #expect(late.updates == sent + 1)
            // If the music key has changed since, it compares again.
            while late.picture.sequence != newest.sequence {
                let now = try await player.frame()
                try await late.read(until: now.sequence)
                guard late.picture.sequence == now.sequence else { continue }
                #expect(late.picture == now)
                return
            }
            #expect(late.picture == newest)
        }
    }

    /// Changes most of the grid.
    private static func change(_ player: PixelBoopClient, round: Int) async throws {
        try await player.set(.scale, to: round.isMultiple(of: 2) ? "major" : "minor")
        var pattern = Pattern()
        for step in 0..<32 { pattern[.rhythm, (step + round) % 12, step] = .accent }
        try await player.setPattern(pattern)
    }

    /// Waits until every reader has received a picture or a later one.
    private static func follow(_ readers: inout [Subscription.AsyncIterator], until goal: KeyFrame) async throws {
        for index in readers.indices {
            while case .frame(let picture)? = try await readers[index].next() {
                guard picture.sequence >= goal.sequence else { continue }
                if picture.sequence == goal.sequence { try #require(picture.frame == goal.frame) }
                break
            }
        }
    }

    @Test func `1024 clients are served, and the next is refused with the reason`() async throws {
        try #require(FileLimit.raiseLimit())
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        var clients: [RawClient] = []
        for _ in 0..<1024 { clients.append(try RawClient(path: daemon.socketPath)) }
        let next = try RawClient(path: daemon.socketPath)
        #expect(await next.line()?.contains("-32004") == true)
        #expect(await next.line() == nil)
        for client in clients { try client.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#) }
        for index in clients.indices.reversed() {
            // Each reads on a thread of its own, which ends with the client.
            let client = clients.remove(at: index)
            #expect(await client.line()?.contains("welcome") == true)
            #expect(await client.line() == #"{"jsonrpc":"2.0","result":{},"id":1}"#)
            client.hangUp()
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
