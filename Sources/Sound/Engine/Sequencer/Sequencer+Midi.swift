import Music

// MIDI input, and the clock that we send.

extension Sequencer {
    /// Handles the messages that have arrived by the current frame.
    mutating func receive(
        _ port: MidiBuffer, _ output: inout EngineOutput, _ midi: borrowing MidiExchange, offset: Int, in cycle: RtCycle
    ) {
        while unsafe midiIndex < port.count, unsafe Int(port.event(midiIndex).frame) <= offset {
            let bytes = unsafe port.event(midiIndex)
            midiIndex += 1
            output.time = DriverTime(offset, in: cycle)
            for index in 0..<Int(bytes.count) {
                let byte = index == 0 ? bytes.status : index == 1 ? bytes.first : bytes.second
                guard let message = parser.parse(byte) else { continue }
                // What comes back must not be learned, nor move or call what it is bound to.
                if live.ignores(message, &output.voices.sender.echoes, at: frame) { continue }
                midi.push(message, offset: offset, in: cycle)
                receive(message, &output)
                output.voices.sender.echoes.endRelay()
            }
        }
    }

    /// Handles a clock or channel message.
    private mutating func receive(
        _ message: MidiEvent, _ output: inout EngineOutput
    ) {
        if message.status >= 0xf0 {
            transport.receive(message, at: frame)
            settle(&output)
        }
        // Nothing would end a note that starts now: the ports are about to close.
        if transport.hasEnded { return }
        live.play(message, moment, &output)
        forgetPressed()
    }

    /// Presses or releases a program's key.
    mutating func play(
        _ key: RtKey, _ output: inout EngineOutput
    ) {
        if key.velocity == 0 { return live.release(key, moment, &output) }
        if transport.hasEnded { return }
        live.press(key, moment, &output)
        forgetPressed()
    }

    /// Forgets the notes of steps whose voices keys have taken over.
    private mutating func forgetPressed() {
        while let index = live.fetchPressed() { held.forget(track: index / noteCount, note: index % noteCount) }
    }

    /// The current frame, and where the music is.
    var moment: KeyMoment {
        KeyMoment(
            frame: frame, stepSeconds: stepSeconds, clock: transport.runs ? transport.clock : nil, times: times,
            counts: counts, slots: launches.playing)
    }

    /// Reports how many messages were echoes, and how many were skipped.
    mutating func report(to midi: borrowing MidiExchange) {
        midi.count(echoes: live.fetchEchoCount(), skipped: parser.skippedCount)
    }

    /// Sends the messages of our clock that are due at the current frame.
    mutating func sendClock(offset: Int) {
        unsafe transport.sendClock(at: frame, offset: offset, to: clockMessages.cycle)
    }

    /// Outputs our clock's messages that are due in a cycle, after it was rendered.
    mutating func finishClock(to port: MidiBuffer, in cycle: RtCycle) {
        unsafe clockMessages.finish(
            port, from: frame - Int64(cycle.frameCount), count: cycle.frameCount,
            delay: delay(in: cycle, ownLatency: cycle.clockOutLatency))
    }

    /// How many frames messages are delayed, so that they are heard with our sound.
    func delay(in cycle: RtCycle, ownLatency: Int) -> Int64 {
        guard transport.settings.sync.compensatesLatency else { return 0 }
        return Int64(max(0, cycle.playbackLatency - ownLatency))
    }
}
