import TestSupport

@testable import Engine

/// Samples that parts of a strip change, in stretches of any lengths.
struct StripRig {
    var mid: [Float]
    var side: [Float]?
    var sampleRate = 48_000.0

    /// Calls a function for each stretch.
    mutating func render(_ lengths: [Int] = [128], _ body: (Stretch, StripInput) -> Void) {
        var input = StripInput(after: 0.005, sampleRate: sampleRate)
        var (done, turn) = (0, 0)
        let count = mid.count
        mid.withUnsafeMutableBufferPointer { mid in
            var others = side ?? []
            let hasSide = side != nil
            others.withUnsafeMutableBufferPointer { side in
                while done < count {
                    let part = min(lengths[turn % lengths.count], count - done)
                    let stretch = Stretch(
                        mid: mid.baseAddress! + done, side: hasSide ? side.baseAddress! + done : nil, ducking: nil,
                        frame: Int64(done), offset: 0, count: part, grid: ControlGrid())
                    input.read(stretch)
                    body(stretch, input)
                    done += part
                    turn += 1
                }
            }
            if hasSide { side = others }
        }
    }

    /// A value that stays.
    static func line(_ value: Double) -> GainLine { GainLine(GainRamp(Float(value))) }
}
