/// A JSON text's value (RFC 8259). Objects keep the order of their members; of equal names the last one counts.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}
