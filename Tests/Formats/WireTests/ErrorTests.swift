import JSON
import Testing
import Wire

struct ErrorTests {
    @Test(arguments: [
        (ErrorCode.parseError, -32700), (.invalidRequest, -32600), (.methodNotFound, -32601),
        (.invalidParams, -32602), (.internalError, -32603), (.notFound, -32001), (.noAudio, -32002),
        (.storage, -32003), (.tooManyClients, -32004), (.followsOutside, -32005), (.heldByAnother, -32006),
        (.notForRemoteClients, -32007), (.other(-1), -1),
    ])
    func `each error has its number, and each number its error`(code: ErrorCode, number: Int) {
        #expect(code.number == number)
        #expect(ErrorCode(number: number) == code)
    }

    @Test func `a wrong parameter is named to people and to programs`() throws {
        let kind = Kind<Double>.number(in: 20...300)
        let error = try #require(throws: FieldError.self) { try kind.value(of: "fast", field: "bpm") }
        #expect(WireError(error).message == #"bpm: expected a number from 20 to 300, got "fast""#)
        #expect(
            WireError(error).data
                == ["parameter": "bpm", "expected": "a number from 20 to 300", "got": "\"fast\""])
    }

    @Test func `a written error is read back`() throws {
        let error = WireError.methodNotFound("dance")
        let messages = try DaemonMessage.messages(parsing: Response.bytes(id: .integer(3), error: error))
        let response = Response(id: .integer(3), result: .failure(error))
        guard messages.count == 1, case .response(response) = messages[0] else {
            Issue.record("\(messages)")
            return
        }
    }

    @Test func `quotes of a client's text are short, whatever it sent`() throws {
        let long = String(repeating: "\u{301}", count: 100_000)
        let error = try #require(throws: FieldError.self) {
            try Kind<Bool>.boolean.value(of: .string(long), field: "on")
        }
        #expect(error.message.utf8.count < 200)
        #expect(WireError.methodNotFound(long).data?.text.utf8.count ?? 0 < 400)
    }
}
