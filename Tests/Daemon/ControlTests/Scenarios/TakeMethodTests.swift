import Control
import ControlTestSupport
import JSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct TakeMethodTests {
    @Test(arguments: Reach.allCases)
    func `takes are listed, starred and deleted, and subscribers are told`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, watcher) = (try await server.client(), try await server.client())
            #expect(try await watcher.call("subscribe", ["topics": ["take"]]) == [:])
            // A new subscriber does not know what it has missed.
            #expect(try await watcher.next() == TakeEvent.changed)
            let list = try TakeList(json: try await client.call("take.list"))
            #expect(list == TakeList(takes: [.example]))
            try await client.call("take.star", ["take": 12, "starred": false])
            #expect(try await watcher.next() == TakeEvent.changed)
            #expect(try TakeList(json: try await client.call("take.list")).takes.map(\.isStarred) == [false])
            try await client.call("take.star", ["take": 12])
            #expect(try await watcher.next() == TakeEvent.changed)
            #expect(try TakeList(json: try await client.call("take.list")).takes.map(\.isStarred) == [true])
            try await client.call("take.delete", ["take": 12])
            #expect(try await watcher.next() == TakeEvent.changed)
            #expect(try TakeList(json: try await client.call("take.list")).takes.isEmpty)
            for method in ["take.star", "take.delete"] {
                let refusal = try await client.refusal(method, ["take": 12])
                #expect(refusal?.code == .notFound)
                #expect(refusal?.message == "there is no take 12" && refusal?.data == ["take": 12])
            }
            try await watcher.call("ping")
            #expect(watcher.pendingNotifications.isEmpty)
        }
    }

    @Test(arguments: [0, -1, 1 << 31])
    func `a number that no take can have is refused`(number: Int) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let refusal = try await client.refusal("take.delete", ["take": .integer(number)])
            #expect(refusal?.code == .invalidParams)
        }
    }
}
