import JSON
import NIOCore

/// A handler's result, or the work to get it.
enum Outcome {
    case now(MethodResult)
    /// A service's work.
    case later(Deferred<MethodResult>)
}

enum MethodResult: Sendable {
    case value(JSONValue)
    /// JSON that is already encoded.
    case encoded([UInt8])

    /// Appends the result as JSON.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .value(let json): bytes.appendJSON(json)
        case .encoded(let json): bytes.append(contentsOf: json)
        }
    }
}

/// A service's work off the control thread, and its completion on the control thread.
struct Deferred<Result> {
    /// Whether the client's later messages must wait for this, to see its effect.
    let holdsInput: Bool
    /// Whether it is an export: only the client's other exports wait for it.
    let isExport: Bool

    /// Work that was begun.
    struct Running {
        let result: EventLoopFuture<Result>
        fileprivate let task: Task<Void, Never>

        func cancel() { task.cancel() }
    }

    private let work: (ControlLoop) -> Running

    private init(holdingInput: Bool, isExport: Bool, work: @escaping (ControlLoop) -> Running) {
        holdsInput = holdingInput
        self.isExport = isExport
        self.work = work
    }

    /// Work of a service.
    ///
    /// - Parameters:
    ///   - request: Runs off the control thread.
    ///   - finish: Converts the service's result; runs on the control thread.
    init<Product: Sendable>(
        holdingInput: Bool = false, isExport: Bool = false,
        _ request: @escaping @Sendable (any ControlServices) async throws -> Product,
        finish: @escaping (Product) throws -> Result
    ) {
        self.init(holdingInput: holdingInput, isExport: isExport) { loop in
            let services = loop.services
            let promise = loop.eventLoop.makePromise(of: Product.self)
            let task = promise.completeWithTask { try await request(services) }
            let result = promise.futureResult.assumeIsolated().flatMapThrowing { try finish($0) }.nonisolated()
            return Running(result: result, task: task)
        }
    }

    /// Work of a service whose product is the result.
    init(
        isExport: Bool = false, _ request: @escaping @Sendable (any ControlServices) async throws -> Result
    ) where Result: Sendable {
        self.init(isExport: isExport, request) { $0 }
    }

    /// The same work, its result transformed on the control thread.
    func map<Other>(_ transform: @escaping (Result) -> Other) -> Deferred<Other> {
        Deferred<Other>(holdingInput: holdsInput, isExport: isExport) { [work] loop in
            let running = work(loop)
            let result = running.result.assumeIsolated().map(transform).nonisolated()
            return Deferred<Other>.Running(result: result, task: running.task)
        }
    }

    func start(on loop: ControlLoop) -> Running { work(loop) }
}
