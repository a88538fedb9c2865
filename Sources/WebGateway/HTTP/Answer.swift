import NIOCore
import NIOHTTP1

/// An answer to an HTTP request.
struct Answer {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders = [:]
    var body: ByteBuffer?
    /// Whether the connection ends with it.
    var isLast = false

    /// A file, or only that it is still the one that the browser has.
    init(_ file: PageFile, known: [String]) {
        let isKnown = known.contains { $0 == file.entityTag || $0 == "W/\(file.entityTag)" || $0 == "*" }
        status = isKnown ? .notModified : .ok
        headers = ["ETag": file.entityTag, "Cache-Control": "no-cache"]
        if !isKnown {
            headers.add(name: "Content-Type", value: file.contentType)
            body = file.bytes
        }
    }

    /// A refusal: its reason in a line of text, and the end of the connection.
    init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
        self.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        body = ByteBuffer(string: reason + "\n")
        isLast = true
    }

    /// The head as it is sent: with what every answer says.
    func head(version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: Self.common)
        if status != .notModified { headers.add(name: "Content-Length", value: "\(body?.readableBytes ?? 0)") }
        if isLast { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: version, status: status, headers: headers)
    }

    /// The page loads nothing from elsewhere, runs nothing but its own files, and is no part of another page.
    private static let common: HTTPHeaders = [
        "Content-Security-Policy":
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    ]
}
