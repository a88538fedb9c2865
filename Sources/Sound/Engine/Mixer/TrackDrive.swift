/// A track's saturation: f(D x) with f(x) = x (27 + x^2) / (27 + 9 x^2), level-matched, D from 1 to 12.
///
/// What the curve adds, f(x) - x, is computed as the mean of its values between two frames, by its antiderivative
/// (Parker, Zavalishin and Le Bivic, "Reducing the Aliasing of Nonlinear Waveshaping Using Continuous-Time Convolution",
/// DAFx 2016); x is added directly, so that quiet sound only gets louder. Its factors are computed at the points of the
/// control grid and move in straight lines, a point behind the value.
struct TrackDrive: BitwiseCopyable {
    private let makeup: DriveMakeup
    /// How long the value is 0 before the drive is switched off, in points of the grid.
    private let patience: Int
    private var from = DriveFactors.dry
    private var to = DriveFactors.dry
    /// What ``to`` was computed for.
    private var value = 0.0
    private var isOff = true
    /// For how many points the value has been 0.
    private var quietPoints = 0
    private var (left, right) = (DriveMemory(), DriveMemory())

    init(_ track: Int, sampleRate: Double) {
        makeup = DriveMakeup(track)
        patience = frames(0.005, sampleRate: sampleRate) / ControlGrid.step + 1
    }

    var isResting: Bool { left.isSilent && right.isSilent }

    /// Whether anything is left of the side.
    var hasSide: Bool { !left.isSame(as: right) }

    /// Whether a value may be heard, or one that was before.
    func isOn(_ amount: GainLine) -> Bool { !isOff || amount.constant != 0 }

    /// Forgets all sound.
    mutating func reset() {
        isOff = true
        (left, right) = (DriveMemory(), DriveMemory())
    }

    /// Drives a stretch.
    ///
    /// - Parameters:
    ///   - amount: The parameter, 0 to 1.
    ///   - scratch: Room for a stretch.
    mutating func render(
        _ stretch: Stretch, _ amount: GainLine, _ input: StripInput, scratch: UnsafeMutablePointer<Float>
    ) {
        var done = 0
        while done < stretch.count {
            let frame = stretch.frame + Int64(done)
            let passed = stretch.grid.passed(at: frame)
            if passed == 0 { turn(Double(amount.value(offset: done))) }
            var part = min(ControlGrid.step - passed, stretch.count - done)
            if let waking = input.waking, done <= waking, waking < done + part {
                if done < waking {
                    part = waking - done
                } else {
                    begin(Double(amount.value(offset: done)))
                }
            }
            if let constant = amount.constant, Double(constant) == value, from.isSame(as: to), quietPoints == 0 {
                // Nothing moves until the end of the stretch.
                let end = input.waking.map { $0 > done ? $0 : stretch.count } ?? stretch.count
                part = end - done
            }
            if !isOff { unsafe run(stretch, done, count: part, passed: passed, scratch) }
            done += part
        }
    }

    /// Begins at a value, after silence.
    private mutating func begin(_ value: Double) {
        isOff = value == 0
        quietPoints = 0
        prepare(value)
        from = to
        (left, right) = (DriveMemory(), DriveMemory())
    }

    /// Continues at a point of the grid towards a value.
    private mutating func turn(_ value: Double) {
        quietPoints = value == 0 ? quietPoints + 1 : 0
        if isOff, value == 0 { return }
        from = to
        if isOff {
            isOff = false
            from = .dry
            (left, right) = (.unknown, .unknown)
        }
        prepare(value)
        if from.isSame(as: .dry), to.isSame(as: .dry), quietPoints >= patience { reset() }
    }

    private mutating func prepare(_ value: Double) {
        guard value != self.value else { return }
        self.value = value
        to = value == 0 ? .dry : DriveFactors(value, makeup)
    }

