import Music

// What comes in at the MIDI input, and our clock, which goes out.

extension Sequencer {
    /// Takes the messages that came by the present frame.
    mutating func receive(
        _ port: MidiBuffer, _ voices: inout VoiceSet, _ exchange: borrowing Exchange, offset: Int, in cycle: RtCycle
    ) {
        while unsafe midiIndex < port.count, unsafe Int(port.event(midiIndex).frame) <= offset {
            let bytes = unsafe port.event(midiIndex)
            midiIndex += 1
            for index in 0..<Int(bytes.count) {
                let byte = index == 0 ? bytes.status : index == 1 ? bytes.first : bytes.second
                guard let message = parser.parse(byte) else { continue }
                // Controllers that come back must not move what they are bound to.
                if voices.sender.echoes.ignores(message, at: frame) { continue }
                exchange.midi.push(message, offset: offset, in: cycle)
                receive(message, &voices, exchange.notices)
            }
        }
    }

    /// Takes a message: of the clock, or of a channel.
    private mutating func receive(
        _ message: MidiEvent, _ voices: inout VoiceSet, _ notices: borrowing Notices
    ) {
        if message.status >= 0xf0 {
            transport.receive(message, at: frame)
            settle(&voices, notices)
        }
        // Nobody would end a note that starts now: the ports are about to close.
        if transport.hasEnded { return }
        live.play(message, moment, &voices, notices)
        while let index = live.takePressed() { held.forget(track: index / noteCount, note: index % noteCount) }
    }

    /// The present frame, and where the music is.
    var moment: Moment {
        Moment(
            frame: frame, stepSeconds: stepSeconds, clock: transport.runs ? transport.clock : nil, times: times,
            counts: counts, slots: launches.playing)
    }

    /// Reports what became of messages.
    mutating func report(to midi: borrowing MidiExchange) {
        midi.count(echoes: live.takeEchoCount(), skipped: parser.skippedCount)
    }

    /// Sends what is due of our clock with the present frame.
    mutating func sendClock(offset: Int) {
        unsafe transport.sendClock(at: frame, offset: offset, to: clockMessages.cycle)
    }

    /// Lets our clock's messages leave that are due in a cycle, which has been rendered.
    mutating func finishClock(to port: MidiBuffer, in cycle: RtCycle) {
        unsafe clockMessages.finish(
            port, from: frame - Int64(cycle.frameCount), count: cycle.frameCount,
            delay: delay(in: cycle, ownLatency: cycle.clockOutLatency))
    }

    /// By how many frames messages leave later than they are played, to be heard with our sound.
    func delay(in cycle: RtCycle, ownLatency: Int) -> Int64 {
        guard transport.settings.sync.compensatesLatency else { return 0 }
        return Int64(max(0, cycle.playbackLatency - ownLatency))
    }
}
