import Engine
import Music
import OfflineAudio

/// Everything that can arrive at the MIDI input, for an instrument that sends all its notes.
///
/// An input is a series of events of four bytes: one for the count and the frame, and the message's bytes; now and then
/// a period ends.
struct MidiTarget: FuzzTarget {
    private let engine: Engine

    init() {
        var score = Score(Document())
        for track in Track.allCases {
            score.parameters[.target, track.rawValue] = 2
            score.parameters[.channel, track.rawValue] = Double(1 + track.rawValue / 2)
        }
        for index in 0..<128 {
            let notes = NoteSet(bits: UInt16(truncatingIfNeeded: (0x9e37_79b9 &* (index + 1)) >> 8))
            let heads = notes.intersection([0, 3, 6, 8, 11])
            score[playing: index / 32].notes[index % 32] = StepNotes(heads, .normal)
        }
        engine = Engine(score: score)
    }

    func run(_ input: UnsafeRawBufferPointer) {
        let driver: OfflineDriver
        do {
            driver = try OfflineDriver(engine: engine, sampleRate: 8000)
        } catch {
            fatalError("\(error)")
        }
        var keys = KeysAtOutput()
        for command in [RtCommand.stop, .play, .record(true)] { driver.schedule(.command(command), at: 0) }
        for start in stride(from: 0, to: input.count - 3, by: 4) {
            let (first, bytes) = (input[start], input[(start + 1)..<(start + 4)].map { $0 })
            driver.receive(
                MidiEvent(frame: 0, count: first % 3 + 1, bytes[0], bytes[1], bytes[2]),
                at: driver.frame + Int64(first >> 4))
            if first & 8 != 0 { render(driver, 16 + Int(first) * 4, &keys) }
        }
        driver.schedule(.command(.stop), at: driver.frame + 256)
        render(driver, 512, &keys)
        require(keys.down.isEmpty, "keys are down after stop: \(keys.down)")
    }

    private func render(_ driver: OfflineDriver, _ frames: Int, _ keys: inout KeysAtOutput) {
        driver.render(frames: frames, periods: [64]) { period in
            for (_, event) in period.messages(of: .midiOut) { keys.accept(event) }
            for sample in period[.mainLeft] { require(abs(sample) <= 1, "a sample of \(sample) behind the clipper") }
        }
        while let notice = engine.nextNotice() {
            switch notice {
            case .recorded(let note), .played(let note):
                require(note.track < 4 && note.note < 12 && note.step < 32 && note.sustainCount < 32, "\(note)")
            case .key(let key): require(key.track < 4 && key.note < 12 && key.slot < 8, "\(key)")
            default: break
            }
        }
        while let arrival = engine.nextArrival() {
            let message = arrival.message
            require(message.status >= 0x80 && message.first < 0x80 && message.second < 0x80, "\(message)")
        }
    }
}
