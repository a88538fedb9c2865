import NIOCore
import TestSupport
import Testing
import Wire

@testable import Control

/// How far a listener may lag behind.
struct AudioQueueTests {
    /// A socket that holds unread data.
    private struct Socket {
        var unread: [Int] = []
        var sent: [Int] = []

        /// The kernel's count for a line: whole pages of memory and overhead.
        static func cost(of line: ByteBuffer) -> Int { (line.readableBytes + 4095) / 4096 * 4096 + 512 }
    }

    private func line(_ number: Int, bytes: Int = 5230) -> ByteBuffer {
        var line = ByteBuffer()
        line.writeInteger(number)
        line.writeRepeatingByte(0, count: bytes - 8)
        return line
    }

    /// - Parameter batch: How many come at once.
    private func append(
        _ numbers: Range<Int>, by batch: Int = 1, to queue: inout AudioQueue, over socket: inout Socket,
        bytes: Int = 5230, isBlocked: Bool = false, reading: (inout Socket) -> Void = { _ in }
    ) {
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: batch) {
            reading(&socket)
            var now = socket
            queue.append(
                (first..<first + batch).map { line($0, bytes: bytes) }, isBlocked: isBlocked,
                unreadBytes: { now.unread.reduce(0, +) },
                send: { line in
                    now.unread.append(Socket.cost(of: line))
                    now.sent.append(line.getInteger(at: 0)!)
                })
            socket = now
        }
    }

    @Test(arguments: [110, 5230, 20_600]) func `a listener that reads gets every block at once`(bytes: Int) {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<1000, to: &queue, over: &socket, bytes: bytes) { $0.unread = [] }
        #expect(socket.sent == Array(0..<1000))
        #expect(queue.counts.sent == 1000 && queue.counts.dropped == 0)
    }

    /// Eight or nine in a period of 8192 frames at 48 kHz, 51 at 8 kHz.
    @Test(arguments: [2, 8, 9, 51]) func `who reads gets every block, however many come at once`(batch: Int) {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<10 * batch, by: batch, to: &queue, over: &socket) { $0.unread = [] }
        #expect(socket.sent == Array(0..<10 * batch))
        #expect(queue.counts.dropped == 0)
    }

    @Test func `who does not read has ten blocks in the socket when nine come at once, and then the present`() {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<90, by: 9, to: &queue, over: &socket)
        #expect(socket.sent == Array(0...8) + [17])
        append(90..<95, to: &queue, over: &socket)
        #expect(socket.sent.count == 10 && queue.counts.dropped == 85)
        socket.unread = []
        append(95..<104, by: 9, to: &queue, over: &socket)
        #expect(socket.sent.dropFirst(10) == Array(95..<104)[...])
    }

    @Test(arguments: [110, 5230, 20_600])
    func `a listener that stops reading has five blocks in the socket and five queued, then the newest`(bytes: Int) {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<100, to: &queue, over: &socket, bytes: bytes)
        #expect(socket.sent == Array(0..<5))
        #expect(queue.counts.dropped == 90)
        socket.unread = []
        append(100..<101, to: &queue, over: &socket, bytes: bytes)
        #expect(socket.sent.dropFirst(5) == [95, 96, 97, 98, 99][...])
        append(101..<200, to: &queue, over: &socket, bytes: bytes) { $0.unread = [] }
        #expect(socket.sent.dropFirst(10) == Array(100..<200)[...])
        #expect(queue.counts.dropped == 90)
    }

    @Test func `a listener one block behind stays so, and loses none`() {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<500, to: &queue, over: &socket) { if $0.unread.count > 1 { $0.unread.removeFirst() } }
        #expect(socket.sent == Array(0..<500))
    }

    @Test func `a listener that reads half misses about every other block, and nothing piles up`() {
        var (queue, socket) = (AudioQueue(), Socket())
        var turn = 0
        append(0..<1000, to: &queue, over: &socket) {
            turn += 1
            if turn.isMultiple(of: 2), !$0.unread.isEmpty { $0.unread.removeFirst() }
        }
        #expect(socket.sent.last! >= 1000 - AudioQueue.capacity)
        #expect((480...520).contains(queue.counts.sent))
        #expect(zip(socket.sent, socket.sent.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `nothing is sent while the socket is blocked`() {
        var (queue, socket) = (AudioQueue(), Socket())
        append(0..<30, to: &queue, over: &socket, isBlocked: true)
        #expect(socket.sent.isEmpty && queue.counts.dropped == 20)
        append(30..<31, to: &queue, over: &socket)
        #expect(socket.sent == [21, 22, 23, 24, 25])
    }
}

/// From the engine's samples to the ones sent.
struct DitherTests {
    @Test func `silence stays digital`() {
        var dither = Dither()
        #expect(dither.bytes(of: [Float](repeating: 0, count: 1920)) == nil)
    }

    @Test func `no sample is off by more than 1.5 LSB, and the loudest do not wrap`() {
        var dither = Dither()
        let ramp = (0...65_536).map { Float($0) / 32_768 - 1 }
        let heard = (dither.bytes(of: ramp) ?? []).samples16
        #expect(heard.count == ramp.count)
        for (sample, heard) in zip(ramp, heard) {
            let value = Double(min(sample * 32768, 32767))
            #expect(abs(Double(heard) - value) <= 1.5)
        }
    }

    /// A constant below half an LSB survives on average; without dither it would vanish.
    @Test func `levels below one LSB are right on average, with noise of half an LSB`() {
        var dither = Dither()
        let level: Float = 0.3 / 32_768
        let heard = (dither.bytes(of: [Float](repeating: level, count: 200_000)) ?? []).samples16.map(Double.init)
        #expect(heard.count == 200_000)
        let mean = heard.reduce(0, +) / Double(heard.count)
        let variance = heard.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(heard.count)
        #expect(abs(mean - 0.3) < 0.01)
        // Triangular noise 2 LSB wide, and the rounding: 1/6 + 1/12.
        #expect(abs(variance - 0.25) < 0.01)
    }
}
