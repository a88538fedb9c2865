import JSON
import Lines
import Logging
import NIOCore
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
    /// Calls that were read and not yet made.
    private var calls = CircularBuffer<PendingCall>()
    /// Calls that services are working on.
    private var deferredCount = 0
    /// When the last of them is done.
    private var lastDeferred: EventLoopFuture<Void>
    /// How many of them later calls must wait for.
    private var holdCount = 0
    private var isTurnOver = false
    private var hasInputEnded = false
    private var isFinished = false

    private struct PendingCall {
        var ticket: ReplyQueue.Ticket?
        var call: IncomingCall
    }

    /// Calls that are made before other clients get their turn.
    private static let callsPerTurn = 256
    /// Calls that services may work on at once for a client.
    private static let maximumDeferred = 16
    /// Bytes of answers that are handed to the socket without waiting for the end of the turn.
    private static let flushThreshold = 65_536

    /// A conversation with a client that was welcomed.
    init(with client: Client, over output: any ClientOutput, on loop: ControlLoop) {
        self.client = client
        self.output = output
        self.loop = loop
        lines = LineDecoder(maximumLength: loop.settings.limits.line)
        lastDeferred = loop.eventLoop.makeSucceededVoidFuture()
    }

    /// Whether more input can be taken; when false, what comes is kept all the same.
    package var wantsInput: Bool {
        holdCount == 0 && deferredCount < Conversation.maximumDeferred && !isTurnOver
    }

    // MARK: Input

    /// Takes bytes from the client.
    package func receive(_ bytes: ByteBuffer) {
        guard !isFinished else { return }
        lines.append(bytes)
        work()
    }

    /// Notes that the client will send no more; it is still answered.
    package func inputEnded() {
        hasInputEnded = true
        work()
    }

    /// Reads lines and makes their calls until there is nothing left or others must come first.
    private func work() {
        var budget = Conversation.callsPerTurn
        while wantsInput, !isFinished {
            if let call = calls.popFirst() {
                make(call)
                budget -= 1
                if budget == 0 { endTurn() }
            } else if !readLine() {
                break
            }
        }
        calls.releaseIfEmpty()
        finishIfDone()
    }

    private func endTurn() {
        isTurnOver = true
        loop.eventLoop.assumeIsolated().execute { [self] in
            isTurnOver = false
            resume()
        }
    }

    private func resume() {
        work()
        if wantsInput, !isFinished { output.resumeInput() }
    }

    /// Reads the next line; false when there is none.
    private func readLine() -> Bool {
        switch lines.next() {
        case .line(let line): read(line)
        case .tooLong: refuseLongLine()
        case nil:
            guard hasInputEnded, let rest = lines.rest() else { return false }
            read(rest)
        }
        return true
    }

    private func read(_ line: ByteBuffer) {
        do throws(WireError) {
            switch try IncomingLine(parsing: line.readableBytesView) {
            case .single(let call): enqueue(call)
            case .batch(let batch): enqueue(batch)
            }
        } catch {
            answer(replies.open(), with: Response.bytes(id: .null, error: error))
        }
    }

    private func enqueue(_ call: IncomingCall) {
        calls.append(PendingCall(ticket: call.wantsAnswer ? replies.open() : nil, call: call))
    }

    private func enqueue(_ batch: [IncomingCall]) {
        let questions = batch.count { $0.wantsAnswer }
        var tickets = (questions > 0 ? replies.openBatch(of: questions) : []).makeIterator()
        for call in batch {
            calls.append(PendingCall(ticket: call.wantsAnswer ? tickets.next() : nil, call: call))
        }
    }

    private func refuseLongLine() {
        let limit = lines.maximumLength
        let error = WireError.invalidRequest("a line may have at most \(limit) bytes")
        answer(replies.open(), with: Response.bytes(id: .null, error: error))
        finish(lingering: true)
    }

    // MARK: Calls

    private func make(_ pending: PendingCall) {
        switch pending.call {
        case .invalid(let id, let error):
            guard let ticket = pending.ticket else { return }
            answer(ticket, with: Response.bytes(id: id, error: error))
        case .call(let request):
            make(request, answeringTo: pending.ticket)
        }
    }

    private func make(_ request: Request, answeringTo ticket: ReplyQueue.Ticket?) {
        do {
            guard let method = MethodTable.method(named: request.method) else {
                throw WireError.methodNotFound(request.method)
            }
            let call = Call(loop: loop, client: client, line: ticket?.line, now: loop.now)
            switch try method.invoke(call, with: request.parameters) {
            case .now(let result): answer(request, ticket, with: .success(result))
            case .later(let deferred): start(deferred, for: request, answeringTo: ticket)
            }
        } catch {
            answer(request, ticket, with: .failure(error))
        }
    }

    /// Starts work of a service, after the work that this client asked for before.
    private func start(_ deferred: Deferred, for request: Request, answeringTo ticket: ReplyQueue.Ticket?) {
        deferredCount += 1
        if deferred.holdsInput { holdCount += 1 }
        let work = lastDeferred.assumeIsolated().flatMap { [loop] in deferred.start(on: loop) }
        lastDeferred = work.map { _ in }.recover { _ in }.nonisolated()
        work.whenComplete { [self] result in
            deferredCount -= 1
            if deferred.holdsInput { holdCount -= 1 }
            answer(request, ticket, with: result)
            loop.schedulePass()
            resume()
        }
    }

    // MARK: Answers

    private func answer(
        _ request: Request, _ ticket: ReplyQueue.Ticket?, with result: Result<MethodResult, any Error>
    ) {
        if case .failure(let error) = result { loop.log(error, calling: request.method) }
        guard let ticket, let id = request.id else {
            if case .failure = result { loop.countNotificationError() }
            return
        }
        switch result {
        case .success(let result): answer(ticket, with: Response.bytes(id: id) { result.append(to: &$0) })
        case .failure(let error): answer(ticket, with: Response.bytes(id: id, error: WireError(error)))
        }
    }

    private func answer(_ ticket: ReplyQueue.Ticket, with bytes: [UInt8]) {
        guard !isFinished else { return }
        replies.fill(ticket, with: bytes)
        while let reply = replies.next() {
            client.write(ByteBuffer(bytes: reply.bytes))
            if client.subscriptions.answered(line: reply.line) { loop.subscribersChanged() }
        }
        limitUnread()
    }

    private func limitUnread() {
        if output.unsentBytes > Conversation.flushThreshold { client.flush() }
        guard output.unsentBytes + replies.heldBytes > loop.settings.limits.unread else { return }
        loop.logger.info("client \(client.id.number) does not read its answers: disconnected")
        isFinished = true
        output.abort()
    }

    // MARK: The end

    /// Notes that the connection is gone.
    package func connectionClosed() {
        isFinished = true
        calls.removeAll()
    }

    private func finishIfDone() {
        guard hasInputEnded, !isFinished, calls.isEmpty, deferredCount == 0, !isTurnOver else { return }
        finish(lingering: false)
    }

    private func finish(lingering: Bool) {
        isFinished = true
        calls.removeAll()
        client.flush()
        output.finish(lingering: lingering)
    }
}

extension CircularBuffer {
    /// Room for this many elements is kept for the next ones.
    private static var keptCapacity: Int { 64 }

    /// Gives memory back that a burst took.
    mutating func releaseIfEmpty() {
        if isEmpty, capacity > CircularBuffer.keptCapacity { self = CircularBuffer() }
    }
}

extension IncomingCall {
    /// Whether there must be an answer: to every call but a well-formed notification.
    fileprivate var wantsAnswer: Bool {
        switch self {
        case .call(let request): !request.isNotification
        case .invalid: true
        }
    }
}
