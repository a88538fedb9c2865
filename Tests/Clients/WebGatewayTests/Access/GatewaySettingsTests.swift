import Testing

@testable import WebGateway

struct GatewaySettingsTests {
    @Test func `by default a token is awaited for 5 s, a request for 10 s, and a page is pinged every 20 s`() {
        let settings = GatewaySettings(socketPath: "/s")
        #expect(settings.tokenTime == .seconds(5))
        #expect(settings.requestTime == .seconds(10))
        #expect(settings.pingInterval == .seconds(20))
    }
}
