import Instrument
import JSON
import Music
import Session
import Wire

/// The implementation of a method.
struct Handler: Sendable {
    let method: MethodDescription

    /// A call whose parameters have been read.
    typealias Action = @Sendable (MethodCall) throws -> Outcome

    private let read: @Sendable (Fields) throws -> Action

    private init<Parameters, Result>(
        _ method: Method<Parameters, Result>, _ body: @escaping @Sendable (MethodCall, Parameters) throws -> Outcome
    ) {
        self.method = method.description
        read = { fields in
            let parameters = try method.parameters(fields)
            return { call in try body(call, parameters) }
        }
    }

    /// A method whose handler returns the result.
    init<Parameters, Result>(
        _ method: Method<Parameters, Result>, handler: @escaping @Sendable (MethodCall, Parameters) throws -> Result
    ) {
        self.init(method) { call, parameters in
            .now(.value(method.result.json(of: try handler(call, parameters))))
        }
    }

    /// A method whose result is JSON already.
    init<Parameters, Result>(
        encoded method: Method<Parameters, Result>,
        handler: @escaping @Sendable (MethodCall, Parameters) throws -> [UInt8]
    ) {
        self.init(method) { call, parameters in .now(.encoded(try handler(call, parameters))) }
    }

    /// A method whose result a service delivers later.
    init<Parameters, Result>(
        deferred method: Method<Parameters, Result>,
        handler: @escaping @Sendable (MethodCall, Parameters) throws -> Deferred<Result>
    ) {
        self.init(method) { call, parameters in
            .later(try handler(call, parameters).map { .value(method.result.json(of: $0)) })
        }
    }

    /// A method whose result is made later, as JSON.
    init<Parameters, Result>(
        deferredEncoded method: Method<Parameters, Result>,
        handler: @escaping @Sendable (MethodCall, Parameters) throws -> Deferred<[UInt8]>
    ) {
        self.init(method) { call, parameters in .later(try handler(call, parameters).map { .encoded($0) }) }
    }

    /// Reads the parameters of a call; safe on any thread.
    func action(with parameters: Request.Parameters) throws -> Action {
        switch parameters {
        case .none: try read(Fields([:]))
        case .byName(let values): try action(with: values)
        case .byPosition: throw FieldError(field: "params", expected: "an object", got: "an array")
        }
    }

    private func action(with values: JSONObject) throws -> Action {
        guard let file = method.parameters.first(where: { $0.namesFile && values[$0.name] != nil })?.name else {
            return try read(Fields(values))
        }
        let action = Result { try read(Fields(values)) }
        return { call in
            // A client on another machine must not name files on this one.
            guard !call.client.isRemote else { throw WireError.notForRemoteClients(file) }
            return try action.get()(call)
        }
    }
}

extension WireError {
    fileprivate static func notForRemoteClients(_ parameter: String) -> WireError {
        WireError(
            .notForRemoteClients, "\(parameter) is not for remote clients: it names a file on this machine",
            data: ["parameter": .string(parameter)])
    }
}

/// The implementations of all methods of the protocol.
enum Handlers {
    /// The handlers in the order of the documentation.
    static let all: [Handler] =
        general + transport + sync + settings + notes + keys + punchIns + lenses + motions + slots + kits + midi
        + library + takes + renders
        + introspection

    static func handler(of name: String) -> Handler? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.method.name, $0) })
}

// The description of the protocol itself.
extension Handlers {
    static let introspection: [Handler] = [
        Handler(encoded: Methods.discover) { _, _ in OpenRPC.bytes }
    ]
}

/// The context of one call, as its handler sees it.
struct MethodCall {
    /// The control loop that the call runs on.
    let loop: ControlLoop
    let client: Client
    /// The line whose answer will include this call's, nil for a notification.
    let line: Int?
    /// When the call arrived.
    let now: Duration
    /// The key or controller that makes the call, nil for a client.
    var controller: MidiTrigger?

    /// Carries a command out.
    func perform(_ command: Command) throws {
        let (hand, now) = (client.isController ? nil : client.id, now)
        try loop.withSession { try $0.perform(command, by: hand, at: now) }
    }

    /// The transport as heard now.
    var transport: TransportStatus {
        let now = now
        return loop.withSession { session in
            session.catchUp(to: now)
            return session.transport
        }
    }

    func ask<Answer: Sendable>(_ question: (isolated Session) throws -> Answer) rethrows -> Answer {
        try loop.withSession(question)
    }
}
