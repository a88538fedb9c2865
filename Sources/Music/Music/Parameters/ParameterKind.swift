import Glibc

/// The values that a parameter may have.
public enum ParameterKind: Equatable, Sendable {
    public enum Unit: String, Sendable {
        case none = ""
        case beatsPerMinute = "BPM"
        case steps
        case beats
        case decibels = "dB"
        case semitones
        case hertz = "Hz"
        case seconds = "s"
        case milliseconds = "ms"
        case percent = "%"
    }

    /// How a controller's travel, 0 to 1, covers the range.
    public enum Curve: Sendable {
        /// In a straight line from end to end.
        case linear
        /// In a straight line from the lower end to the middle, reached at 64 of 127, and from there to the upper end.
        case centred
        /// 40 log10 of the travel in decibels, within the range: 0 dB at full travel, like a mixer's fader.
        case fader
    }

    /// A number in a range, rounded to this many decimals; nil for no rounding.
    case number(ClosedRange<Double>, Unit = .none, decimals: Int? = nil, curve: Curve = .linear)
    /// A whole number in a range.
    case integer(ClosedRange<Int>, Unit = .none)
    /// One of these whole numbers, in ascending order.
    case numbers([Int], Unit = .none)
    case toggle
    /// One of these names.
    case choice([String])
    /// One of these names, or any other valid file name, whether such a file exists or not.
    case name([String])
    /// Any of these names, or none.
    case selection([String])

    /// One of an enumeration's values.
    public static func choice<Choice: Named>(of type: Choice.Type) -> ParameterKind {
        .choice(type.allCases.map(\.name))
    }

    /// Any of an enumeration's values.
    public static func selection<Choice: Named>(of type: Choice.Type) -> ParameterKind {
        .selection(type.allCases.map(\.name))
    }

    /// The values in words, as in `expected a number from 20 to 300`.
    public var expected: String {
        switch self {
        case .number(let range, _, _, _): "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
        case .integer(let range, _): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .numbers(let numbers, _): "one of " + numbers.map(String.init).joined(separator: ", ")
        case .toggle: "true or false"
        case .choice(let names): "one of " + names.joined(separator: ", ")
        case .name(let names): "one of " + names.joined(separator: ", ") + ", or " + String.fileNameExpectation
        case .selection(let names): "a list of any of " + names.joined(separator: ", ")
        }
    }

    /// The choices of both kinds; other kinds are unchanged.
    func union(_ other: ParameterKind) -> ParameterKind {
        guard case .choice(let names) = self, case .choice(let others) = other else { return self }
        return .choice(names + others.filter { !names.contains($0) })
    }

