import Grid
import JSON
import Logging
import NIOCore
import ServerSupport
import Wire

/// One client's side of the protocol: lines in, answers out, in order. It knows nothing of sockets.
///
/// Used on the control event loop only.
package final class Conversation {
    private let loop: ControlLoop
    private let output: any ClientOutput
    package let client: Client

    private var lines: LineDecoder
    private var replies = ReplyQueue()
    /// Calls that were read but not yet made.
    private var calls = CircularBuffer<PendingCall>()
    private var state = ConversationState()
    /// Exports take long: no other calls wait for them.
    private let exports: ServiceCalls
    private let otherCalls: ServiceCalls

    private struct PendingCall {
        var ticket: ReplyQueue.Ticket?
        var call: PreparedCall
    }

    /// Beyond this many bytes, answers go to the socket before the end of the turn.
    private static let flushThreshold = 65_536

    /// A conversation with a welcomed client.
    init(with client: Client, over output: any ClientOutput, on loop: ControlLoop) {
        self.client = client
        self.output = output
        self.loop = loop
        lines = LineDecoder(maximumLength: loop.settings.limits.line)
        exports = ServiceCalls(on: loop.eventLoop)
        otherCalls = ServiceCalls(on: loop.eventLoop)
    }

    /// Whether to read more; while false, input that still arrives is kept.
    package var wantsInput: Bool { state.wantsInput }

    // MARK: Input

    /// Handles bytes from the client.
    package func receive(_ bytes: ByteBuffer) {
        guard state.end != .finished else { return }
        lines.append(bytes)
        work()
        // Answers need not wait for the round that delivers the changes to other clients.
        client.flush()
    }

    /// The client will send nothing more, but is still answered.
    package func inputEnded() {
        state.inputEnded()
        work()
    }

    /// Reads lines and makes their calls until none are left or the turn is over.
    private func work() {
        let end = loop.now + loop.settings.turn
        while state.isWorking, makeProgress() {
            if loop.now >= end { endTurn() }
        }
        calls.releaseIfEmpty()
        finishIfDone()
    }

    /// Makes the next call, reading the next line if necessary; false when there is none.
    private func makeProgress() -> Bool {
        guard !calls.isEmpty || readLine() else { return false }
        // No call is ready while a long line is being read.
        if let call = calls.popFirst() { make(call) }
        return true
    }

    private func endTurn() {
        guard !state.isTurnOver, state.end != .finished else { return }
        state.turnEnded()
        loop.queue(self)
    }

    /// Continues after the others' turns.
    func beginTurn() {
        state.turnBegan()
        work()
        if wantsInput { output.resumeInput() }
    }

    /// Reads the next line; false when there is none.
    private func readLine() -> Bool {
        switch lines.next() {
        case .line(let line): read(line)
        case .tooLong: refuseLongLine()
        case nil:
            guard state.hasInputEnded, let rest = lines.rest() else { return false }
            read(rest)
        }
        return true
    }

    private func read(_ line: ByteBuffer) {
        if client.isRemote { loop.hear(client) }
        guard line.readableBytes > LongLineReader.shortest else { return enqueue(PreparedLine(reading: line)) }
        state.readingBegan()
        loop.readLong(line).assumeIsolated().whenSuccess { [self] line in
            state.readingEnded()
            enqueue(line)
            endTurn()
        }
    }

    private func enqueue(_ line: PreparedLine) {
        guard state.end != .finished else { return }
        switch line {
        case .single(let call):
            calls.append(PendingCall(ticket: call.isNotification ? nil : replies.open(), call: call))
        case .batch(let batch):
            let questions = batch.count { !$0.isNotification }
            var tickets = (questions > 0 ? replies.openBatch(of: questions) : []).makeIterator()
            for call in batch {
                calls.append(PendingCall(ticket: call.isNotification ? nil : tickets.next(), call: call))
            }
        }
    }

    private func refuseLongLine() {
        let limit = lines.maximumLength
        let error = WireError.invalidRequest("a line may have at most \(limit) bytes")
        answer(replies.open(), with: Response.bytes(id: .null, error: error))
        // Services may still be working on earlier calls, whose answers come first.
        state.lineWasTooLong()
    }

    // MARK: Calls

    private func make(_ pending: PendingCall) {
        do {
            let call = MethodCall(loop: loop, client: client, line: pending.ticket?.line, now: loop.now)
            switch try pending.call.action.get()(call) {
            case .now(let result): answer(pending, with: .success(result))
            case .later(let deferred): start(deferred, for: pending)
            }
        } catch {
            answer(pending, with: .failure(error))
        }
    }

    /// Starts a service's work after the client's earlier requests of its kind are done.
    private func start(_ deferred: Deferred<MethodResult>, for call: PendingCall) {
        state.deferredBegan(holdsInput: deferred.holdsInput)
        let queue = deferred.isExport ? exports : otherCalls
        let work = queue.last.assumeIsolated().flatMap { [self] in begin(deferred, in: queue) }
        queue.last = work.map { _ in }.recover { _ in }.nonisolated()
        work.whenComplete { [self] result in
            queue.running = nil
            state.deferredEnded(holdsInput: deferred.holdsInput)
            answer(call, with: result)
            endTurn()
        }
    }

    /// Begins work, and cancels it at once if the client is gone.
    private func begin(_ deferred: Deferred<MethodResult>, in queue: ServiceCalls) -> EventLoopFuture<MethodResult> {
        let running = deferred.start(on: loop)
        queue.running = running
        if state.end != .none { running.cancel() }
        return running.result
    }

    // MARK: Answers

    private func answer(_ pending: PendingCall, with result: Result<MethodResult, any Error>) {
        if case .failure(let error) = result { loop.log(error, calling: pending.call.method) }
        guard let ticket = pending.ticket, let id = pending.call.id else {
            if case .failure = result { loop.countNotificationError() }
            return
        }
        switch result {
        case .success(let result): answer(ticket, with: Response.bytes(id: id) { result.append(to: &$0) })
        case .failure(let error): answer(ticket, with: Response.bytes(id: id, error: WireError(error)))
        }
    }

    private func answer(_ ticket: ReplyQueue.Ticket, with bytes: [UInt8]) {
        guard state.end == .none else { return }
        replies.fill(ticket, with: bytes)
        while let reply = replies.next() {
            client.write(ByteBuffer(bytes: reply.bytes))
            if client.subscriptions.answered(line: reply.line) { loop.subscriptionsBegan() }
        }
        limitUnread()
    }

    private func limitUnread() {
        if client.unsentBytes > Conversation.flushThreshold { client.flush() }
        guard client.unsentBytes + replies.heldBytes > loop.settings.limits.unread else { return }
        loop.logger.info("client \(client.id.number) does not read its answers: disconnected")
        state.finish()
        output.abort()
    }

    // MARK: The end

    /// The connection has closed. Earlier calls are still carried out, except exports.
    package func connectionClosed() {
        for queue in [exports, otherCalls] { queue.running?.cancel() }
        loop.renders.forget(client)
        guard state.end != .finished else { return loop.detach(client) }
        state.connectionClosed()
        client.subscriptions = Subscriptions()
        work()
    }

    private func finishIfDone() {
        guard calls.isEmpty, state.isDone else { return }
        let isGone = state.end == .gone
        state.finish()
        guard !isGone else { return loop.detach(client) }
        client.flush()
        output.finish(lingering: state.isCutOff)
    }
}

/// A client's calls on which services work one after the other.
private final class ServiceCalls {
    /// Fulfilled when the last of them is done.
    var last: EventLoopFuture<Void>
    /// The running one.
    var running: Deferred<MethodResult>.Running?

    init(on eventLoop: any EventLoop) {
        last = eventLoop.makeSucceededVoidFuture()
    }
}

extension CircularBuffer {
    /// Capacity up to this is kept.
    private static var keptCapacity: Int { 64 }

    /// Frees the memory that a burst took.
    mutating func releaseIfEmpty() {
        if isEmpty, capacity > CircularBuffer.keptCapacity { self = CircularBuffer() }
    }
}
