import JSON
import NIOCore

/// What a method returned.
enum Outcome {
    case now(MethodResult)
    /// Something that a service works on.
    case later(Deferred)

    /// `{}`
    static var nothing: Outcome { .now(.nothing) }

    /// An object.
    static func value(_ object: JSONObject) -> Outcome { .now(.value(object)) }

    /// JSON that was encoded before.
    static func encoded(_ json: [UInt8]) -> Outcome { .now(.encoded(json)) }
}

/// The result of a method that is done.
enum MethodResult: Sendable {
    case value(JSONObject)
    case list([JSONValue])
    /// JSON that was encoded before.
    case encoded([UInt8])

    /// `{}`
    static let nothing = MethodResult.value([:])

    /// Appends the result as JSON.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .value(let object): bytes.appendJSON(object)
        case .list(let elements): bytes.appendJSON(elements)
        case .encoded(let json): bytes.append(contentsOf: json)
        }
    }
}

/// Work of a service, off the control thread, and what follows it on the control thread.
struct Deferred {
    /// Whether the client's later messages must see what this does, and so wait for it.
    let holdsInput: Bool

    /// Work that was begun.
    struct Running {
        let result: EventLoopFuture<MethodResult>
        fileprivate let task: Task<Void, Never>

        /// Tells the service that nobody wants the result any more.
        func cancel() { task.cancel() }
    }

    private let work: (ControlLoop) -> Running

    /// Work of a service.
    ///
    /// - Parameters:
    ///   - request: Runs off the control thread.
    ///   - finish: Makes the result of what the service returned; runs on the control thread.
    init<Product: Sendable>(
        holdingInput: Bool = false, _ request: @escaping @Sendable (any ControlServices) async throws -> Product,
        finish: @escaping (Product) throws -> MethodResult
    ) {
        holdsInput = holdingInput
        work = { loop in
            let services = loop.services
            let promise = loop.eventLoop.makePromise(of: Product.self)
            let task = promise.completeWithTask { try await request(services) }
            let result = promise.futureResult.assumeIsolated().flatMapThrowing { try finish($0) }.nonisolated()
            return Running(result: result, task: task)
        }
    }

    /// Starts the work.
    func start(on loop: ControlLoop) -> Running { work(loop) }
}
