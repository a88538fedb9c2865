import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Messages that leave later than they are sent.
@Suite struct DelayedMessagesTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `messages leave within their period, in order, and none is lost, even if too many wait`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var messages = DelayedMessages()
        let buffers = PeriodBuffers()
        defer { withExtendedLifetime(buffers) {} }
        let port = buffers.midi(of: .clockOut)
        var (sent, received, frame) = (0, 0, Int64(0))
        for turn in 0..<500 {
            let count = Int.random(in: 16...512, using: &random)
            if turn < 100 {
                for offset in Swift.stride(from: 0, to: count, by: count / 16) {
                    messages.cycle.append(
                        MidiEvent(frame: Int32(offset), count: 3, 0x90, UInt8(sent / 128 % 128), UInt8(sent % 128)))
                    sent += 1
                }
            }
            port.clear()
            messages.finish(port, from: frame, count: count, delay: 30_000)
            var last: Int32 = 0
            for index in 0..<port.count {
                let event = port.event(index)
                #expect((last..<Int32(count)).contains(event.frame))
                #expect(Int(event.first) * 128 + Int(event.second) == received)
                last = event.frame
                received += 1
            }
            frame += Int64(count)
        }
        // Fewer than that can wait, so some were forced out.
        #expect(sent > 1500 && received == sent && messages.isEmpty)
    }
}
