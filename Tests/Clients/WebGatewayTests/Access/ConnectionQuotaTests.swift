import NIOCore
import ServerSupport
import TestSupport
import Testing

@testable import WebGateway

struct ConnectionQuotaTests {
    private let limits = HostQuota.Limits(total: 100, perHost: 40, reserved: 20)

    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }

    /// How many of this many connections are admitted.
    private func admitted(_ number: Int, _ address: String, _ quota: inout HostQuota) throws -> Int {
        let host = try self.address(address).otherHost
        return (0..<number).count { _ in quota.reserve(1, for: host) }
    }

    @Test func `one address gets a part of all connections, and several leave some for this machine`() throws {
        var quota = HostQuota(limits)
        #expect(try admitted(1100, "192.168.1.2", &quota) == 40)
        #expect(try admitted(1100, "192.168.1.3", &quota) == 40)
        #expect(try admitted(1100, "2001:db8::1", &quota) == 0)
        #expect(try admitted(10, "127.0.0.1", &quota) == 10)
        #expect(try admitted(1100, "::1", &quota) == 10)
        #expect(quota.used == 100)
    }

    @Test func `this machine may have all connections`() throws {
        var quota = HostQuota(limits)
        #expect(try admitted(1100, "127.0.0.1", &quota) == 100)
        #expect(try admitted(1, "192.168.1.2", &quota) == 0)
    }

    @Test func `the count is right whatever connections come and go`() throws {
        var (quota, random) = (HostQuota(limits), SeededGenerator(seed: 11))
        let addresses = try ["127.0.0.1", "10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2"].map(address)
        var open: [SocketAddress] = []
        for _ in 0..<10_000 {
            let address = addresses.randomElement(using: &random) ?? addresses[0]
            if Bool.random(using: &random), let place = open.firstIndex(of: address) {
                quota.release(1, of: open.remove(at: place).otherHost)
            } else if quota.reserve(1, for: address.otherHost) {
                open.append(address)
            }
            #expect(quota.used == open.count && open.count <= 100)
            #expect(open.count { !$0.isLoopback } <= 80)
            #expect(open.count { $0.party == address.party && !$0.isLoopback } <= 40)
        }
        for address in open { quota.release(1, of: address.otherHost) }
        #expect(try admitted(1100, "10.0.0.1", &quota) == 40)
    }

    @Test(arguments: [(64, 100_000), (4096, 100_000), (64, 200), (64, 20), (1, 1), (64, Int.max)])
    func `the limits fit the system's, with room for this machine`(pages: Int, descriptors: Int) {
        var settings = GatewaySettings(socketPath: "/s")
        settings.limit(pages: pages, descriptors: descriptors)
        let limits = settings.connectionLimits
        #expect((1...pages).contains(settings.maximumPages))
        #expect(limits.total + 2 * settings.maximumPages <= max(4, descriptors))
        #expect(limits.perHost <= limits.total - limits.reserved)
        #expect(descriptors < 20 || limits.reserved > 0)
        #expect(descriptors < 5000 || settings.maximumPages == pages && limits.perHost > 2 * pages)
    }
}