    private mutating func run(
        _ stretch: Stretch, _ start: Int, count: Int, passed: Int, _ scratch: UnsafeMutablePointer<Float>
    ) {
        let mid = unsafe stretch.mid + start
        guard let side = unsafe stretch.side.map({ unsafe $0 + start }) else {
            unsafe left.drive(mid, count: count, from, to, passed: passed)
            right = left
            return
        }
        for index in 0..<count {
            let (middle, difference) = unsafe (mid[index], side[index])
            unsafe (mid[index], scratch[index]) = (middle - difference, middle + difference)
        }
        unsafe left.drive(mid, count: count, from, to, passed: passed)
        unsafe right.drive(scratch, count: count, from, to, passed: passed)
        for index in 0..<count {
            let (first, second) = unsafe (mid[index], scratch[index])
            unsafe (mid[index], side[index]) = (0.5 * (first + second), 0.5 * (second - first))
        }
    }
}

/// What a drive multiplies with: its input, D, and the curve's output.
struct DriveFactors: BitwiseCopyable {
    let dry: Double
    let amount: Double
    let wet: Double

    static var dry: DriveFactors { DriveFactors(dry: 1, amount: 1, wet: 0) }

    init(dry: Double, amount: Double, wet: Double) { (self.dry, self.amount, self.wet) = (dry, amount, wet) }

    /// The factors for a value of the parameter, 0 to 1.
    init(_ value: Double, _ makeup: DriveMakeup) {
        let share = min(1, value / 0.1)
        dry = 1 - share
        amount = 1 + value * (2.2 + 8.8 * value)
        wet = share * makeup.factor(at: value)
    }

    func isSame(as other: DriveFactors) -> Bool {
        dry == other.dry && amount == other.amount && wet == other.wet
    }
}

/// How much quieter a drive must be to stay as loud as its input, for the mean accent of a track's presets, and 909's kick:
/// measured as the presets' levels are.
struct DriveMakeup: BitwiseCopyable {
    /// In dB, for each tenth of the parameter.
    private let decibels: InlineArray<11, Double>

    init(_ track: Int) { decibels = InlineArray { DriveMakeup.measured[track][$0] } }

    func factor(at value: Double) -> Double {
        let place = min(value * 10, 10)
        let index = min(Int(place), 9)
        let level = decibels[index] + (place - Double(index)) * (decibels[index + 1] - decibels[index])
        return exponential(-level * (2.302_585_092_994_046 / 20))
    }

    private static let measured = [
        [-0.062, 2.227, 4.872, 7.438, 9.734, 11.702, 13.342, 14.679, 15.753, 16.608, 17.287],
        [-0.033, 2.276, 4.962, 7.598, 10.003, 12.118, 13.936, 15.473, 16.753, 17.806, 18.665],
        [-0.063, 2.225, 4.87, 7.434, 9.73, 11.699, 13.343, 14.686, 15.767, 16.625, 17.298],
        [-0.171, 2.044, 4.54, 6.85, 8.768, 10.248, 11.338, 12.126, 12.707, 13.156, 13.527],
    ]
}

/// The newest frame of a driven channel.
struct DriveMemory: BitwiseCopyable {
    /// The curve's input, and its antiderivative there.
    private var (input, integral) = (0.0, 0.0)

    /// Before the first frame, which is then alone.
    static var unknown: DriveMemory {
        var memory = DriveMemory()
        memory.input = .nan
        return memory
    }

    var isSilent: Bool { input == 0 }

    func isSame(as other: DriveMemory) -> Bool { input == other.input }

