import JSON

/// The calls that wait for their answers, by id.
///
/// A call is registered by `reserve` before it waits, so that an early cancellation is not lost; a late one finds
/// nothing. The owner resumes what the methods return.
struct PendingCalls {
    typealias Answer = CheckedContinuation<JSONValue, any Error>

    /// A caller that need not wait any longer.
    struct Resumption: Sendable {
        let answer: Answer
        let result: Result<JSONValue, any Error>

        func perform() { answer.resume(with: result) }
    }

    private enum Call {
        case reserved
        case cancelled
        case waiting(Answer)
    }

    private var calls: [Int: Call] = [:]
    private var nextID = 1

    var isEmpty: Bool { calls.isEmpty }

    /// The id of a new call.
    mutating func reserve() -> Int {
        let id = reserveUnanswered()
        calls[id] = .reserved
        return id
    }

    /// An id for a call whose answer is ignored.
    mutating func reserveUnanswered() -> Int {
        defer { nextID += 1 }
        return nextID
    }

    /// The call waits now; nil unless it was cancelled before.
    mutating func wait(_ id: Int, _ answer: Answer) -> Resumption? {
        if case .cancelled = calls[id] {
            calls[id] = nil
            return Resumption(answer: answer, result: .failure(CancellationError()))
        }
        calls[id] = .waiting(answer)
        return nil
    }

    /// The caller has cancelled the call.
    mutating func cancel(_ id: Int) -> Resumption? {
        switch calls[id] {
        case .reserved:
            calls[id] = .cancelled
            return nil
        case .waiting(let answer):
            calls[id] = nil
            return Resumption(answer: answer, result: .failure(CancellationError()))
        case .cancelled, nil: return nil
        }
    }

    /// Ends a call with its answer; nil when none waits for it.
    mutating func complete(_ id: Int, _ result: Result<JSONValue, any Error>) -> Resumption? {
        guard case .waiting(let answer) = calls[id] else { return nil }
        calls[id] = nil
        return Resumption(answer: answer, result: result)
    }

    /// The connection has ended.
    mutating func failAll(_ error: ClientError) -> [Resumption] {
        let resumptions = calls.values.compactMap { call -> Resumption? in
            guard case .waiting(let answer) = call else { return nil }
            return Resumption(answer: answer, result: .failure(error))
        }
        calls = calls.filter { if case .waiting = $0.value { false } else { true } }
        return resumptions
    }
}
