import Dispatch
import Engine
import Music
import NIOCore
import NIOPosix
import Session
import Wire

@testable import Control

/// The control protocol: whatever a client sends, fed directly to the conversation, with a session of its own.
struct LineTarget: FuzzTarget {
    private static let lastID = "the end of the input"
    /// Answered after everything else.
    private static let lastQuestion = #"{"jsonrpc":"2.0","method":"ping","id":"\#(lastID)"}"#

    private let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    private let engine = Engine(score: Score(Document()))

    func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        let isDone = DispatchSemaphore(value: 0)
        let bound = eventLoop.perform { [engine, eventLoop] in
            let rig = ControlRig(on: eventLoop, engine)
            let output = CheckedOutput(
                onAnswer: { if $0.id == .string(Self.lastID) { isDone.signal() } }, onEnd: { isDone.signal() })
            let conversation = rig.attach(output)
            // In two pieces, because sockets split anywhere.
            conversation.receive(ByteBuffer(bytes: bytes.prefix(bytes.count / 2)))
            conversation.receive(ByteBuffer(bytes: bytes.dropFirst(bytes.count / 2)))
            conversation.receive(ByteBuffer(bytes: Array("\n\(Self.lastQuestion)\n".utf8)))
            return NIOLoopBound((rig: rig, conversation: conversation), eventLoop: eventLoop)
        }
        isDone.wait()
        eventLoop.perform {
            let (rig, conversation) = bound.value
            rig.session.assumeIsolated {
                let now = ControlClock.now
                $0.advance(to: now)
                _ = $0.pictures(at: now)
                Rules.check($0.document)
                Rules.checkMelody($0.document.pattern)
                Rules.checkHistory($0.document)
            }
            rig.detach(conversation)
            rig.loop.stop()
        }
        while engine.nextNotice() != nil {}
    }
}
