/// An example of the JSON-RPC 2.0 specification, section 7.
struct SpecificationExample: CustomStringConvertible, Sendable {
    var name: String
    /// What the client sends.
    var sent: String
    /// What the server answers, nil for nothing.
    var answer: String?

    var description: String { name }

    /// All of them, in the order of the specification.
    static let all = [
        SpecificationExample(
            name: "call with positional parameters",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            answer: #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#),
        SpecificationExample(
            name: "call with positional parameters, the other way round",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            answer: #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#),
        SpecificationExample(
            name: "call with named parameters",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
            answer: #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#),
        SpecificationExample(
            name: "call with named parameters in another order",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
            answer: #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#),
        SpecificationExample(
            name: "notification",
            sent: #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#,
            answer: nil),
        SpecificationExample(
            name: "notification of a method that does not exist",
            sent: #"{"jsonrpc": "2.0", "method": "foobar"}"#,
            answer: nil),
        SpecificationExample(
            name: "call of a method that does not exist",
            sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            answer: #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}"#),
        SpecificationExample(
            name: "call with invalid JSON",
            sent: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            answer: #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#),
        SpecificationExample(
            name: "call with an invalid request object",
            sent: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            answer: #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#),
        SpecificationExample(
            name: "batch with invalid JSON",
            sent: #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]"#,
            answer: #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#),
        SpecificationExample(
            name: "empty batch",
            sent: "[]",
            answer: #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#),
        SpecificationExample(
            name: "invalid batch",
            sent: "[1]",
            answer: #"[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]"#),
        SpecificationExample(
            name: "invalid batch of several",
            sent: "[1,2,3]",
            answer: """
                [{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]
                """),
        SpecificationExample(
            name: "batch of everything",
            sent: """
                [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                 {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                 {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                 {"foo": "boo"},
                 {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                 {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
                """,
            answer: """
                [{"jsonrpc": "2.0", "result": 7, "id": "1"},
                 {"jsonrpc": "2.0", "result": 19, "id": "2"},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
                 {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]
                """),
        SpecificationExample(
            name: "batch of notifications",
            sent: """
                [{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
                 {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]
                """,
            answer: nil),
    ]
}
