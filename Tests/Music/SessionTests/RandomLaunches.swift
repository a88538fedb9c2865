import Engine
import Instrument
import Music
import OfflineAudio
import Session
import TestSupport

/// Random requests of every kind, most of which concern slots, and how soon the session polls again.
struct RandomLaunches {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func periods() -> Int { Int.random(in: 1...25, using: &random) }

    mutating func isAttentive() -> Bool { Int.random(in: 0..<3, using: &random) > 0 }

    mutating func commands() -> [Command] { (0..<Int.random(in: 0...3, using: &random)).map { _ in command() } }

    private mutating func command() -> Command {
        let bank = SlotBank.all.randomElement(using: &random)!
        let index = Int.random(in: 0..<Slot.count, using: &random)
        let track = Track.allCases.randomElement(using: &random)!
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<4: return .launch(.launch(bank, index, Bool.random(using: &random) ? .queued : .now))
        case 4..<6: return .launch(.chain(bank, [index, (index + 1) % 8, index]))
        case 6: return .launch(.cancel(bank))
        case 7: return .set(.launchQuantum, to: .choice(LaunchQuantum.allCases.randomElement(using: &random)!))
        case 8: return .transport([.stop, .pause, .locate(0)].randomElement(using: &random)!)
        case 9..<11: return .transport(.play)
        case 11: return .set(.length, to: .number(Double(Int.random(in: 8...17, using: &random))))
        case 12: return .set(.tempo, to: 300)
        case 13: return .change([.undo])
        case 14: return .change([.redo])
        case 15:
            var pattern = Pattern()
            pattern.length = 9
            pattern[.rhythm, index, index] = .normal
            return .change([.replacePattern(pattern)])
        case 16: return Bool.random(using: &random) ? .tapTempo : .catchKeys
        case 17: return .look(track, through: Lens.allCases.randomElement(using: &random)!)
        case 18: return .fill(Bool.random(using: &random))
        case 19:
            // To the default: the engine's steps do not tell values.
            return .adjustNotes(track, slot: index, step: index, [.level: 0])
        case 20: return Bool.random(using: &random) ? .freeze(track) : .reset(track, .level)
        default:
            return .setNote(
                track, slot: index, step: Int.random(in: 0..<17, using: &random),
                note: [0, 4, 7].randomElement(using: &random)!,
                Note(.normal))
        }
    }
}

extension Command {
    /// The cases. A new one does not compile here until it is listed, and then fails a test until ``RandomLaunches``
    /// makes it.
    enum Kind: CaseIterable {
        case change, setNote, adjustNotes, transport, catchKeys, tapTempo, launch, look, fill, freeze, reset
    }

    var kind: Kind {
        switch self {
        case .change: .change
        case .setNote: .setNote
        case .adjustNotes: .adjustNotes
        case .transport: .transport
        case .catchKeys: .catchKeys
        case .tapTempo: .tapTempo
        case .launch: .launch
        case .look: .look
        case .fill: .fill
        case .freeze: .freeze
        case .reset: .reset
        }
    }
}

extension Instrument {
    /// The notes that are started on each of this many steps, by track; none for a step that was not played.
    func notes(from start: Duration, to end: Duration, steps: Int) async -> [[StepNotes]] {
        while engine.nextNotice() != nil {}
        await play(from: start, to: end, listening: false)
        var notes = Array(repeating: [StepNotes](), count: steps)
        while let notice = engine.nextNotice() {
            guard case .step(let step) = notice else { continue }
            notes[Int(step.step)] = Track.allCases.map { step.notes[$0.rawValue].stepNotes }
        }
        return notes
    }
}
