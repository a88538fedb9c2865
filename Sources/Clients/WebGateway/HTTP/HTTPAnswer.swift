import NIOCore
import NIOHTTP1

/// An answer to an HTTP request.
struct HTTPAnswer {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders = [:]
    var body: ByteBuffer?
    /// Whether it ends the connection.
    var isLast = false

    /// A file, or 304 if the browser's copy is still valid.
    ///
    /// - Parameters:
    ///   - known: The tags of the browser's copies.
    ///   - takesCompressed: Whether the browser accepts gzip.
    init(_ file: PageFile, known: [String], takesCompressed: Bool) {
        let compressed = takesCompressed ? file.compressed : nil
        // Two representations of a file need different tags (RFC 9110, 8.8.3.3).
        let tag = compressed == nil ? "\"\(file.tag)\"" : "\"\(file.tag)-gzip\""
        let isKnown = known.contains { $0 == tag || $0 == "W/\(tag)" || $0 == "*" }
        status = isKnown ? .notModified : .ok
        headers = ["ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"]
        guard !isKnown else { return }
        headers.add(name: "Content-Type", value: file.contentType)
        if compressed != nil { headers.add(name: "Content-Encoding", value: "gzip") }
        body = compressed ?? file.bytes
    }

    /// A refusal, which gives its reason in a line of text and ends the connection.
    init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
        self.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        body = ByteBuffer(string: reason + "\n")
        isLast = true
    }

    /// The head with the common headers.
    func head(version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: Self.common)
        if status != .notModified { headers.add(name: "Content-Length", value: "\(body?.readableBytes ?? 0)") }
        if isLast { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: version, status: status, headers: headers)
    }

    /// The page loads and runs only its own files, plays sound that it has fetched, and cannot be embedded in another page.
    private static let common: HTTPHeaders = [
        "Content-Security-Policy":
            "default-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    ]
}
