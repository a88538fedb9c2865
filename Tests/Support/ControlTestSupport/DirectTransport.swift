import Control
import Grid
import NIOCore

/// A client in the same process, connected directly to the conversation.
package final class DirectTransport: TestTransport {
    package let lines: AsyncStream<[UInt8]>
    private let eventLoop: any EventLoop
    private let output: NIOLoopBound<DirectOutput>

    private init(lines: AsyncStream<[UInt8]>, eventLoop: any EventLoop, output: NIOLoopBound<DirectOutput>) {
        self.lines = lines
        self.eventLoop = eventLoop
        self.output = output
    }

    /// - Parameter didSend: Called with the client's number for each line sent to it.
    static func attach(
        to control: ControlCore, didSend: @escaping @Sendable (Int) -> Void
    ) async throws -> DirectTransport {
        let (eventLoop, loop) = (control.eventLoop, control.loop)
        let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
        let output = try await eventLoop.submit {
            let output = DirectOutput(continuation, on: loop.value, didSend: didSend)
            output.conversation = loop.value.attach(output)
            return NIOLoopBound(output, eventLoop: eventLoop)
        }.get()
        return DirectTransport(lines: lines, eventLoop: eventLoop, output: output)
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await eventLoop.submit { [output] in
            output.value.conversation?.receive(ByteBuffer(bytes: bytes))
            output.value.loop.schedulePass()
        }.get()
    }

    /// Delivers the bytes of several clients, one after the other, before the server can do anything else.
    ///
    /// - Returns: How many lines each was sent meanwhile.
    package static func sendTogether(_ messages: [(DirectTransport, [UInt8])]) async throws -> [Int] {
        try await messages[0].0.eventLoop.submit {
            let before = messages.map { $0.0.output.value.lineCount }
            for (transport, bytes) in messages {
                transport.output.value.conversation?.receive(ByteBuffer(bytes: bytes))
            }
            messages[0].0.output.value.loop.schedulePass()
            return zip(messages, before).map { $0.0.output.value.lineCount - $1 }
        }.get()
    }

    package func endInput() async throws {
        try await eventLoop.submit { [output] in output.value.conversation?.inputEnded() }.get()
    }

    package func close() async {
        try? await eventLoop.submit { [output] in output.value.abort() }.get()
    }
}

private final class DirectOutput: ClientOutput {
    let loop: ControlLoop
    var conversation: Conversation?
    let isBlocked = false
    let unsentBytes = 0
    private let continuation: AsyncStream<[UInt8]>.Continuation
    /// How many lines the server has sent.
    private(set) var lineCount = 0

    private let didSend: (Int) -> Void

    init(
        _ continuation: AsyncStream<[UInt8]>.Continuation, on loop: ControlLoop, didSend: @escaping (Int) -> Void
    ) {
        self.continuation = continuation
        self.didSend = didSend
        self.loop = loop
    }

    func write(_ lines: ByteBuffer) {
        for line in lines.readableBytesView.split(separator: UInt8(ascii: "\n")) {
            lineCount += 1
            if let conversation { didSend(conversation.client.id.number) }
            continuation.yield(Array(line))
        }
    }

    func send(_ line: ByteBuffer) { write(line) }

    func flush() {}

    func resumeInput() {}

    func finish(lingering: Bool) { abort() }

    func abort() {
        continuation.finish()
        guard let conversation else { return }
        self.conversation = nil
        conversation.connectionClosed()
    }
}
