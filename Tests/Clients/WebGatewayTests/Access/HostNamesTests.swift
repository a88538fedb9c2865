import Testing

@testable import WebGateway

struct HostNamesTests {
    private let names = HostNames(machine: "studio.example.net", further: ["Play.example.org"])

    @Test(arguments: [
        "localhost", "LOCALHOST:8044", "studio.example.net", "studio.example.net.local", "studio.local:1",
        "play.example.org", "PLAY.EXAMPLE.ORG:443", "127.0.0.1", "192.168.1.2:8044", "[::1]", "[fe80::1]:8044",
        "[::ffff:1.2.3.4]:8044", "localhost.", "localhost.:8044", "LOCALHOST.", "studio.local.", "studio.local.:1",
        "studio.example.net.", "studio.example.net.local.", "play.example.org.:443",
    ])
    func `its names and all addresses are accepted`(host: String) {
        #expect(names.contain(host))
    }

    @Test(arguments: [
        "", ":8044", "example.org", "localhost.example.org", "xlocalhost", "localhost:8o44",
        "localhost:123456", "localhost:80:80", "user@localhost", "127.0.0.1.example.org", "127.1", "2130706433",
        "0x7f.0.0.1", "::1", "[::1", "[::1]x", "[127.0.0.1]", "[::1%lo]", "[]", "localhost/", "localhost ", "studio",
        ".", "..",
        "localhost..", ".localhost", "studio.", "example.org.",
    ])
    func `nothing else is accepted`(host: String) {
        #expect(!names.contain(host))
    }
}
