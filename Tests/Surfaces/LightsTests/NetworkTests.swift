import SystemSupport
import Testing

@testable import Lights

struct NetworkTests {
    private static func network(
        _ address: String, _ mask: String, interface: String = "eth0", hasMulticast: Bool = true
    ) throws -> Network {
        Network(
            interface: interface, address: try #require(IPv4(literal: address)),
            mask: try #require(IPv4(literal: mask)),
            hasMulticast: hasMulticast)
    }

    @Test(arguments: [
        ("10.1.2.3", "10.1.255.255"), ("192.168.7.9", "192.168.7.15"), ("192.168.7.17", "192.168.7.255"),
        ("127.0.0.1", "127.255.255.255"), ("8.8.8.8", "8.8.8.8"), ("172.16.0.5", "172.16.0.5"),
    ])
    func `a host's broadcast address is that of its smallest network`(host: String, everybody: String)
        throws
    {
        let networks = [
            try Self.network("10.1.0.1", "255.255.0.0"), try Self.network("192.168.7.1", "255.255.255.0"),
            try Self.network("192.168.7.2", "255.255.255.240"), try Self.network("127.0.0.1", "255.0.0.0"),
            try Self.network("172.16.0.5", "255.255.255.255"),
        ]
        #expect(
            Network.directedBroadcast(for: try #require(IPv4(literal: host)), in: networks)
                == IPv4(literal: everybody))
    }

    @Test func `this machine is in the network of loopback`() throws {
        #expect(
            Network.all.contains(
                try Self.network("127.0.0.1", "255.0.0.0", interface: "lo", hasMulticast: false)))
    }

    @Test func `without a route, multicast leaves by the only interface that has it`() throws {
        let loopback = try Self.network("127.0.0.1", "255.0.0.0", interface: "lo", hasMulticast: false)
        let cable = try Self.network("169.254.1.2", "255.255.0.0")
        let second = try Self.network("10.0.0.1", "255.0.0.0")
        let wireless = try Self.network("192.168.1.2", "255.255.255.0", interface: "wlan0")
        #expect(Network.interfaceWithoutRoute(in: [loopback]) == nil)
        #expect(Network.interfaceWithoutRoute(in: [loopback, cable]) == "eth0")
        #expect(Network.interfaceWithoutRoute(in: [cable, second, loopback]) == "eth0")
        #expect(Network.interfaceWithoutRoute(in: [cable, wireless]) == nil)
    }

    @Test func `multicast by an interface that is not there fails, with its name`() throws {
        let socket = try DatagramSocket()
        #expect(socket.useForMulticast("nothere0") == "no interface nothere0")
        #expect(socket.useForMulticast("lo") == nil)
        #expect(socket.useForMulticast(nil) == nil)
    }

    @Test func `a universe has its multicast group`() {
        #expect(IPv4(groupOfUniverse: 1) == IPv4(literal: "239.255.0.1"))
        #expect(IPv4(groupOfUniverse: 63_999) == IPv4(literal: "239.255.249.255"))
        #expect(IPv4(groupOfUniverse: SACNStream.discoveryUniverse) == IPv4(literal: "239.255.250.214"))
    }

    @Test(arguments: [
        ("wall", "wall"), ("192.168.1.50", "192.168.1.50"), ("wall.local:4048", "wall.local:4048"),
        ("a_b-c:1", "a_b-c:1"),
    ])
    func `a controller is a host, with a port if need be`(text: String, same: String) {
        #expect(Controller(text)?.text == same)
    }

    @Test(arguments: ["", ":4048", "wall:", "wall:0", "wall:65536", "wall:x", "a b", "::1", "http://wall", "wall:1:2"])
    func `anything but a host is refused`(text: String) { #expect(Controller(text) == nil) }
}
