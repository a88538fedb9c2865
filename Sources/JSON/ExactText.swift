/// A text that equals another only if both have the same code units, as in RFC 8259, 8.3.
///
/// For texts from outside: `==` and hashes of `String` treat canonical equivalents alike, which takes minutes for some
/// texts with many combining marks.
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
    /// Whether all characters are ASCII, so that nothing that compares them takes long.
    public var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
