/// A connection to the daemon: lines in both directions.
protocol LineChannel: AnyObject {
    /// Sends a line, its newline included.
    func send(_ line: [UInt8]) throws
    /// The next line; valid until the next call.
    func line() throws -> UnsafeRawBufferPointer
}

extension LineChannel {
    /// Makes a call, and returns the line of its answer; earlier notifications are dropped.
    @discardableResult
    func call(_ method: String, _ parameters: String = "{}") throws -> String {
        try send(Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#.utf8) + [10])
        while true {
            let answer = String(decoding: try line(), as: UTF8.self)
            if answer.contains(#""id":1}"#) { return answer }
        }
    }
}
