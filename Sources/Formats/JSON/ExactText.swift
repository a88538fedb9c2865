/// A text that equals another only if both have the same code units, as in RFC 8259, 8.3.
public struct ExactText: Hashable, Sendable {
    private let text: String

    public init(_ text: String) { self.text = text }

    public static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count else { return false }
        return left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }
}

extension StringProtocol {
    /// Whether all characters are ASCII.
    public var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension String {
    /// The most combining marks in a row that a text may have, as in Unicode's Stream-Safe Text Format (UAX 15, 13).
    static let mostMarks = 30

    /// Whether it has no more combining marks in a row than that; then comparing it takes time in proportion to its length.
    var isStreamSafe: Bool {
        // Two bytes a mark, at least.
        guard utf8.count > 2 * Self.mostMarks else { return true }
        var marks = 0
        for scalar in unicodeScalars {
            // No mark comes before U+0300.
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            marks = isMark ? marks + 1 : 0
            if marks > Self.mostMarks { return false }
        }
        return true
    }
}
