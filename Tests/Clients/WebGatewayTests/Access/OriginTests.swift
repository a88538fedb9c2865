import Testing

@testable import WebGateway

struct OriginTests {
    @Test(arguments: [
        ("http://localhost:8044", "localhost:8044"), ("http://LOCALHOST:8044", "localhost:8044"),
        ("http://localhost", "localhost"), ("http://localhost", "localhost:80"), ("https://a.org", "a.org:443"),
        ("https://a.org", "a.org"), ("http://[::1]:8044", "[::1]:8044"),
    ])
    func `a page's origin matches the host that its browser names`(origin: String, host: String) throws {
        #expect(try #require(PageOrigin(origin)).isServed(by: host))
    }

    @Test(arguments: [
        ("http://localhost:8045", "localhost:8044"), ("http://127.0.0.1:8044", "localhost:8044"),
        ("http://localhost", "localhost:8044"), ("https://localhost:80", "localhost"), ("http://a.org", "a.org:443"),
        ("http://localhost:8044.evil.org", "localhost:8044"),
    ])
    func `a page of another name or port does not match`(origin: String, host: String) {
        #expect(PageOrigin(origin)?.isServed(by: host) != true)
    }

    @Test(arguments: ["null", "", "file://", "ftp://localhost", "localhost:8044", "http://", "http://a b:x", "*"])
    func `text from which no page can be served is not an origin`(text: String) {
        #expect(PageOrigin(text) == nil)
    }
}
