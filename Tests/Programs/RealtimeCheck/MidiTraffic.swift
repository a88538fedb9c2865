import TestSupport

/// Messages as at a MIDI input: notes, controllers, a clock that jitters, and some nonsense.
struct MidiTraffic {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 16) }

    private mutating func pick(_ count: Int) -> UInt8 { UInt8(Int.random(in: 0..<count, using: &random)) }

    /// The next message, of one to three bytes.
    mutating func next() -> [UInt8] {
        let channel = [0, 1, 2, 9, 15][Int(pick(5))] as UInt8
        switch pick(16) {
        case 0...3: return [0x90 | channel, 36 + pick(40), pick(128)]
        case 4...5: return [0x80 | channel, 36 + pick(40), 64]
        case 6...7:
            // Gain and pan, pedal, modulation, and those that release all notes.
            let controllers: [UInt8] = [7, 10, 64, 64, 1, 120, 121, 123]
            return [0xb0 | channel, controllers[Int(pick(8))], pick(128)]
        case 8: return [0xe0 | channel, pick(128), pick(128)]
        case 9: return [0xc0 | channel, pick(16)]
        case 10: return [0xfa + pick(3)]
        case 11: return [0xf2, pick(128), pick(8)]
        case 12: return [0xf0, pick(128), pick(128)]
        case 13: return [pick(256 / 2), pick(128), pick(128)]
        default: return [0xf8]
        }
    }
}
