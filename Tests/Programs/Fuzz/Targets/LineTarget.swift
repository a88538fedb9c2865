import Dispatch
import Engine
import Instrument
import Logging
import Music
import NIOCore
import NIOPosix
import Session
import Wire

@testable import Control

/// The control protocol: whatever a client sends, fed directly to the conversation, with a session of its own.
struct LineTarget: FuzzTarget {
    private let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    private let engine = Engine(score: Score(Document()))

    func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        let isDone = DispatchSemaphore(value: 0)
        let conversation = onLoop { [engine, eventLoop] in
            let document = Document()
            let session = Session(executor: eventLoop.executor, engine: engine, document: document)
            session.assumeIsolated {
                $0.audioChanged(
                    to: AudioState(status: .running, rate: 48_000, period: 64), at: ControlClock.now)
            }
            let loop = ControlLoop(
                on: eventLoop, session: session, services: TestServices(),
                settings: ControlCore.Settings(version: "1.2.3"),
                logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }, didPass: {})
            let output = CheckedOutput { isDone.signal() }
            guard let conversation = loop.attach(output) else { fatalError("the first client is refused") }
            // In two pieces, because sockets split anywhere.
            conversation.receive(ByteBuffer(bytes: bytes.prefix(bytes.count / 2)))
            conversation.receive(ByteBuffer(bytes: bytes.dropFirst(bytes.count / 2)))
            conversation.receive(ByteBuffer(bytes: Array("\n\(CheckedOutput.lastQuestion)\n".utf8)))
            return NIOLoopBound((loop: loop, conversation: conversation, session: session), eventLoop: eventLoop)
        }
        isDone.wait()
        onLoop {
            let (loop, conversation, session) = conversation.value
            session.assumeIsolated {
                let now = ControlClock.now
                $0.advance(to: now)
                _ = $0.pictures(at: now)
                Rules.check($0.document)
                Rules.checkMelody($0.document.pattern)
                Rules.checkHistory($0.document)
            }
            conversation.connectionClosed()
            loop.detach(conversation.client)
            loop.stop()
        }
        while engine.nextNotice() != nil {}
    }

    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        do {
            return try eventLoop.submit(body).wait()
        } catch {
            fatalError("the event loop ended: \(error)")
        }
    }
}

/// An output that checks every answer against the protocol.
private final class CheckedOutput: ClientOutput {
    static let lastID = "the end of the input"
    /// Answered after everything else.
    static let lastQuestion = #"{"jsonrpc":"2.0","method":"ping","id":"\#(lastID)"}"#

    let isBlocked = false
    let unsentBytes = 0
    /// Called when the last question is answered or the connection is closed.
    private let atEnd: () -> Void

    init(atEnd: @escaping () -> Void) {
        self.atEnd = atEnd
    }

    func write(_ lines: ByteBuffer) {
        for line in lines.readableBytesView.split(separator: UInt8(ascii: "\n")) { check(line) }
    }

    func send(_ line: ByteBuffer) { write(line) }

    private func check(_ line: ByteBufferView) {
        guard let messages = try? DaemonMessage.messages(parsing: line) else {
            require(false, "no message of the protocol: \(String(decoding: line, as: UTF8.self))")
            return
        }
        for case .response(let response) in messages {
            if case .failure(let error) = response.result {
                require(error.code != .internalError, "an internal error: \(error.message)")
            }
            if response.id == .string(Self.lastID) { atEnd() }
        }
    }

    func flush() {}
    func resumeInput() {}
    func finish(lingering: Bool) { atEnd() }
    func abort() { atEnd() }
}
