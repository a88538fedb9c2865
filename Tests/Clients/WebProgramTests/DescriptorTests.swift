import CannedDaemon
import GatewayTestSupport
import JackTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test func `without a descriptor for a client, accepting pauses, is logged once, and pages continue`()
        async throws
    {
        let gateway = try ChildProgram(gateway: ["--listen", "127.0.0.1:0"])
        let port = try await gateway.serve()
        let ports = gateway.log.matches(of: /127\.0\.0\.1:(\d+)/).compactMap { Int($0.1) }
        #expect(ports.count == 2 && ports.contains(port))
        let page = try Browser(port: port)
        #expect(try await page.ask(page.request("/")).status == 200)

        // Fewer than it has open.
        try FileLimit.limit(gateway.identifier, to: 5)
        let others = try ports.map { try Browser(port: $0) }
        for other in others { try await other.socket.send(other.request("/")) }
        #expect(await gateway.says("cannot accept clients: "))
        let before = try ThreadTimes(of: gateway.identifier)
        // There is nothing to wait for in the meantime.
        try await Task.sleep(for: .seconds(2))
        let times = try ThreadTimes(of: gateway.identifier).milliseconds(since: before)
        #expect(times.reduce(0) { $0 + $1.milliseconds } < 400, "\(times)")
        #expect(try await page.ask(page.request("/")).status == 200)

        try FileLimit.limit(gateway.identifier, to: 100)
        for other in others { #expect(try await other.answer().status == 200) }
        #expect(await gateway.says("clients can be accepted again"))
        #expect(await gateway.end() == 0)
        #expect(gateway.log.matches(of: /cannot accept clients/).count == 1)
        #expect(gateway.log.matches(of: /can be accepted again/).count == 1)
    }
}
