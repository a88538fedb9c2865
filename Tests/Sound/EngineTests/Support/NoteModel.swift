import Foundation
import Music

/// What is heard of notes with values, from the specification's formulas alone, without the engine: each start with its
/// exact time.
struct NoteModel {
    /// A slot's own length and speed, `n` steps in `d` sixteenths.
    struct Time: Hashable {
        var length: Int?
        var n = 1
        var d = 1
    }

    struct Start: Hashable {
        var track: Track
        var note: Int
        /// Frames since the music started.
        var time: Double
        /// The step of the track whose turn it is.
        var count: Int
    }

    var cells: [TestNote]
    var bpm: Double
    var swing: Double
    var length: Int
    var seed: UInt64
    var rate = 48_000.0
    var times: [Track: Time] = [:]
    var mutedDrums: Set<Drum> = []

    private var stepFrames: Double { rate * 60 / bpm / 4 }

    /// When a place in the song is, in frames: steps by the swing, linear in between.
    private func time(_ place: Double) -> Double {
        func start(_ step: Int) -> Double {
            let inLoop = (step % length + length) % length
            return Double(step) + (inLoop % 2 == 1 ? 2 * swing - 1 : 0)
        }
        let step = Int(place.rounded(.down))
        return (start(step) + (place - Double(step)) * (start(step + 1) - start(step))) * stepFrames
    }

    private func dice(_ count: Int, _ cell: TestNote) -> Double {
        let key = UInt64(16 * cell.track.rawValue + (cell.track == .rhythm ? 1 + cell.note : 0))
        var z = seed ^ (UInt64(bitPattern: Int64(count)) &* 0x9E37_79B9_7F4A_7C15) ^ (key &* 0xBF58_476D_1CE4_E5B9)
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 40) / 16_777_216
    }

    private func plays(_ cell: TestNote, _ count: Int) -> Bool {
        let pass = Int((Double(count) / Double(length(of: cell.track))).rounded(.down))
        let name = Cycle.names[cell.values[.cycle] ?? 0]
        let isInCycle =
            switch name {
            case "always", "not fill": true
            case "first": pass == 0
            case "not first": pass != 0
            case "fill": false
            default: (pass - Int(name.prefix(1))! + 1) % Int(name.suffix(1))! == 0
            }
        return isInCycle && dice(count, cell) < Double(cell.values[.chance] ?? 100) / 100
    }

    private func length(of track: Track) -> Int { times[track]?.length ?? length }

    /// The place in sixteenths of a place counted in steps of a track.
    private func sixteenths(_ steps: Double, of track: Track) -> Double {
        guard let time = times[track] else { return steps }
        return steps * Double(time.d) / Double(time.n)
    }

    private func ratchets(_ wanted: Int, of step: Int, on track: Track) -> Int {
        let (start, end) = (sixteenths(Double(step), of: track), sixteenths(Double(step + 1), of: track))
        let seconds = (time(end) - time(start)) / rate
        // Parts of exactly 5 ms fit, whatever the rounding.
        func fits(_ count: Int) -> Bool { seconds / Double(count) >= 0.005 - 1e-9 }
        return fits(wanted) ? wanted : [8, 6, 4, 3, 2].first { $0 < wanted && fits($0) } ?? 1
    }

    /// All starts before a time in frames, in order.
    func starts(until end: Double) -> [Start] {
        var starts: [Start] = []
        for count in 0...4 * Int(end / stepFrames) + 4 {
            let heard = cells.filter { $0.track != .rhythm || !mutedDrums.contains(Drum(rawValue: $0.note)!) }
            for cell in heard where cell.step == count % length(of: cell.track) && plays(cell, count) {
                let parts = ratchets(cell.values[.ratchet] ?? 1, of: count, on: cell.track)
                var places = (0..<parts).map {
                    let steps = Double(count) + Double(cell.values[.nudge] ?? 0) / 100 + Double($0) / Double(parts)
                    return sixteenths(steps, of: cell.track)
                }
                // Starts that would come before the music sound with its beginning.
                if let last = places.lastIndex(where: { $0 <= 0 }) { places.replaceSubrange(...last, with: [0]) }
                starts += places.map { Start(track: cell.track, note: cell.note, time: time($0), count: count) }
            }
        }
        // Of two on the same frame, the later step's is heard.
        let newest = Dictionary(grouping: starts) { [$0.track.rawValue, $0.note, Int($0.time.rounded())] }
            .values.map { $0.max { $0.count < $1.count }! }
        return newest.filter { $0.time < end }.sorted { ($0.time, $0.track.rawValue) < ($1.time, $1.track.rawValue) }
    }
}
