import Glibc
import Music

/// Motions of parameters in a Standard MIDI File: controllers, sent when they change, at most 100 a second each.
enum MIDIMotion {
    /// The messages of a track.
    ///
    /// - Parameters:
    ///   - loops: The pattern as each pass plays it.
    ///   - room: How many messages the file has room for.
    ///   - mixer: The values that parameters return to after a motion.
    static func events(
        of track: Track, channel: Int, in loops: [Pattern], _ clock: StepTicks, _ room: inout Int,
        mixer: (Parameter) -> Double
    ) throws -> [MIDIChannelEvent] {
        try Parameter.movable.flatMap { parameter -> [MIDIChannelEvent] in
            guard let controller = parameter.sentController,
                loops.contains(where: { !$0[track].motions[parameter].isEmpty })
            else { return [] }
            var events: [MIDIChannelEvent] = []
            var sent: UInt8?
            for (tick, place) in places(in: loops, clock) {
                try Task.checkCancellation()
                let pattern = loops[Int(place.songStep) / loops[0].length]
                let time = pattern[track].time(in: Loop(length: pattern.length))
                let step = time.count(at: place).truncatingRemainder(dividingBy: Double(time.length))
                let moved = pattern[track].motions.value(parameter, at: step, length: time.length)
                guard let value = moved ?? sent.map({ _ in mixer(parameter) }) else { continue }
                let position = parameter.controllerPosition(of: value, root: pow(10, value / 40))
                guard position != sent else { continue }
                sent = position
                try MIDIFile.reserve(1, from: &room)
                events.append(
                    MIDIChannelEvent(
                        tick: tick, isStart: false, message: [0xb0 | UInt8(channel), controller, position]))
            }
            return events
        }
    }

    /// Ticks at which a controller may change, 10 ms apart or a little more, and their places in the song.
    private static func places(in loops: [Pattern], _ clock: StepTicks) -> [(tick: Int, place: SongPlace)] {
        let interval = max(1, Int((Double(MIDIFile.ticksPerBeat) * loops[0].bpm / 6000).rounded(.up)))
        return (0..<loops.count * loops[0].length).flatMap { step in
            let (start, next) = (clock.start(ofStep: step), clock.start(ofStep: step + 1))
            let first = (start + interval - 1) / interval * interval
            return stride(from: first, to: next, by: interval).map { tick in
                (tick, SongPlace(songStep: Int64(step), part: Double(tick - start) / Double(next - start)))
            }
        }
    }
}
