/// How parameters of a track move while one of its slots plays: points, at most one on each of its steps.
///
/// At a point's step the parameter has the point's value, and in between it moves in a straight line, round the slot's loop.
public struct Motions: Hashable, Sendable {
    /// A value that a parameter has where a step starts.
    public struct Point: Hashable, Sendable {
        /// The step, 0 to 31.
        public let step: Int
        /// In the parameter's unit.
        public let value: Double

        public init(step: Int, value: Double) {
            self.step = step
            self.value = value
        }
    }

    /// By step; parameters without points are left out. Mostly empty: an empty dictionary costs nothing.
    private var points: [Parameter: [Point]] = [:]

    public init() {}

    /// Whether nothing moves.
    public var isEmpty: Bool { points.isEmpty }

    /// The parameters that have points, in the order of the table.
    public var parameters: [Parameter] { isEmpty ? [] : Parameter.movable.filter { points[$0] != nil } }

    /// A hash of the points, the same everywhere: 0 while there are none, at most 2^53 - 1.
    public var revision: Int {
        var mixed: UInt64 = 0
        for parameter in parameters {
            mixed = Dice.mixed(mixed ^ UInt64(Parameter.movable.firstIndex(of: parameter)! + 1))
            for point in self[parameter] {
                mixed = Dice.mixed(mixed ^ UInt64(point.step))
                mixed = Dice.mixed(mixed ^ point.value.bitPattern)
            }
        }
        return Int(mixed >> 11)
    }

    /// The points of a parameter, by step.
    public subscript(parameter: Parameter) -> [Point] { points[parameter] ?? [] }

    /// The value of a parameter's point on a step, 0 to 31; nil for no point. A point gets the nearest value that the
    /// parameter may have.
    public subscript(parameter: Parameter, step: Int) -> Double? {
        get { self[parameter].first { $0.step == step }?.value }
        set {
            precondition((0..<SlotNotes.stepCount).contains(step), "step \(step) outside 0...31")
            precondition(parameter.row.motion != nil, "\(parameter) does not move")
            var line = self[parameter].filter { $0.step != step }
            if let newValue, let value = parameter.row.kind().nearest(.number(newValue))?.number {
                let place = line.firstIndex { $0.step > step } ?? line.endIndex
                line.insert(Point(step: step, value: value), at: place)
            }
            points[parameter] = line.isEmpty ? nil : line
        }
    }

    /// Removes all points of a parameter.
    public mutating func clear(_ parameter: Parameter) { points[parameter] = nil }

    /// Where a parameter is at a place in the slot's loop, nil when it does not move: points on hidden steps do not count.
    ///
    /// - Parameters:
    ///   - step: A step from 0; its fraction is the part that has passed.
    ///   - length: Steps of the loop.
    public func value(_ parameter: Parameter, at step: Double, length: Int) -> Double? {
        Motions.value(at: step, of: self[parameter].filter { $0.step < length }, length: length)
    }

    /// Where a parameter is at the start of each step of the slot's loop; nil when it does not move.
    public func values(_ parameter: Parameter, length: Int) -> [Double]? {
        if isEmpty { return nil }
        let line = self[parameter].filter { $0.step < length }
        return line.isEmpty
            ? nil : (0..<length).compactMap { Motions.value(at: Double($0), of: line, length: length) }
    }

    /// The value between a line's points, all of which lie within the length.
    private static func value(at step: Double, of line: [Point], length: Int) -> Double? {
        guard let first = line.first, let last = line.last else { return nil }
        let next = line.firstIndex { Double($0.step) > step }
        let from = next.map { $0 > 0 ? line[$0 - 1] : last } ?? last
        let to = next.map { line[$0] } ?? first
        let start = Double(from.step) > step ? from.step - length : from.step
        let end = Double(to.step) > step ? to.step : to.step + length
        return from.value + (step - Double(start)) / Double(end - start) * (to.value - from.value)
    }
}

extension Parameter {
    /// The value at a height, 0 at the middle of the lowest row that a motion is shown in, 1 at that of the highest.
    public func motionValue(atHeight height: Double) -> Double {
        let range = self.row.motion ?? 0...0
        return range.lowerBound + height * (range.upperBound - range.lowerBound)
    }

    /// The row nearest to a value.
    public func motionRow(of value: Double, of rows: Int) -> Int {
        let range = self.row.motion ?? 0...0
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Int((min(max(share, 0), 1) * Double(rows - 1)).rounded())
    }
}

extension Parameter {
    /// The MIDI controller that motions of the parameter are sent as: volume, pan, brightness; nil when they are not sent.
    public var sentController: UInt8? {
        @_noLocks @_noAllocation get {
            switch self {
            case .gain: 7
            case .pan: 10
            case .tone: 74
            default: nil
            }
        }
    }

    /// The controller's position for a value, 0 to 127: linear over the range, except for a gain, which receivers
    /// compute as 40 log10 of the position in decibels.
    ///
    /// - Parameter root: The square root of the amplitude of a value in decibels.
    @_noLocks @_noAllocation
    public func controllerPosition(of value: Double, root: Double) -> UInt8 {
        let share =
            switch self {
            case .gain: root
            case .pan: (value + 1) / 2
            default: (value + 24) / 48
            }
        let position = Int64(127 * share + 0.5)
        return position > 127 ? 127 : UInt8(truncatingIfNeeded: position)
    }
}
