import NIOCore
import Testing

@testable import WebGateway

struct PageAddressesTests {
    private static let token = Token("0123456789abcdef0123456789abcdef") ?? Token()

    private func addresses(
        _ listening: [(String, Int)], hosts: [String] = [], isEncrypted: Bool = false, demandsToken: Bool = false
    ) throws -> PageAddresses {
        PageAddresses(
            try listening.map { try SocketAddress(ipAddress: $0.0, port: $0.1) },
            machine: try ["127.0.0.1", "::1", "169.254.3.4", "192.168.1.2", "10.0.0.1", "fe80::1", "2001:db8::1"].map {
                try SocketAddress(ipAddress: $0, port: 0)
            }, hosts: hosts, isEncrypted: isEncrypted, token: Self.token, demandsToken: demandsToken)
    }

    @Test func `if only this machine is served, the address is localhost without a token`() throws {
        let addresses = try addresses([("127.0.0.1", 8044), ("::1", 8044)])
        #expect(addresses.remote.isEmpty)
        #expect(addresses.local == "http://localhost:8044/")
    }

    @Test func `if everyone needs the token, localhost has it too`() throws {
        let addresses = try addresses([("127.0.0.1", 8044)], demandsToken: true)
        #expect(addresses.local == "http://localhost:8044/#0123456789abcdef0123456789abcdef")
    }

    @Test func `listening on all addresses gives each that others can reach, with the token`() throws {
        let addresses = try addresses([("0.0.0.0", 8044), ("::", 8044)])
        #expect(
            addresses.remote
                == ["192.168.1.2", "10.0.0.1", "[2001:db8::1]"].map { "http://\($0):8044/#\(Self.token.text)" })
        #expect(addresses.local == "http://localhost:8044/")
    }

    @Test func `names replace the addresses if there are any`() throws {
        let addresses = try addresses([("0.0.0.0", 443)], hosts: ["a.org", "b.org"], isEncrypted: true)
        #expect(addresses.remote == ["https://a.org/#\(Self.token.text)", "https://b.org/#\(Self.token.text)"])
    }

    @Test func `a configured address is used as it is`() throws {
        let addresses = try addresses([("192.168.1.2", 80)])
        #expect(addresses.remote == ["http://192.168.1.2/#\(Self.token.text)"])
        #expect(addresses.local == nil)
    }
}
