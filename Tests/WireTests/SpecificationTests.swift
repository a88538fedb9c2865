import JSON
import TestSupport
import Testing
import Wire

struct SpecificationTests {
    @Test(arguments: SpecificationExample.all)
    func `the specification's example is answered as specified`(_ example: SpecificationExample) throws {
        let answer = try ExampleServer.answer(to: example.sent).map { try JSONValue(parsing: $0).withoutErrorData }
        #expect(try answer == example.answer.map { try JSONValue(parsing: $0) })
    }
}

/// The server of the specification's examples: reads and answers as the daemon does, with other methods.
enum ExampleServer {
    static func answer(to line: String) -> [UInt8]? {
        let incoming: IncomingLine
        do {
            incoming = try IncomingLine(parsing: line.utf8)
        } catch {
            return Response.bytes(id: .null, error: error)
        }
        switch incoming {
        case .single(let call): return answer(to: call)
        case .batch(let calls):
            let answers = calls.compactMap(answer(to:))
            return answers.isEmpty ? nil : [0x5b] + answers.joined(separator: [0x2c]) + [0x5d]
        }
    }

    private static func answer(to call: IncomingCall) -> [UInt8]? {
        switch call {
        case .invalid(let id, let error): Response.bytes(id: id, error: error)
        case .call(let request): request.id.map { Response(id: $0, result: result(of: request)).bytes }
        }
    }

    private static func result(of request: Request) -> Result<JSONValue, WireError> {
        switch request.method {
        case "subtract": .success(.integer(difference(request.parameters)))
        case "sum": .success(.integer(numbers(request.parameters).reduce(0, +)))
        case "get_data": .success(["hello", 5])
        default: .failure(.methodNotFound(request.method))
        }
    }

    private static func numbers(_ parameters: Request.Parameters) -> [Int] {
        guard case .byPosition(let values) = parameters else { return [] }
        return values.compactMap(\.intValue)
    }

    private static func difference(_ parameters: Request.Parameters) -> Int {
        if case .byName(let values) = parameters {
            return (values["minuend"]?.intValue ?? 0) - (values["subtrahend"]?.intValue ?? 0)
        }
        let numbers = numbers(parameters)
        return numbers[0] - numbers[1]
    }
}

extension JSONValue {
    /// An answer, or a batch of them, without what the daemon adds to the examples' errors for programs.
    fileprivate var withoutErrorData: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.withoutErrorData))
        case .object(var object):
            guard var error = object["error"]?.objectValue else { return self }
            error["data"] = nil
            object["error"] = .object(error)
            return .object(object)
        default: return self
        }
    }
}
