import ControlTestSupport
import JSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct SpecificationTests {
    /// The specification's server has methods that the daemon lacks; instead of their results the daemon returns the
    /// error for that.
    @Test(arguments: Reach.allCases, SpecificationExample.all)
    func `the specification's example is answered as specified`(reach: Reach, example: SpecificationExample)
        async throws
    {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.send(example.sent.replacing("\n", with: " "))
            if let answer = example.answer {
                let expected = try JSONValue(parsing: answer).withoutTheExamplesMethods
                #expect(try await client.json().withoutErrorData == expected)
            }
            // If no answer is due, none comes before this one.
            #expect(try await client.call("ping") == [:])
        }
    }
}

extension JSONValue {
    /// An answer, or a batch of them, as from a server without the examples' methods.
    fileprivate var withoutTheExamplesMethods: JSONValue {
        mapAnswers { answer in
            guard answer["result"] != nil else { return }
            answer["result"] = nil
            answer["error"] = ["code": -32601, "message": "Method not found"]
        }
    }

    /// An answer, or a batch of them, without the data that the daemon adds to errors.
    fileprivate var withoutErrorData: JSONValue {
        mapAnswers { answer in
            guard var error = answer["error"]?.objectValue else { return }
            error["data"] = nil
            answer["error"] = .object(error)
        }
    }

    private func mapAnswers(_ change: (inout JSONObject) -> Void) -> JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.mapAnswers(change) })
        case .object(var object):
            change(&object)
            return .object(object)
        default: return self
        }
    }
}
