import TestSupport

@testable import Engine

/// Samples that parts of a strip change, in stretches of any lengths.
struct StripRig {
    var mid: [Float]
    var side: [Float]?
    var sampleRate = 48_000.0

    /// Calls a function for each stretch.
    mutating func render(_ lengths: [Int] = [128], _ body: (Stretch, StripInput) -> Void) {
        var turn = 0
        func nextLength(_ frame: Int) -> Int {
            turn += 1
            return lengths[(turn - 1) % lengths.count]
        }
        render(nextLength, body)
    }

    /// Calls a function for each stretch, whose length another one tells.
    mutating func render(_ nextLength: (_ frame: Int) -> Int, _ body: (Stretch, StripInput) -> Void) {
        var input = StripInput(after: 0.005, sampleRate: sampleRate)
        var done = 0
        let count = mid.count
        mid.withUnsafeMutableBufferPointer { mid in
            var others = side ?? []
            let hasSide = side != nil
            others.withUnsafeMutableBufferPointer { side in
                while done < count {
                    let part = min(nextLength(done), count - done)
                    let stretch = Stretch(
                        mid: mid.baseAddress! + done, side: hasSide ? side.baseAddress! + done : nil, ducking: nil,
                        frame: Int64(done), offset: 0, count: part, grid: ControlGrid())
                    input.read(stretch)
                    body(stretch, input)
                    done += part
                }
            }
            if hasSide { side = others }
        }
    }

    /// A value that stays.
    static func line(_ value: Double) -> GainLine { GainLine(GainRamp(Float(value))) }
}
