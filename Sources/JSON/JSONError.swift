/// Where a text stops being JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Bytes before the place.
    public let offset: Int
    /// What would have been right there.
    public let expected: String

    /// An error at a place.
    public init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }

    /// `byte 12: expected a value`
    public var description: String { "byte \(offset): expected \(expected)" }
}
