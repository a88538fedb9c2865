import Engine
import Instrument
import Logging
import Music
import NIOCore
import Session
import Wire

@testable import Control

/// The control core of one input, with a session of its own. Used on its event loop.
struct ControlRig {
    let loop: ControlLoop
    let session: Session

    /// A control core whose engine has a driver.
    ///
    /// - Parameter turn: How long one client may keep the others waiting.
    init(
        on eventLoop: any EventLoop, _ engine: Engine, _ document: Document = Document(),
        turn: Duration = .milliseconds(1)
    ) {
        session = Session(executor: eventLoop.executor, engine: engine, document: document)
        var settings = ControlCore.Settings(version: "1.2.3")
        settings.turn = turn
        loop = ControlLoop(
            on: eventLoop, session: session, services: TestServices(), settings: settings,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }, didPass: {})
        setAudio(AudioState(status: .running, rate: 48_000, period: 64))
    }

    func setAudio(_ state: AudioState, _ connections: PortConnections = [:]) {
        session.assumeIsolated { $0.audioChanged(to: state, connections: connections, at: ControlClock.now) }
    }

    /// A new client.
    func attach(_ output: any ClientOutput) -> Conversation {
        guard let conversation = loop.attach(output) else { fatalError("a client is refused") }
        return conversation
    }

    /// A client is gone.
    func detach(_ conversation: Conversation) {
        conversation.connectionClosed()
        loop.detach(conversation.client)
    }
}

extension EventLoop {
    /// Does something on the event loop, and waits for it.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        do {
            return try submit(body).wait()
        } catch {
            fatalError("the event loop ended: \(error)")
        }
    }
}

/// An output that checks every line against the protocol.
final class CheckedOutput: ClientOutput {
    let isBlocked = false
    let unsentBytes = 0
    /// Called with each answer.
    private let onAnswer: (Response) -> Void
    /// Called when the connection is closed.
    private let onEnd: () -> Void

    init(onAnswer: @escaping (Response) -> Void, onEnd: @escaping () -> Void = {}) {
        (self.onAnswer, self.onEnd) = (onAnswer, onEnd)
    }

    func send(_ lines: ByteBuffer) {
        for line in lines.readableBytesView.split(separator: UInt8(ascii: "\n")) { check(line) }
    }

    private func check(_ line: ByteBufferView) {
        guard let messages = try? DaemonMessage.messages(parsing: line) else {
            return require(false, "no message of the protocol: \(String(decoding: line, as: UTF8.self))")
        }
        for case .response(let response) in messages {
            if case .failure(let error) = response.result {
                require(error.code != .internalError, "an internal error: \(error.message)")
            }
            onAnswer(response)
        }
    }

    func resumeInput() {}
    func finish(lingering: Bool) { onEnd() }
    func abort() { onEnd() }
}
