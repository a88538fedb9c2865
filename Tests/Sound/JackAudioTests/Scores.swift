import Engine
import Music

extension Score {
    /// 120 beats per minute, eight steps, every track at full gain in the centre; silent unless notes are added.
    static func test(_ configure: (inout Score) -> Void = { _ in }) -> Score {
        var score = Score()
        score.parameters[.length] = 8
        configure(&score)
        return score
    }

    /// A normal note on each of some steps of a track.
    mutating func add(note: Int, track: Int, steps: [Int]) {
        for step in steps { self[playing: track].notes[step][note] = .normal }
    }
}
