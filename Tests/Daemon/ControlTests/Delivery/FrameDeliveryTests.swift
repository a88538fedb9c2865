import Gestures
import Grid
import NIOCore
import TestSupport
import Testing
import Wire

@testable import Control
@testable import Session

/// An output that counts what is sent, and that a test can block.
final class CountingOutput: ClientOutput {
    var isBlocked = false
    private(set) var sent = 0
    private(set) var last: ByteBuffer?
    let unsentBytes = 0

    func send(_ line: ByteBuffer) {
        sent += 1
        last = line
    }
    func resumeInput() {}
    func finish(lingering: Bool) {}
    func abort() {}
}

struct FrameDeliveryTests {
    /// A constantly changing picture.
    private struct Cinema {
        private var sequence = 0

        mutating func draw(at now: Duration) -> FrameDelivery.Drawing {
            sequence += 1
            var frame = Frame()
            frame[0, 0] = Color(UInt32(sequence))
            return .init(pictures: Pictures(Numbered(number: sequence, value: frame)), nextRedraw: now)
        }
    }

    @Test(arguments: [30, 60])
    func `clients out of step after full sockets share wake-ups, and each gets its rate`(rate: Int) throws {
        var random = SeededGenerator(seed: 5)
        var cinema = Cinema()
        var delivery = FrameDelivery(cinema.draw(at: .zero), at: .zero)
        let flushes = PendingFlushes()
        let outputs = (0..<50).map { _ in CountingOutput() }
        let clients = outputs.enumerated().map { index, output in
            let client = Client(id: ClientID(index + 1), output: output, flushes: flushes)
            // Each socket was freed at another time.
            let rhythm = Duration.seconds(1) * Double.random(in: 0...1, using: &random) / Double(rate)
            client.subscriptions.frame = .init(
                base: Numbered(number: 0, value: Frame()),
                schedule: DeliverySchedule(rate: rate, version: 0, inRhythmWith: rhythm), unansweredLine: nil)
            return client
        }
        delivery.subscribersChanged()
        var (now, rounds) = (Duration.zero, 0)
        while now < .seconds(10) {
            delivery.deliver(to: clients, at: now, nextRedraw: now) { cinema.draw(at: now) }
            now = max(now, try #require(delivery.wake))
            rounds += 1
        }
        #expect(rounds <= 10 * rate * 10)
        for output in outputs { #expect((rate * 10 - 2...rate * 10 + 1).contains(output.sent)) }
    }

    @Test func `a lone client is never served early`() throws {
        var cinema = Cinema()
        var delivery = FrameDelivery(cinema.draw(at: .zero), at: .zero)
        let client = Client(id: ClientID(1), output: CountingOutput(), flushes: PendingFlushes())
        client.subscriptions.frame = .init(
            base: Numbered(number: 0, value: Frame()),
            schedule: DeliverySchedule(rate: 50, version: 0, inRhythmWith: .zero), unansweredLine: nil)
        delivery.subscribersChanged()
        delivery.deliver(to: [client], at: .milliseconds(19), nextRedraw: .zero) { cinema.draw(at: .zero) }
        #expect(client.frames.sent == 0)
        #expect(delivery.wake == .milliseconds(20))
    }
}
