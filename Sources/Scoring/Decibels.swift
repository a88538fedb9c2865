import Glibc

/// Decibels and linear factors; the engine is handed linear values only, so that its callback needs no library calls.
public enum Decibels {
    /// The linear factor of a gain in dB.
    public static func factor(_ decibels: Double) -> Float {
        Float(pow(10, decibels / 20))
    }

    /// The level of an amplitude in dBFS; -infinity for 0.
    public static func level(_ amplitude: Float) -> Double {
        20 * log10(Double(amplitude))
    }
}

/// Factors of an equal-power pan: both 0.7071 (-3 dB) in the centre.
struct PanFactors {
    let left: Float
    let right: Float

    /// - Parameter pan: -1 (left) to 1 (right).
    init(_ pan: Double) {
        let angle = (pan + 1) * Double.pi / 4
        left = Float(cos(angle))
        right = Float(sin(angle))
    }
}
