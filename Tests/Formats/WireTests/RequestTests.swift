import JSON
import Testing
import Wire

struct RequestTests {
    @Test(
        "an id of any valid type comes back as sent",
        arguments: [
            (#"1"#, RequestID.integer(1)), ("-7", .integer(-7)), ("0", .integer(0)),
            ("9223372036854775807", .integer(Int.max)), ("1.5", .number(1.5)), (#""""#, .string("")),
            (#""a\"b\u00e9""#, .string("a\"bé")), ("null", .null),
        ])
    func ids(text: String, id: RequestID) throws {
        let line = #"{"jsonrpc":"2.0","method":"ping","id":\#(text)}"#
        #expect(try IncomingLine(parsing: line.utf8) == .single(.call(Request(id: id, method: "ping"))))
        let answer = try JSONValue(parsing: Response.bytes(id: id) { $0.appendJSON(JSONValue.object([:])) })
        #expect(try answer.objectValue?["id"] == JSONValue(parsing: text))
    }

    @Test(arguments: [
        ("", Request.Parameters.none), (#","params":[42,23]"#, .byPosition([42, 23])),
        (#","params":{"minuend":42}"#, .byName(["minuend": 42])),
    ])
    func `parameters come by position, by name, or not at all`(text: String, parameters: Request.Parameters) throws {
        let line = #"{"jsonrpc":"2.0","method":"subtract","id":1\#(text)}"#
        let request = Request(id: .integer(1), method: "subtract", parameters: parameters)
        #expect(try IncomingLine(parsing: line.utf8) == .single(.call(request)))
    }

    @Test func `a name that is only canonically equivalent is another name`() throws {
        // The kelvin sign is equivalent to K.
        let line = #"{"jsonrpc":"2.0","method":"ping","\#u{212a}":1,"K":2,"id":1}"#
        #expect(try IncomingLine(parsing: line.utf8) == .single(.call(Request(id: .integer(1), method: "ping"))))
        #expect(Methods.named("\u{212a}it.list") == nil)
    }

    @Test func `a null id asks for an answer, a missing one does not`() throws {
        let asked = try IncomingLine(parsing: #"{"jsonrpc":"2.0","method":"ping","id":null}"#.utf8)
        let told = try IncomingLine(parsing: #"{"jsonrpc":"2.0","method":"ping"}"#.utf8)
        #expect(asked == .single(.call(Request(id: .null, method: "ping"))))
        #expect(told == .single(.call(Request(id: nil, method: "ping"))))
    }

    @Test(arguments: [
        (#"{"method":"ping","id":1}"#, RequestID.integer(1), "jsonrpc"),
        (#"{"jsonrpc":"1.0","method":"ping","id":1}"#, .integer(1), "jsonrpc"),
        (#"{"jsonrpc":2.0,"method":"ping","id":"a"}"#, .string("a"), "jsonrpc"),
        (#"{"jsonrpc":"2.0","id":1}"#, .integer(1), "method"),
        (#"{"jsonrpc":"2.0","method":null,"id":1}"#, .integer(1), "method"),
        (#"{"jsonrpc":"2.0","method":"ping","params":null,"id":1}"#, .integer(1), "params"),
        (#"{"jsonrpc":"2.0","method":"ping","params":"x","id":1}"#, .integer(1), "params"),
        (#"{"jsonrpc":"2.0","method":"ping","id":true}"#, .null, "id"),
        (#"{"jsonrpc":"2.0","method":"ping","id":[1]}"#, .null, "id"),
        (#"{"jsonrpc":"2.0","method":"ping","id":9223372036854775808}"#, .null, "id"),
        (#"{"jsonrpc":"2.0","method":"ping","id":9223372036854775809}"#, .null, "id"),
        (#"{"jsonrpc":"2.0","method":"ping","id":-9223372036854775809}"#, .null, "id"),
        (#"{"jsonrpc":"2.0","result":{},"id":1}"#, .integer(1), "method"),
        ("17", .null, "expected an object"), ("null", .null, "expected an object"),
    ])
    func `an invalid request is refused under its id`(line: String, id: RequestID, reason: String) throws {
        guard case .single(.invalid(let found, let error)) = try IncomingLine(parsing: line.utf8) else {
            Issue.record("taken as a call")
            return
        }
        #expect(found == id)
        #expect(error.code == .invalidRequest)
        #expect(error.message == "Invalid Request")
        #expect(error.data?.objectValue?["reason"]?.stringValue?.hasPrefix(reason) == true)
    }

    @Test func `a JSON error names its place`() {
        let error = #expect(throws: WireError.self) { try IncomingLine(parsing: #"{"jsonrpc": 2.0, oops}"#.utf8) }
        #expect(error?.code == .parseError)
        #expect(error?.data?.objectValue?["offset"] == 17)
    }

    @Test(arguments: [(0, false), (1, true), (1000, true), (1001, false)])
    func `a batch holds 1 to 1000 calls`(count: Int, isRead: Bool) {
        let line =
            "[" + Array(repeating: #"{"jsonrpc":"2.0","method":"ping"}"#, count: count).joined(separator: ",") + "]"
        let call = IncomingCall.call(Request(id: nil, method: "ping"))
        let read = Result { () throws(WireError) in try IncomingLine(parsing: line.utf8) }
        switch read {
        case .success(let line): #expect(isRead && line == .batch(Array(repeating: call, count: count)))
        case .failure(let error): #expect(!isRead && error.code == .invalidRequest)
        }
    }

    @Test func `nesting is read 64 levels deep and no deeper`() throws {
        func line(levels: Int) -> String {
            // The request and its parameters are two of the levels.
            let value = String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2)
            return #"{"jsonrpc":"2.0","method":"ping","params":{"a":\#(value)}}"#
        }
        #expect(throws: Never.self) { try IncomingLine(parsing: line(levels: 64).utf8) }
        let error = #expect(throws: WireError.self) { try IncomingLine(parsing: line(levels: 65).utf8) }
        #expect(error?.code == .parseError)
    }

    @Test func `a written request is read back`() throws {
        let request = Request(id: .string("x"), method: "tempo.set", parameters: .byName(["bpm": 120.5]))
        #expect(request.line.last == UInt8(ascii: "\n"))
        #expect(try IncomingLine(parsing: request.line.dropLast()) == .single(.call(request)))
    }
}
