import NIOCore
import NIOHTTP1
import Testing

@testable import WebGateway

struct AccessTests {
    private func head(_ headers: HTTPHeaders) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: "/socket", headers: headers)
    }

    private static let own: HTTPHeaders = ["Host": "localhost:8044", "Origin": "http://localhost:8044"]

    @Test(arguments: [(true, false, false), (true, true, true), (false, false, true), (false, true, true)])
    func `a page on another machine needs the token, and everyone if it is demanded`(
        isLocal: Bool, isDemanded: Bool, needsToken: Bool
    ) {
        var access = Access()
        access.demandsToken = isDemanded
        #expect(access.decision(on: head(Self.own), isLocal: isLocal) == .admit(needsToken: needsToken))
    }

    @Test func `a program other than a page needs the token, on this machine too`() {
        #expect(Access().decision(on: head(["Host": "localhost:8044"]), isLocal: true) == .admit(needsToken: true))
    }

    @Test func `only a listed page of another site may connect, with the token`() {
        var access = Access()
        let other: HTTPHeaders = ["Host": "localhost:8044", "Origin": "https://a.org"]
        guard case .refuse(.forbidden, _) = access.decision(on: head(other), isLocal: true) else {
            Issue.record("it was let in")
            return
        }
        access.origins = [PageOrigin("https://a.org:443")].compactMap(\.self).reduce(into: []) { $0.insert($1) }
        #expect(access.decision(on: head(other), isLocal: true) == .admit(needsToken: true))
    }

    @Test(arguments: [(["a.org"], []), ([], ["https://a.org"])])
    func `with further names or origins, as behind a proxy, everyone needs the token`(
        hosts: [String], origins: [String]
    ) {
        let settings = GatewaySettings(socketPath: "/s", hosts: hosts, origins: origins, demandsToken: false)
        #expect(settings.everybodyNeedsToken)
        #expect(settings.access.decision(on: head(Self.own), isLocal: true) == .admit(needsToken: true))
    }

    @Test func `following the refusal's advice behind a proxy admits nobody without the token`() {
        // What nginx by default passes on for a page at https://a.org.
        let proxied: HTTPHeaders = ["Host": "127.0.0.1:8044", "Origin": "https://a.org"]
        guard case .refuse(.forbidden, let advice) = Access().decision(on: head(proxied), isLocal: true) else {
            Issue.record("it was let in")
            return
        }
        #expect(advice.contains("--origin") && advice.contains("token"))
        let settings = GatewaySettings(socketPath: "/s", hosts: [], origins: ["https://a.org"], demandsToken: false)
        #expect(settings.access.decision(on: head(proxied), isLocal: true) == .admit(needsToken: true))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("192.168.1.2", false), ("::2", false), ("fe80::1", false), ("::ffff:192.168.1.2", false), ("1::1", false),
        ("::", false), ("0.0.0.0", false),
    ])
    func `only loopback is this machine`(address: String, isLoopback: Bool) throws {
        #expect(try SocketAddress(ipAddress: address, port: 1).isLoopback == isLoopback)
    }
}
