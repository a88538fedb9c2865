import Glibc
import Music

/// How parameters move in a Standard MIDI File: controllers, each when it changes, and never more than 100 a second.
enum MIDIMotion {
    /// The messages of a track.
    ///
    /// - Parameters:
    ///   - loops: The pattern as each pass plays it.
    ///   - mixer: What parameters have where nothing moves them, once something has.
    static func events(
        of track: Track, channel: Int, in loops: [Pattern], _ clock: StepTicks, mixer: (Parameter) -> Double
    ) -> [MIDIChannelEvent] {
        Parameter.movable.flatMap { parameter -> [MIDIChannelEvent] in
            guard let controller = parameter.sentController,
                loops.contains(where: { !$0[track].motions[parameter].isEmpty })
            else { return [] }
            var events: [MIDIChannelEvent] = []
            var sent: UInt8?
            for (tick, count) in places(in: loops, clock) {
                let pattern = loops[Int(count) / loops[0].length]
                let step = count.truncatingRemainder(dividingBy: Double(pattern.length))
                let moved = pattern[track].motions.value(parameter, at: step, length: pattern.length)
                guard let value = moved ?? sent.map({ _ in mixer(parameter) }) else { continue }
                let position = parameter.controllerPosition(of: value, root: pow(10, value / 40))
                guard position != sent else { continue }
                sent = position
                events.append(
                    MIDIChannelEvent(
                        tick: tick, isStart: false, message: [0xb0 | UInt8(channel), controller, position]))
            }
            return events
        }
    }

    /// Ticks at which a controller may change, 10 ms apart or a little more, and how many steps are over by then.
    private static func places(in loops: [Pattern], _ clock: StepTicks) -> [(tick: Int, count: Double)] {
        let interval = max(1, Int((Double(MIDIFile.ticksPerBeat) * loops[0].tempo.bpm / 6000).rounded(.up)))
        return (0..<loops.count * loops[0].length).flatMap { step in
            let (start, next) = (clock.start(ofStep: step), clock.start(ofStep: step + 1))
            let first = (start + interval - 1) / interval * interval
            return stride(from: first, to: next, by: interval).map { tick in
                (tick, Double(step) + Double(tick - start) / Double(next - start))
            }
        }
    }
}
