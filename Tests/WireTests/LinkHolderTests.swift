import Testing
import Wire

struct LinkHolderTests {
    @Test(
        arguments: [
            (0, 120, "Ableton Link, 0 peers, 120.00 BPM"), (1, 20.0, "Ableton Link, 1 peer, 20.00 BPM"),
            (12, 130.00013, "Ableton Link, 12 peers, 130.00 BPM"), (2, 99.057, "Ableton Link, 2 peers, 99.06 BPM"),
        ])
    func `the name says how the session fares, and is read again`(peers: Int, bpm: Double, name: String) throws {
        #expect(LinkHolder(peers: peers, bpm: bpm).name == name)
        let read = try #require(LinkHolder(name: name))
        #expect(read == LinkHolder(peers: peers, bpm: bpm) && read.peers == peers && abs(read.bpm - bpm) <= 0.005)
    }

    @Test(
        arguments: [
            "", "Ableton Link", "light desk", "Ableton Link, -1 peers, 1.00 BPM", "Ableton Link, 1 peer, 1 BPM",
        ])
    func `other names say nothing`(name: String) {
        #expect(LinkHolder(name: name) == nil)
    }
}
