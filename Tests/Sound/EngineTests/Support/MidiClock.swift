import Engine
import OfflineAudio
import TestSupport

/// A MIDI clock that sends to a driver: ticks on the frames of a tempo, which may jitter.
struct MidiClock {
    let driver: OfflineDriver
    /// When the next tick would be on time, in frames.
    var time: Double
    var bpm: Double
    /// How far a tick may be off either way, in frames.
    var jitter = 0.0
    var random = SeededGenerator(seed: 1)
    private var last: Int64 = 0

    init(_ driver: OfflineDriver, from frame: Int64 = 100, bpm: Double) {
        self.driver = driver
        time = Double(frame)
        self.bpm = bpm
    }

    /// Frames from one tick to the next.
    var period: Double { 48_000 * 2.5 / bpm }

    /// Sends ticks, and returns when the first of them would be on time.
    @discardableResult
    mutating func tick(_ count: Int) -> Double {
        let first = time
        for _ in 0..<count {
            let shake = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &random)
            last = max(last, Int64((time + shake).rounded()))
            driver.receive(MidiEvent(frame: 0, 0xf8), at: last)
            time += period
        }
        return first
    }

    /// Sends a message a few frames before the next tick, however early that is.
    func send(_ event: MidiEvent) { driver.receive(event, at: max(last, driver.frame, Int64(time - jitter) - 60)) }

    func start() { send(MidiEvent(frame: 0, 0xfa)) }
    func proceed() { send(MidiEvent(frame: 0, 0xfb)) }
    func stop() { send(MidiEvent(frame: 0, 0xfc)) }

    func point(at sixteenth: Int) {
        send(MidiEvent(frame: 0, count: 3, 0xf2, UInt8(sixteenth & 0x7f), UInt8(sixteenth >> 7)))
    }
}
