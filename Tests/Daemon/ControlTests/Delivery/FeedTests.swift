import Grid
import JSON
import NIOCore
import Testing
import Wire

@testable import Control
@testable import Session

struct FeedTests {
    private func version(_ number: Int, _ value: String) -> Numbered<String> { Numbered(number: number, value: value) }

    /// A feed whose lines name what they lead from and to.
    private func feed(_ first: Numbered<String>) -> VersionFeed<String> {
        VersionFeed(first, ready: .zero) { base, newest in
            base.value == newest.value ? nil : Array("\(base.value) to \(newest.value)".utf8)
        }
    }

    private func address(of buffer: ByteBuffer?) -> UnsafeRawPointer? {
        buffer?.withUnsafeReadableBytes { $0.baseAddress }
    }

    @Test func `subscribers with the same base share one encoding`() {
        var feed = feed(version(1, "a"))
        let base = feed.newest
        feed.accept(version(2, "b"), ready: .zero)
        let (first, second) = (feed.update(from: base), feed.update(from: base))
        #expect(address(of: first) != nil)
        #expect(address(of: first) == address(of: second))
        #expect(first == ByteBuffer(string: "a to b"))
    }

    @Test func `a later version has encodings of its own`() {
        var feed = feed(version(1, "a"))
        let base = feed.newest
        feed.accept(version(2, "b"), ready: .zero)
        let second = feed.update(from: base)
        feed.accept(version(3, "c"), ready: .zero)
        #expect(feed.update(from: base) != second)
    }

    @Test func `a version that looks like the subscriber's is not sent, and does not use up the rate`() {
        var feed = feed(version(1, "a"))
        var subscriber = feed.subscription(rate: 50, answeredIn: nil, inRhythmWith: .zero)
        feed.accept(version(4, "b"), ready: .zero)
        feed.accept(version(7, "a"), ready: .zero)
        let retry = feed.deliver(to: &subscriber, at: .seconds(1)) { _ in Issue.record("sent") }
        #expect(retry == nil && subscriber.schedule.version == 3 && subscriber.schedule.due == .milliseconds(20))
    }

    @Test func `a subscriber that is not due waits; then it gets the newest version`() {
        var feed = feed(version(1, "a"))
        var subscriber = feed.subscription(rate: 50, answeredIn: nil, inRhythmWith: .zero)
        feed.accept(version(2, "b"), ready: .zero)
        feed.accept(version(3, "c"), ready: .zero)
        let retry = feed.deliver(to: &subscriber, at: .milliseconds(10)) { _ in Issue.record("sent") }
        #expect(retry == .milliseconds(20))
        var sent: [ByteBuffer] = []
        let next = feed.deliver(to: &subscriber, at: .milliseconds(20)) { sent.append($0) }
        #expect(next == nil)
        #expect(sent == [ByteBuffer(string: "a to c")] && subscriber.base.number == 3)
    }

    @Test func `the key frame always shows the newest picture of the client's kind`() throws {
        func picture(_ number: Int, _ rgb: UInt32) -> Numbered<Frame> {
            var frame = Frame()
            frame[0, 0] = Color(rgb)
            return Numbered(number: number, value: frame)
        }
        func drawing(_ number: Int, _ rgb: UInt32) -> FrameDelivery.Drawing {
            .init(pictures: Pictures(picture(number, rgb)), nextRedraw: .zero)
        }
        let client = Client(id: ClientID(1), output: CountingOutput(), flushes: PendingFlushes())
        var delivery = FrameDelivery(drawing(1, 1), at: .zero)
        for (number, rgb) in [(1, 1), (2, 2), (2, 2), (3, 3)] {
            let bytes = delivery.keyFrame(for: client, at: .zero) { drawing(number, UInt32(rgb)) }
            let keyFrame = try KeyFrame(json: JSONValue(parsing: bytes))
            #expect(keyFrame == KeyFrame(sequence: number, frame: picture(number, UInt32(rgb)).value))
        }
    }

    /// What subscribers of the state are sent.
    private final class StateReader {
        var delivery: StateDelivery
        private var revision = 1
        private let output = CountingOutput()
        private let client: Client

        init(_ state: InstrumentState) {
            delivery = StateDelivery(state, at: .zero)
            client = Client(id: ClientID(1), output: output, flushes: PendingFlushes())
            client.subscriptions.state = subscription(state)
        }

        /// A new subscription, when the state is this.
        func subscription(_ state: InstrumentState) -> Subscriptions.Feed<JSONValue> {
            revision += 1
            return delivery.subscribe(rate: 60, answeredIn: nil, at: .zero, revision: revision) { state }
        }

        /// The patch that the subscriber is sent, nil if none.
        func patch(to state: InstrumentState) throws -> JSONValue? {
            delivery.deliver(to: [client], at: .seconds(1), revision: revision + 1) { state }
            client.flush()
            guard let line = output.last else { return nil }
            return try JSONValue(parsing: line.readableBytesView.dropLast()).objectValue?["params"]
        }
    }

    @Test func `a state patch holds all changes since the base, across versions in between`() throws {
        var state = InstrumentState()
        let reader = StateReader(state)
        state.bpm = 130
        _ = reader.subscription(state)
        state.swing = 0.6
        #expect(try reader.patch(to: state) == ["bpm": 130, "swing": 0.6])
    }

    @Test func `a state equal to the base makes no patch, and one equal to the newest is no new version`() throws {
        var state = InstrumentState()
        let reader = StateReader(state)
        let first = reader.subscription(state)
        #expect(reader.subscription(state).base.number == first.base.number)
        state.bpm = 130
        #expect(reader.subscription(state).base.number == first.base.number + 1)
        state.bpm = 120
        #expect(reader.subscription(state).base.number == first.base.number + 2)
        #expect(try reader.patch(to: state) == nil)
    }

    @Test func `who unsubscribes from the library is owed no message about it`() {
        var subscriptions = Subscriptions()
        subscriptions.add(.library, answeredIn: nil)
        subscriptions.owed.insert(.library)
        subscriptions.remove(.library)
        #expect(subscriptions.owed.isEmpty)
    }
}
