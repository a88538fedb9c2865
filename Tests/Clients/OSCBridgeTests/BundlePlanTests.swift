import OSC
import Testing

@testable import OSCBridge

struct BundlePlanTests {
    private let now = Duration.seconds(1_000_000)

    private func message(_ name: String) -> OSCPacket { .message(OSCMessage("/\(name)")) }
    private func tag(_ delay: Duration) -> OSCTimeTag { OSCTimeTag(sinceEpoch: now + delay) }

    private func steps(_ packet: OSCPacket) -> [String] {
        BundlePlan(packet, at: now).steps.map { "\($0.message.address) \($0.delay)" }
    }

    @Test func `messages of a bundle are carried out in order`() {
        let bundle = OSCPacket.bundle(
            .immediately, [message("a"), .bundle(.immediately, [message("b")]), message("c")])
        #expect(steps(bundle) == ["/a 0.0 seconds", "/b 0.0 seconds", "/c 0.0 seconds"])
    }

    @Test func `later messages are delayed, by at most a second, and past ones carried out at once`() {
        #expect(steps(.bundle(tag(.milliseconds(500)), [message("a")])) == ["/a 0.5 seconds"])
        #expect(steps(.bundle(tag(.seconds(1)), [message("a")])) == ["/a 1.0 seconds"])
        #expect(steps(.bundle(tag(.seconds(-5)), [message("a")])) == ["/a 0.0 seconds"])
        let late = BundlePlan(.bundle(tag(.milliseconds(1500)), [message("a"), message("b")]), at: now)
        #expect(late.steps.isEmpty)
        #expect(late.refused == 2)
    }

    @Test func `a nested bundle takes effect no earlier than the outer one`() {
        let bundle = OSCPacket.bundle(
            tag(.milliseconds(500)),
            [.bundle(tag(.milliseconds(250)), [message("a")]), .bundle(tag(.milliseconds(750)), [message("b")])])
        #expect(steps(bundle) == ["/a 0.5 seconds", "/b 0.75 seconds"])
    }
}
