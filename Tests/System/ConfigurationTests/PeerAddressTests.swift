import Testing

@testable import Configuration

struct PeerAddressTests {
    @Test(arguments: [
        ("192.168.1.20", "192.168.1.20", nil, "192.168.1.20"),
        ("192.168.1.20:9000", "192.168.1.20", 9000, "192.168.1.20:9000"), ("fd00::2", "fd00::2", nil, "fd00::2"),
        ("[fd00::2]:9000", "fd00::2", 9000, "[fd00::2]:9000"), ("FD00:0:0::2", "fd00::2", nil, "fd00::2"),
    ])
    func `a machine is an address, or an address and a port`(text: String, address: String, port: Int?, written: String)
    {
        let peer = PeerAddress(text)
        #expect(peer?.address == address)
        #expect(peer?.port == port)
        #expect(peer?.text == written)
    }

    @Test(arguments: [
        "", "studio.local", "192.168.1", "192.168.1.20:", "192.168.1.20:0", "192.168.1.20:65536", "[fd00::2]", ":9000",
    ])
    func `anything else is none`(text: String) {
        #expect(PeerAddress(text) == nil)
    }
}
