import Music

@testable import Engine
@testable import OfflineAudio

/// An engine with keyboards at its MIDI input, and what is down in it.
final class KeyboardEngine {
    static let sampleRate = 8000.0
    let engine: Engine
    private let buffers = PeriodBuffers()
    private var frame: Int64 = 0
    /// What has arrived since the last cycle.
    private(set) var messages: [MidiEvent] = []
    /// The keys that are down on the keyboards.
    private(set) var keyboard: [KeySource] = []
    private var hadPedal = false
    private(set) var atOutput = KeysAtOutput()

    init(_ document: Document) {
        engine = Engine(score: Score(document))
        do { try engine.prepare(sampleRate: Self.sampleRate) } catch { require(false, "\(error)") }
    }

    /// A note on or off, a pedal or the end of all notes.
    func receive(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
        let (channel, first, second) = (status % 16, first % 128, second % 128)
        let key = KeySource(KeyLedger.LedgerPlace(channel: channel, key: first))
        switch status >> 4 & 3 {
        case 0:
            keyboard.removeAll { $0 == key }
            if second > 0 { keyboard.append(key) }
            messages.append(MidiEvent(frame: 0, count: 3, 0x90 | channel, first, second))
        case 1:
            keyboard.removeAll { $0 == key }
            messages.append(MidiEvent(frame: 0, count: 3, 0x80 | channel, first, second))
        case 2:
            if second >= 64 { hadPedal = true }
            messages.append(MidiEvent(frame: 0, count: 3, 0xb0 | channel, 64, second))
        default: messages.append(MidiEvent(frame: 0, count: 3, 0xb0 | channel, 120 + first % 8, second))
        }
    }

    /// The keyboards are gone.
    func unplug() { (messages, keyboard) = ([], []) }

    /// Renders a cycle.
    ///
    /// - Parameter isLate: Whether the driver was so late that keys are no longer pressed.
    func render(_ frameCount: Int, isLate: Bool) {
        let input = buffers.midi(of: .midiIn)
        input.clear()
        for message in messages { input.append(message) }
        messages = []
        let usecsPerFrame = 1e6 / Self.sampleRate
        engine.render(
            RtCycle(
                frameCount: frameCount, startFrame: frame, startUsecs: UInt64(Double(frame) * usecsPerFrame),
                usecsPerFrame: usecsPerFrame, nowUsecs: isLate ? 1 << 50 : 0),
            buffers.ports)
        let period = OfflinePeriod(startFrame: frame, frameCount: frameCount, buffers: buffers)
        for (_, event) in period.messages(of: .midiOut) { atOutput.accept(event) }
        frame += Int64(frameCount)
    }

    /// The notes that are down are those of keys that somebody holds.
    ///
    /// - Parameters:
    ///   - holders: The keys that programs hold.
    ///   - newest: One that must be down.
    func check(_ holders: [KeySource], newest: KeySource?) {
        let holders = holders + keyboard
        let held = engine.controlMemory.synth.sequencer.live.held
        var isNewestDown = newest == nil
        for note in 0..<held.count where held[note].source != .none {
            if held[note].source == newest { isNewestDown = true }
            if held[note].isPedalled {
                require(hadPedal, "a pedal holds note \(note), but nobody has pressed one")
            } else {
                require(holders.contains(held[note].source), "note \(note) is down, but nobody holds its key")
            }
        }
        require(isNewestDown, "a key that was pressed is not down")
    }
}
