/// A value for each parameter, of the whole instrument or of each track; always complete and within the ranges.
public struct ParameterValues: Equatable, Sendable {
    /// As numbers, one place for each track; a parameter of the whole uses the first.
    private var numbers: [Double]
    /// Names that no number can express, by place.
    private var names: [Int: String] = [:]

    /// The values of a document that says none.
    public init() { self = .defaults }

    private static let defaults = ParameterValues { $0.defaultValue(on: $1) }

    /// A new instrument's values.
    public static let ofNewInstrument = ParameterValues { $0.newValue(on: $1) }

    private init(_ value: (ParameterRow, Track?) -> ParameterValue) {
        numbers = Parameter.allCases.flatMap { parameter in
            let row = parameter.row
            return Track.allCases.map { track in
                let owner = row.scope == .whole && track.rawValue == 0 ? nil : track
                return row.kind(on: owner).number(of: value(row, owner))
            }
        }
    }

    /// The value of a parameter on a track, or of the whole for nil.
    public subscript(parameter: Parameter, track: Track? = nil) -> ParameterValue {
        let place = Self.place(of: parameter, track)
        if let name = names[place] { return .choice(name) }
        return parameter.row.kind(on: track).value(of: numbers[place])
    }

    /// The value as a number: 0 or 1 for a toggle, its index for a choice, the index after the last for an unknown
    /// name.
    public func number(_ parameter: Parameter, _ track: Track? = nil) -> Double {
        numbers[Self.place(of: parameter, track)]
    }

    /// Sets a parameter, numbers to the nearest value within range and precision. Does nothing when the parameter has
    /// no value on the track or none of that kind.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Bool {
        guard let (number, name) = change(of: parameter, on: track, to: value) else { return false }
        if parameter.row.isExclusive, number != 0 {
            for track in Track.allCases { numbers[Self.place(of: parameter, track)] = 0 }
        }
        let place = Self.place(of: parameter, track)
        numbers[place] = number
        names[place] = name
        return true
    }

    /// Whether ``set(_:on:to:)`` would change anything.
    public func changes(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Bool {
        change(of: parameter, on: track, to: value) != nil
    }

    /// What a parameter would have in place of its number and name; nil if nothing would change.
    private func change(
        of parameter: Parameter, on track: Track?, to value: ParameterValue
    ) -> (number: Double, name: String?)? {
        let kind = parameter.row.kind(on: track)
        guard parameter.row.scope.contains(track), let value = kind.nearest(value) else { return nil }
        let (number, name) = (kind.number(of: value), kind.unknownName(in: value))
        let place = Self.place(of: parameter, track)
        return numbers[place] != number || names[place] != name ? (number, name) : nil
    }

    /// The mixer's values, with defaults for all others.
    var mixer: ParameterValues {
        var values = ParameterValues()
        values.copyMixer(from: self)
        return values
    }

    mutating func copyMixer(from other: ParameterValues) {
        for parameter in Parameter.ofMixer {
            for track in Track.allCases {
                let place = Self.place(of: parameter, track)
                numbers[place] = other.numbers[place]
            }
        }
    }

    private static func place(of parameter: Parameter, _ track: Track?) -> Int {
        parameter.index * Track.allCases.count + (track?.rawValue ?? 0)
    }
}
