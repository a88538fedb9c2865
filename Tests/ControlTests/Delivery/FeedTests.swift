import Grid
import JSON
import NIOCore
import Testing
import Wire

@testable import Control
@testable import Session

struct FeedTests {
    private func picture(_ sequence: Int, _ rgb: UInt32) -> NumberedFrame {
        var frame = Frame()
        frame[0, 0] = Color(rgb)
        return NumberedFrame(sequence: sequence, frame: frame)
    }

    private func address(of buffer: ByteBuffer?) -> UnsafeRawPointer? {
        buffer?.withUnsafeReadableBytes { $0.baseAddress }
    }

    private func notification(_ line: ByteBuffer?) throws -> DaemonNotification? {
        let messages = try DaemonMessage.messages(parsing: try #require(line).readableBytesView.dropLast())
        #expect(messages.count == 1)
        return if case .notification(let notification) = messages.first { notification } else { nil }
    }

    @Test func `subscribers with the same base share one encoding`() throws {
        var feed = FrameFeed(picture(1, 1), ready: .zero)
        let base = feed.newest
        feed.accept(picture(2, 2), ready: .zero)
        let (first, second) = (feed.update(from: base), feed.update(from: base))
        #expect(address(of: first) != nil)
        #expect(address(of: first) == address(of: second))
        #expect(
            try notification(first)?.message()
                == FrameUpdate(sequence: 2, base: 1, changes: [.init(index: 0, value: 2)]))
    }

    @Test func `a later picture has encodings of its own`() {
        var feed = FrameFeed(picture(1, 1), ready: .zero)
        let base = feed.newest
        feed.accept(picture(2, 2), ready: .zero)
        let second = feed.update(from: base)
        feed.accept(picture(3, 3), ready: .zero)
        #expect(feed.update(from: base) != second)
    }

    @Test func `a picture that looks like the base makes no update`() {
        var feed = FrameFeed(picture(1, 1), ready: .zero)
        let base = feed.newest
        feed.accept(picture(2, 2), ready: .zero)
        feed.accept(picture(3, 1), ready: .zero)
        #expect(feed.update(from: base) == nil)
    }

    @Test func `the key frame always shows the newest picture`() throws {
        var feed = FrameFeed(picture(1, 1), ready: .zero)
        #expect(try KeyFrame(json: JSONValue(parsing: feed.keyFrameBytes())).sequence == 1)
        feed.accept(picture(2, 2), ready: .zero)
        let keyFrame = try KeyFrame(json: JSONValue(parsing: feed.keyFrameBytes()))
        #expect(keyFrame == KeyFrame(sequence: 2, frame: feed.newest.frame))
    }

    @Test func `a state patch holds all changes since the base, across versions in between`() throws {
        var state = InstrumentState()
        var feed = StateFeed(state, ready: .zero)
        let base = feed.newest
        state.bpm = 130
        feed.accept(state, ready: .zero)
        state.swing = 0.6
        feed.accept(state, ready: .zero)
        guard case .state(["bpm": 130, "swing": 0.6]) = try notification(feed.patch(from: base)) else {
            Issue.record("another patch")
            return
        }
    }

    @Test func `a state equal to the base makes no patch, and one equal to the newest is no new version`() {
        var state = InstrumentState()
        var feed = StateFeed(state, ready: .zero)
        let base = feed.newest
        feed.accept(state, ready: .zero)
        #expect(feed.newest.number == base.number)
        state.bpm = 130
        feed.accept(state, ready: .zero)
        state.bpm = 120
        feed.accept(state, ready: .zero)
        #expect(feed.newest.number == base.number + 2)
        #expect(feed.patch(from: base) == nil)
    }

    @Test func `who unsubscribes from the library is owed no message about it`() {
        var subscriptions = Subscriptions()
        subscriptions.add(.library, answeredIn: nil)
        subscriptions.owesLibrary = true
        subscriptions.remove(.library)
        #expect(!subscriptions.owesLibrary)
    }
}
