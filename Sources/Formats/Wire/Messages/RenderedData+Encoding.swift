import JSON

extension RenderedData {
    /// The answer with a part of a file as JSON, in a fraction of the time that its members take.
    public static func json(_ part: [UInt8], size: Int, isEnd: Bool) -> [UInt8] {
        var json = Array("{\"data\":".utf8)
        json.reserveCapacity(part.count / 3 * 4 + 64)
        json.appendJSON(base64: part)
        json += Array(",\"size\":".utf8)
        json.appendJSON(size)
        json += Array((isEnd ? ",\"end\":true}" : ",\"end\":false}").utf8)
        return json
    }
}
