import Control
import NIOCore

/// A client in the same process, straight at the conversation.
final class DirectTransport: TestTransport {
    let lines: AsyncStream<[UInt8]>
    private let eventLoop: any EventLoop
    private let output: NIOLoopBound<DirectOutput>

    private init(lines: AsyncStream<[UInt8]>, eventLoop: any EventLoop, output: NIOLoopBound<DirectOutput>) {
        self.lines = lines
        self.eventLoop = eventLoop
        self.output = output
    }

    static func attach(to control: ControlCore) async throws -> DirectTransport {
        let (eventLoop, loop) = (control.eventLoop, control.loop)
        let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
        let output = try await eventLoop.submit {
            let output = DirectOutput(continuation, on: loop.value)
            output.conversation = loop.value.attach(output)
            return NIOLoopBound(output, eventLoop: eventLoop)
        }.get()
        return DirectTransport(lines: lines, eventLoop: eventLoop, output: output)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await eventLoop.submit { [output] in
            output.value.conversation?.receive(ByteBuffer(bytes: bytes))
            output.value.loop.schedulePass()
        }.get()
    }

    func endInput() async throws {
        try await eventLoop.submit { [output] in output.value.conversation?.inputEnded() }.get()
    }

    func close() async {
        try? await eventLoop.submit { [output] in output.value.abort() }.get()
    }
}

private final class DirectOutput: ClientOutput {
    let loop: ControlLoop
    var conversation: Conversation?
    let isBlocked = false
    let unsentBytes = 0
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(_ continuation: AsyncStream<[UInt8]>.Continuation, on loop: ControlLoop) {
        self.continuation = continuation
        self.loop = loop
    }

    func write(_ lines: ByteBuffer) {
        for line in lines.readableBytesView.split(separator: UInt8(ascii: "\n")) { continuation.yield(Array(line)) }
    }

    func send(_ line: ByteBuffer) { write(line) }

    func flush() {}

    func resumeInput() {}

    func finish(lingering: Bool) { abort() }

    func abort() {
        continuation.finish()
        guard let conversation else { return }
        conversation.connectionClosed()
        loop.detach(conversation.client)
        self.conversation = nil
    }
}
