import TestSupport
import Testing

@testable import Engine

/// The sender alone, checked by counting its messages.
@Suite struct NoteSenderTests {
    /// A port of its own for each period.
    private final class Port {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: MidiBuffer.byteCount, alignment: 8)
        var buffer: MidiBuffer { MidiBuffer(memory) }
        var events: [MidiEvent] { (0..<buffer.count).map { buffer.event($0) } }
        init() { buffer.clear() }
        deinit { memory.deallocate() }
    }

    @Test(arguments: [64, 96, 1024])
    func `after random events each start has one end, and no period has too many messages`(limit: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        var sender = NoteSender(limit: limit)
        let port = Port()
        var (down, frame): (Set<Int>, Int64) = ([], 0)
        func check() {
            var last: Int32 = 0
            #expect(port.buffer.count <= limit)
            for event in port.events {
                #expect(event.frame >= last)
                last = event.frame
                let place = Int(event.status & 0xf) << 7 | Int(event.first)
                switch event.status & 0xf0 {
                case 0x90: #expect(down.insert(place).inserted)
                case 0x80: #expect(down.remove(place) != nil)
                default: #expect(event.status == 0xe0 || event.first == 123)
                }
                if event.first == 123 { down = down.filter { $0 >> 7 != Int(event.status & 0xf) } }
            }
        }
        for _ in 0..<2000 {
            port.buffer.clear()
            if Int.random(in: 0..<20, using: &random) == 0 { sender.forget() }
            sender.begin(port.buffer, at: frame)
            let end = frame + Int64.random(in: 16...1024, using: &random)
            for _ in 0..<50 {
                let now = min(frame + Int64.random(in: 0...4, using: &random), end - 1)
                sender.advance(to: now)
                act(&sender, at: now, &random)
                frame = now
            }
            sender.finish(before: end)
            frame = end
            check()
        }
        port.buffer.clear()
        sender.begin(port.buffer, at: frame)
        sender.stopAll(at: frame)
        sender.finish(before: frame + 1)
        check()
        #expect(down.isEmpty)
        #expect((sender.fetchDelayedCount() > 0) == (limit < 1024))
    }

    private func act(_ sender: inout NoteSender, at frame: Int64, _ random: inout SeededGenerator) {
        let note = Int.random(in: 0..<48, using: &random)
        switch Int.random(in: 0..<200, using: &random) {
        case 0: sender.stopAll(at: frame)
        case 1..<5: sender.stop(track: note % 4, at: frame)
        case 5..<30: sender.stop(note, at: frame)
        case 30..<40: sender.pass(MidiEvent(frame: 0, count: 3, 0xe0, 1, 2), at: frame)
        default:
            sender.start(
                note, channel: .random(in: 0..<3, using: &random), key: .random(in: 36..<60, using: &random),
                velocity: 64, end: Bool.random(using: &random) ? frame + .random(in: 1...3000, using: &random) : .max,
                at: frame)
        }
    }

    @Test func `a start for which there is no room is sent in the next period, unless it is over by then`() {
        var sender = NoteSender(limit: 64)
        let port = Port()
        sender.begin(port.buffer, at: 0)
        // Each needs room for its end as well.
        for note in 0..<40 { sender.start(note, channel: 0, key: UInt8(note), velocity: 1, end: .max, at: 0) }
        #expect(port.buffer.count == 32 && sender.fetchDelayedCount() == 8)
        sender.start(40, channel: 0, key: 40, velocity: 1, end: 200, at: 10)
        sender.stop(0, at: 20)
        sender.stop(39, at: 20)
        sender.finish(before: 256)
        #expect(port.events.last == MidiEvent(frame: 20, count: 3, 0x80, 0, 0x40))
        port.buffer.clear()
        sender.begin(port.buffer, at: 256)
        #expect(port.events.map(\.first) == Array(32..<39))
        #expect(port.events.allSatisfy { $0.frame == 0 && $0.status == 0x90 })
        sender.finish(before: 512)
    }

    @Test func `a start that waits for one that was delayed by more keeps its length`() {
        var sender = NoteSender()
        let port = Port()
        sender.begin(port.buffer, at: 0, delay: 1000)
        sender.start(0, channel: 0, key: 40, velocity: 1, end: 100, at: 0)
        sender.finish(before: 64)
        #expect(port.events.isEmpty)
        sender.begin(port.buffer, at: 64)
        sender.start(1, channel: 0, key: 41, velocity: 1, end: 164, at: 64)
        sender.finish(before: 2000)
        let sent = port.events.map { [Int($0.frame), Int($0.status), Int($0.first)] }
        #expect(sent == [[936, 0x90, 40], [936, 0x90, 41], [1036, 0x80, 40], [1036, 0x80, 41]])
    }

    @Test func `forwarded messages wait in order`() {
        var sender = NoteSender(limit: 64)
        let port = Port()
        sender.begin(port.buffer, at: 0)
        for value in 0..<100 { sender.pass(MidiEvent(frame: 0, count: 3, 0xb0, 1, UInt8(value)), at: 5) }
        sender.finish(before: 64)
        var values = port.events.map(\.second)
        #expect(values.count == 64)
        port.buffer.clear()
        sender.begin(port.buffer, at: 64)
        values += port.events.map(\.second)
        #expect(values == (0..<100).map { UInt8($0) })
        sender.finish(before: 128)
    }
}