    /// A value as it is stored, nil when it is not one of these.
    public func checked(_ value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.number(let range, _, let decimals, _), .number(let number)):
            range.contains(number) ? .number(number.rounded(toDecimals: decimals)) : nil
        case (.integer(let range, _), .number(let number)):
            number.isWhole && range.doubles.contains(number) ? value : nil
        case (.numbers(let numbers, _), .number(let number)): numbers.contains { Double($0) == number } ? value : nil
        case (.toggle, .toggle): value
        case (.choice(let names), .choice(let name)): names.contains(name) ? value : nil
        case (.name(let names), .choice(let name)): names.contains(name) || name.isFileName ? value : nil
        case (.selection(let names), .selection(let chosen)):
            chosen.allSatisfy(names.contains) ? .selection(names.filter(chosen.contains)) : nil
        default: nil
        }
    }

    /// The nearest of these values; of a selection, the names that are known. Nil for a value of another kind, for what is
    /// not a number, and for an unknown name.
    package func nearest(_ value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.number, .number(let number)), (.integer, .number(let number)), (.numbers, .number(let number)):
            number.isNaN ? nil : checked(.number(clamped(number)))
        case (.selection(let names), .selection(let chosen)): .selection(names.filter(chosen.contains))
        default: checked(value)
        }
    }

    private func clamped(_ number: Double) -> Double {
        switch self {
        case .number(let range, _, _, _): number.clamped(to: range)
        case .integer(let range, _): number.clamped(to: range.doubles).rounded()
        case .numbers(let numbers, _):
            // An infinite number would be as far from one as from the other.
            nearest(to: number.clamped(to: Double(numbers[0])...Double(numbers[numbers.count - 1])), of: numbers)
        case .toggle, .choice, .name, .selection: number
        }
    }

    private func nearest(to number: Double, of numbers: [Int]) -> Double {
        numbers.map(Double.init).min { abs($0 - number) < abs($1 - number) } ?? number
    }

    /// The value that a controller sets.
    ///
    /// - Parameter position: The controller's position, clamped to 0 to 127. A toggle is on from 64.
    public func value(atController position: Int) -> ParameterValue {
        let position = Double(min(max(position, 0), 127))
        switch self {
        case .number(let range, _, let decimals, let curve):
            return .number(curve.number(at: position / 127, in: range).rounded(toDecimals: decimals))
        case .integer(let range, _):
            return .number(Curve.linear.number(at: position / 127, in: range.doubles).rounded())
        case .numbers(let numbers, _): return .number(Double(numbers[Int(position) * numbers.count / 128]))
        case .toggle: return .toggle(position >= 64)
        case .choice(let names), .name(let names): return .choice(names[Int(position) * names.count / 128])
        case .selection(let names): return self.value(of: Double(Int(position) << names.count / 128))
        }
    }
}

// MARK: - Stored values

extension ParameterKind {
    /// A checked value as a number: 0 or 1 for a toggle, its index for a choice, one bit for each name of a selection.
    /// An unknown name has the index after the known ones.
    func number(of value: ParameterValue) -> Double {
        switch (self, value) {
        case (_, .number(let number)): number
        case (_, .toggle(let isOn)): isOn ? 1 : 0
        case (.choice(let names), .choice(let name)): Double(names.firstIndex(of: name) ?? 0)
        case (.name(let names), .choice(let name)): Double(names.firstIndex(of: name) ?? names.count)
        case (.selection(let names), .selection(let chosen)):
            Double(names.indices.reduce(0) { chosen.contains(names[$1]) ? $0 | 1 << $1 : $0 })
        case (_, .choice), (_, .selection): 0
        }
    }

    /// The unknown name in a checked value, which its number cannot express; nil for all other values.
    func unknownName(in value: ParameterValue) -> String? {
        guard case .name(let names) = self, case .choice(let name) = value, !names.contains(name) else { return nil }
        return name
    }

    /// The value of a number from ``number(of:)``.
    func value(of number: Double) -> ParameterValue {
        switch self {
        case .number, .integer, .numbers: .number(number)
        case .toggle: .toggle(number != 0)
        case .choice(let names), .name(let names): .choice(names[Int(number)])
        case .selection(let names):
            .selection(names.indices.filter { Int(number) >> $0 & 1 == 1 }.map { names[$0] })
        }
    }
}

extension ParameterKind {
    /// The nearest to a number among those that ``number(of:)`` returns; nil if it is not finite.
    package func nearestNumber(to number: Double) -> Double? {
        guard number.isFinite else { return nil }
        let nearest =
            switch self {
            case .number, .integer, .numbers: self.nearest(.number(number))?.number ?? clamped(number)
            case .toggle: number == 0 ? 0.0 : 1.0
            case .choice(let names): number.rounded().clamped(to: 0...Double(max(0, names.count - 1)))
            case .name(let names): number.rounded().clamped(to: 0...Double(names.count))
            case .selection(let names): number.rounded().clamped(to: 0...Double((1 << names.count) - 1))
            }
        // Equal numbers keep their bits.
        return nearest == number ? number : nearest
    }
}

extension ParameterKind.Curve {
    /// The number at a part of the travel, 0 to 1.
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

    /// The number without a zero fraction: `20`, `0.75`.
    package var plain: String { isWhole && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
