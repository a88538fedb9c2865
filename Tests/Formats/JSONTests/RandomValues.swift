import JSON
import TestSupport

extension JSONValue {
    /// A value of any kind, nested at most to a depth.
    static func random(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random))
        case 3: .number(finiteDouble(using: &random))
        case 4, 5: .string(.random(using: &random))
        case 6:
            .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(depth: depth - 1, using: &random) })
        default: .object(.random(depth: depth - 1, using: &random))
        }
    }

    /// Any finite double, including denormals, or one with few decimals.
    private static func finiteDouble(using random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: random.next())
        if number.isFinite, Bool.random(using: &random) { return number }
        return Double(Int.random(in: -30_000...30_000, using: &random)) / 100
    }
}

extension JSONObject {
    static func random(depth: Int, using random: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            object[.random(using: &random)] = .random(depth: depth, using: &random)
        }
        return object
    }
}

extension String {
    /// Up to ten scalars, including some that need escapes or lie beyond the basic plane.
    static func random(using random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1f, 0x20...0x7e, 0x20...0x7e, 0x7f...0x7ff, 0xe000...0xffff, 0x1_0000...0x10_ffff,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            let range = ranges.randomElement(using: &random)!
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random))!)
        }
        return text
    }
}
