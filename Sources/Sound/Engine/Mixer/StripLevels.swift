import Music

/// A factor in a strip that follows from a parameter.
enum StripLevel: Int {
    case gain, left, right, reverb, delay, places, filter, resonance, drive, width

    static var count: Int { 10 }

    /// The parameter that it follows from.
    var parameter: Parameter {
        switch self {
        case .gain: .gain
        case .left, .right: .pan
        case .reverb: .reverb
        case .delay: .delay
        case .places: .places
        case .filter: .filter
        case .resonance: .resonance
        case .drive: .drive
        case .width: .width
        }
    }

    /// The factor for a value of the parameter.
    func factor(of value: Double) -> Float {
        switch self {
        case .gain: linearFactor(decibels: value)
        // Equal power: in the centre both are 0.7071, -3 dB.
        case .left: Float(cosine(turns: (value + 1) / 8))
        case .right: Float(sine(turns: (value + 1) / 8))
        // The lowest value sends nothing.
        case .reverb, .delay: value <= -60 ? 0 : linearFactor(decibels: value)
        case .places, .filter, .resonance, .drive, .width: Float(value)
        }
    }
}

/// The levels of a strip.
struct StripLevels: ~Copyable {
    private let gains = FixedArray(count: StripLevel.count) { _ in MovingGain() }
    /// The place of each level's parameter in the table.
    private let places = FixedArray(count: StripLevel.count) { StripLevels.level($0).parameter.index }
    /// The last factor that was computed of each level, and its value: at the next point of the grid the factor is
    /// mostly the same.
    private let newest = FixedArray(count: StripLevel.count) { _ in (value: Double.nan, factor: Float(0)) }
    /// The values of the moving levels over the stretch.
    private let curves = FixedArray<Float>(count: StripLevel.count * StripLevels.curveLength) { _ in 0 }
    /// Which levels have such a curve.
    private let hasCurve = FixedArray(count: StripLevel.count) { _ in false }
    /// The factor of the width, which the track's preset may have.
    private var widthFactor: Float = 1
    /// Whether the track is muted, or another one soloed.
    private var isSilent = false

    /// Frames until no ramp moves.
    private var rampFrames = 0

    private static var curveLength: Int { Stretch.longest + ControlGrid.step }

    /// Whether any level is not just the parameter's.
    private(set) var isMoving = false

    /// Starts to move to the levels of other parameters.
    mutating func move(to parameters: TrackParameters, isSilent: Bool, widthFactor: Float, frames: Int) {
        self.isSilent = isSilent
        self.widthFactor = widthFactor
        rampFrames = frames
        for index in 0..<StripLevel.count {
            let level = StripLevels.level(index)
            let factor: Float = factor(of: parameters[level.parameter], level)
            gains[index].ramp.move(to: factor, frames: frames)
        }
    }

    /// Jumps to the parameters' levels.
    mutating func arrive() {
        isMoving = false
        for index in 0..<StripLevel.count { gains[index].arrive() }
    }

    /// Begins a stretch, in which some of the levels may move.
    mutating func begin(_ source: ControlSource) {
        isMoving = false
        for index in 0..<StripLevel.count {
            let moves = source.moves(StripLevels.level(index).parameter)
            let hasCurve = moves || gains[index].isMoving
            self.hasCurve[index] = hasCurve
            if hasCurve { isMoving = true }
        }
    }

    /// Continues at a point of the control grid.
    ///
    /// - Parameters:
    ///   - offset: The frame of the stretch.
    ///   - fadeFrames: Frames in which a jump fades.
    mutating func turn(_ rows: borrowing ControlRows, offset: Int, fadeFrames: Int) {
        for index in 0..<StripLevel.count where hasCurve[index] {
            let level = StripLevels.level(index)
            let place = places[index]
            let start = factor(of: rows.here(place), level)
            let end = factor(of: rows.next(place), level)
            gains[index].turn(from: start, to: end, offset: offset, fadeFrames: fadeFrames)
        }
    }

    /// Moves through a part of the stretch, up to the next point of the grid.
    ///
    /// - Parameter isHeard: Whether the values are needed.
    mutating func render(offset: Int, count: Int, isHeard: Bool) {
        for index in 0..<StripLevel.count where hasCurve[index] {
            let curve = unsafe curves.elements + index * StripLevels.curveLength
            if isHeard { unsafe gains[index].write(to: curve + offset, offset: offset) }
            gains[index].advance(count)
        }
    }

    /// A level over the stretch.
    func line(_ level: StripLevel) -> GainLine {
        let index = level.rawValue
        let ramp = gains[index].ramp
        guard isMoving, hasCurve[index] else { return GainLine(ramp) }
        return unsafe GainLine(ramp, curve: UnsafePointer(curves.elements) + index * StripLevels.curveLength)
    }

    /// Ends a stretch.
    mutating func advance(_ count: Int) {
        guard rampFrames > 0 else { return }
        rampFrames -= count
        for index in 0..<StripLevel.count { gains[index].ramp.advance(count) }
    }

    /// The factor for a value of the level's parameter; nil for none.
    @inline(__always)
    private func factor(of value: Double?, _ level: StripLevel) -> Float? {
        guard let value else { return nil }
        return factor(of: value, level) as Float
    }

    /// The parameters that the levels follow from.
    static var parameters: [Parameter] { (0..<StripLevel.count).map { level($0).parameter } }

    private static func level(_ index: Int) -> StripLevel { StripLevel(rawValue: index) ?? .gain }

    /// The factor for a value of the level's parameter.
    private func factor(of value: Double, _ level: StripLevel) -> Float {
        if level == .gain && isSilent { return 0 }
        let index = level.rawValue
        if newest[index].value != value {
            newest[index] = (value, level.factor(of: value))
        }
        let factor = newest[index].factor
        return level == .width ? factor * widthFactor : factor
    }
}

extension StripLevels {
    struct Memory: BitwiseCopyable {
        var gains: InlineArray<10, MovingGain>
        var hasCurve: InlineArray<10, Bool>
        var widthFactor: Float
        var isSilent: Bool
        var rampFrames: Int
        var isMoving: Bool
    }

    func copy(into memory: inout Memory) {
        gains.copy(into: &memory.gains)
        hasCurve.copy(into: &memory.hasCurve)
        (memory.widthFactor, memory.isSilent) = (widthFactor, isSilent)
        (memory.rampFrames, memory.isMoving) = (rampFrames, isMoving)
    }

    mutating func restore(_ memory: Memory) {
        gains.restore(memory.gains)
        hasCurve.restore(memory.hasCurve)
        (widthFactor, isSilent) = (memory.widthFactor, memory.isSilent)
        (rampFrames, isMoving) = (memory.rampFrames, memory.isMoving)
    }
}