    /// Drives samples, four at a time.
    mutating func drive(
        _ samples: UnsafeMutablePointer<Float>, count: Int, _ from: DriveFactors, _ to: DriveFactors, passed: Int
    ) {
        if input.isNaN {
            input = unsafe from.amount * Double(samples[0])
            integral = DriveMemory.integral(SIMD4(repeating: input)).x
        }
        let isConstant = from.isSame(as: to)
        let steps = 1 / Double(ControlGrid.step)
        let slopes = ((to.dry - from.dry) * steps, (to.amount - from.amount) * steps, (to.wet - from.wet) * steps)
        var (dry, amount, wet) = (
            SIMD4(repeating: to.dry), SIMD4(repeating: to.amount), SIMD4(repeating: to.wet)
        )
        var offset = 0
        while offset < count {
            let part = min(laneCount, count - offset)
            if !isConstant {
                let distance = Double(passed + offset) + SIMD4<Double>(0, 1, 2, 3)
                dry = from.dry + slopes.0 * distance
                amount = from.amount + slopes.1 * distance
                wet = from.wet + slopes.2 * distance
            }
            let x = unsafe SIMD4<Double>(Lanes(samples + offset, count: part))
            let driven = next(amount * x, count: part)
            let output: SIMD4<Double> = dry * x + wet * driven
            unsafe Lanes(output).store(in: samples + offset, count: part)
            offset += part
        }
    }

    /// The curve's output for up to four frames.
    @inline(__always)
    private mutating func next(_ u: SIMD4<Double>, count: Int) -> SIMD4<Double> {
        let integrals = DriveMemory.integral(u)
        let before = SIMD4<Double>(input, u.x, u.y, u.z)
        let rise: SIMD4<Double> = integrals - SIMD4(integral, integrals.x, integrals.y, integrals.z)
        (input, integral) = (u[count - 1], integrals[count - 1])
        let way = u - before
        let isShort = (way .< 1e-5) .& (way .> -1e-5)
        let divisor = way.replacing(with: 1, where: isShort)
        var added = rise / divisor
        if divisor != way {
            let middle: SIMD4<Double> = 0.5 * (u + before)
            let bend: SIMD4<Double> = DriveMemory.curve(middle) - middle
            added.replace(with: bend, where: isShort)
        }
        return u + added
    }

    @inline(__always)
    private static func curve(_ u: SIMD4<Double>) -> SIMD4<Double> {
        let x = u.replacing(with: 3, where: u .> 3).replacing(with: -3, where: u .< -3)
        let square = x * x
        let top: SIMD4<Double> = x * (27 + square)
        let bottom: SIMD4<Double> = 27 + 9 * square
        return top / bottom
    }

    /// The antiderivative of f(x) - x: x^2/18 + 4/3 ln(1 + x^2/3) - x^2/2, and beyond 3 a straight line less x^2/2.
    @inline(__always)
    private static func integral(_ u: SIMD4<Double>) -> SIMD4<Double> {
        let distance = u.replacing(with: -u, where: u .< 0)
        let x = distance.replacing(with: 3, where: distance .> 3)
        let square = x * x
        // ln(y) for y from 1 to 4: halved or quartered to between 0.7 and 1.42, then by the series of the inverse
        // hyperbolic tangent.
        let y = 1 + square * (1.0 / 3)
        let isMiddle = y .> 1.414_213_562_373_095
        let isHigh = y .> 2.828_427_124_746_19
        var (scale, whole) = (SIMD4<Double>(repeating: 1), SIMD4<Double>.zero)
        scale.replace(with: 0.5, where: isMiddle)
        scale.replace(with: 0.25, where: isHigh)
        whole.replace(with: 0.693_147_180_559_945_3, where: isMiddle)
        whole.replace(with: 1.386_294_361_119_890_6, where: isHigh)
        let near = y * scale
        let s = (near - 1) / (near + 1)
        let t = s * s
        var series: SIMD4<Double> = t * (1.0 / 17) + (1.0 / 15)
        series = series * t + (1.0 / 13)
        series = series * t + (1.0 / 11)
        series = series * t + (1.0 / 9)
        series = series * t + (1.0 / 7)
        series = series * t + 0.2
        series = series * t + (1.0 / 3)
        series = series * t + 1
        let logarithm: SIMD4<Double> = whole + 2 * s * series
        let curve: SIMD4<Double> = square * (1.0 / 18) + (4.0 / 3) * logarithm
        let straight: SIMD4<Double> = distance - x
        let line: SIMD4<Double> = 0.5 * u * u
        return curve + straight - line
    }
}
