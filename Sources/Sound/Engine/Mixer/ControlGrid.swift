import Music

/// The frames at which moving values are computed: every few frames since the music last started from silence, so that
/// a value depends neither on where periods and stretches begin, nor on what was played before.
struct ControlGrid: BitwiseCopyable {
    /// Frames from one point to the next.
    static var step: Int { 8 }

    /// The first point.
    var origin: Int64 = 0

    /// Frames since the last point.
    func passed(at frame: Int64) -> Int { passed(at: frame, step: ControlGrid.step) }

    /// Frames since the last point of a coarser grid.
    func passed(at frame: Int64, step: Int) -> Int {
        Int(truncatingIfNeeded: (frame - origin) % Int64(step))
    }
}

/// The values of a track's parameters at a point of the control grid, and at the next: a place for each row of the table
/// of parameters.
struct ControlRows: ~Copyable {
    private let values = FixedArray<Double>(count: 2 * Parameter.allCases.count) { _ in .nan }
    /// The parameters that move levels of a strip.
    private let movable = FixedArray(Parameter.movable.filter { StripLevels.parameters.contains($0) })
    private let width = Parameter.allCases.count
    /// Where the row of the point begins; the next point's has the other place.
    private var first = 0

    /// The value at the point of the parameter at a place in the table; nil if it does not move.
    func here(_ place: Int) -> Double? { value(first + place) }

    /// The value at the next point.
    func next(_ place: Int) -> Double? { value(width - first + place) }

    private func value(_ index: Int) -> Double? {
        let value = values[index]
        return value.isNaN ? nil : value
    }

    /// Reads the values of a point.
    ///
    /// - Parameters:
    ///   - count: The track's steps that have passed then.
    ///   - position: The song's place then, for the oscillator.
    mutating func readHere(_ source: ControlSource, at count: Double, _ position: Double) {
        read(source, at: count, position, into: first)
    }

    /// Reads the values of the next point.
    mutating func readNext(_ source: ControlSource, at count: Double, _ position: Double) {
        read(source, at: count, position, into: width - first)
    }

    private mutating func read(_ source: ControlSource, at count: Double, _ position: Double, into row: Int) {
        for index in 0..<movable.count {
            let parameter = movable[index]
            values[row + parameter.index] = source.value(parameter, at: count, position)
        }
    }

    /// Goes to the next point.
    mutating func advance() { first = width - first }
}
