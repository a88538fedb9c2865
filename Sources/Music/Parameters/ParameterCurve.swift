import Glibc

extension ParameterKind.Curve {
    /// The number at a part of the way, 0 to 1.
    func number(at way: Double, in range: ClosedRange<Double>) -> Double {
        switch self {
        case .linear: return range.number(at: way)
        case .centred:
            let middle = 64.0 / 127
            return range.number(at: way < middle ? way / middle / 2 : 0.5 + (way - middle) / (1 - middle) / 2)
        case .fader: return way > 0 ? (40 * log10(way)).clamped(to: range) : range.lowerBound
        }
    }
}

extension ClosedRange<Double> {
    fileprivate func number(at way: Double) -> Double {
        (lowerBound + way * (upperBound - lowerBound)).clamped(to: self)
    }
}

extension ClosedRange<Int> {
    var doubles: ClosedRange<Double> { Double(lowerBound)...Double(upperBound) }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }

    func rounded(toDecimals decimals: Int?) -> Double {
        guard let decimals else { return self }
        let scale = pow(10, Double(decimals))
        return (self * scale).rounded() / scale
    }

    var isWhole: Bool { rounded() == self }

    /// The number without a fraction that is zero: `20`, `0.75`.
    var plain: String { isWhole && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
