import DaemonTestSupport
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// Everything that is played, part by part.
struct Performance {
    let server: JackServer
    let daemon: DaemonProcess
    let seed: UInt64
    private let tally = Tally()

    init(server: JackServer, daemon: DaemonProcess, seed: UInt64) {
        self.server = server
        self.daemon = daemon
        self.seed = seed
    }

    func play(for duration: Duration) async throws {
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        let counting = try await countEvents()
        defer { counting.cancel() }
        say("every gesture on every track")
        try await playGestures(client)
        say("anything at the MIDI ports, all voices sent to them")
        try await playMidi(client)
        say("anything at once for \(duration.components.seconds) s, on a server that changes, hangs, dies and returns")
        try await Player.playTogether(6, daemon, tally, seed: seed) {
            var changes = ServerChanges(server: server, client: client, seed: seed)
            try await changes.happen(for: duration)
        }
        say("every note at once")
        let periods = try await playAllNotes(client)

        let steps = await tally.steps
        let (traces, blocks) = await (tally.traces, tally.blocks)
        guard steps > 0, traces > 0, blocks > 0, periods > 0 else {
            throw CheckFailure.missing(
                "\(steps) steps, \(traces) traces of the scope and \(blocks) blocks of audio in \(periods) periods")
        }
        let audio = try await client.statistics().audio
        say(await tally.description)
        say("\(steps) steps, the last of them in \(periods) periods; worst callback \(audio.worst) µs")
    }

    /// Subscribes to everything that the process callback reports, so that it is reported.
    private func countEvents() async throws -> Task<Void, any Error> {
        let events = try await daemon.connect().subscribe(to: [.step, .scope])
        let blocks = try await daemon.connect().subscribe(to: [.audio])
        let others = try await daemon.connect().subscribe(to: [.audio])
        return Task { [tally] in
            async let _ = { for try await _ in blocks { await tally.countBlock() } }()
            async let _ = { for try await _ in others {} }()
            for try await event in events {
                switch event {
                case .step: await tally.countStep()
                case .scope: await tally.countTrace()
                default: break
                }
            }
        }
    }

    // MARK: Gestures

    private func playGestures(_ client: PixelBoopClient) async throws {
        try await client.play()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for track in Track.allCases {
                group.addTask { [daemon, tally] in
                    let hand = Hand(client: try await daemon.connect(), tally: tally)
                    for motion in FingerMotion.onTracks { try await hand.perform(motion, on: track, column: nil) }
                }
            }
            try await group.waitForAll()
        }
        let hand = Hand(client: client, tally: tally)
        for (motion, gesture) in [
            (FingerMotion.erase, "erase"), (.swipeLeft, "undo"), (.swipeRight, "redo"), (.scrub, "clear"),
        ] {
            // A machine under load may miss a gesture's time limits.
            for _ in 0..<5 where await !tally.gestures.contains(gesture) {
                try await hand.perform(motion, on: .melody, column: nil)
            }
        }
        let missing = await FingerMotion.gestures.subtracting(tally.gestures)
        guard missing.isEmpty else { throw CheckFailure.missing("the gestures \(missing.sorted())") }
    }

    // MARK: MIDI

    /// Plays all voices and sends the tracks' notes, recording or not, by our clock and by one that jitters, while all
    /// kinds of messages come in.
    private func playMidi(_ client: PixelBoopClient) async throws {
        try await client.setPattern(Self.fullPattern)
        for track in Track.allCases { try await client.set(track, [.target: .choice(NoteTarget.both)]) }
        let peer = try JackMidiPeer(of: server)
        defer { peer.close() }
        try peer.connect("peer:out", to: "pixelboop:midi_in")
        for port in ["midi_out", "clock_out"] { try peer.connect("pixelboop:\(port)", to: "peer:in") }
        var traffic = MidiTraffic(seed: seed)
        for (source, isRecording) in [(SyncSource.own, false), (.own, true), (.midi, true)] {
            try await client.setSync([.syncSource: .choice(source), .syncLead: .selection([SyncLead.midi.name])])
            try await client.record(isRecording)
            try await client.play()
            for _ in 0..<400 {
                guard await peer.send(traffic.next()) != nil else { throw CheckFailure.missing("a period for MIDI") }
            }
            try await client.stop()
        }
        try await client.record(false)
        let heard = peer.messages
        let notes = heard.count { $0.bytes[0] & 0xf0 == 0x90 }
        let ticks = heard.count { $0.bytes == [0xf8] }
        let skipped = try await client.statistics().midi.skipped
        guard notes > 100, ticks > 20, skipped > 0 else {
            throw CheckFailure.missing("\(notes) notes, \(ticks) ticks and \(skipped) messages without sense")
        }
    }

    // MARK: Everything

    /// - Returns: The number of periods that were recorded.
    private func playAllNotes(_ client: PixelBoopClient) async throws -> Int {
        try await client.setSync([.syncSource: .choice(SyncSource.own), .syncLead: .selection([])])
        try await client.setPattern(Self.fullPattern)
        for track in Track.allCases {
            try await client.set(
                track,
                [.mute: false, .solo: false, .gain: 0, .pan: 0, .reverb: -6, .delay: -6, .duck: 6, .target: "internal"])
        }
        let ports = ["main_L", "main_R", "reverb_L", "delay_R"] + Track.allCases.map(\.name)
        let recorder = try JackRecorder(ports.map { "pixelboop:\($0)" }, of: server)
        defer { recorder.close() }
        try await client.play()
        for (channel, port) in ports.enumerated() {
            guard await recorder.hear(channel: channel) else { throw CheckFailure.missing("the sound of \(port)") }
        }
        await recorder.record(frames: 2 * recorder.recording.sampleRate)
        try await client.stop()
        return recorder.recording.blocks.count
    }

    /// Every voice starts on the even steps and lasts over the odd ones; melody's notes take turns.
    static var fullPattern: Pattern {
        var pattern = Pattern()
        pattern.bpm = 300
        pattern.length = 8
        for track in Track.allCases {
            for step in 0..<8 {
                let turn = step / 2 * 3
                for note in track == .melody ? turn..<(turn + 1) : 0..<Track.noteCount {
                    pattern[track, note, step] =
                        step % 2 == 0 ? .accent : track == .rhythm ? .normal : .sustain
                }
            }
        }
        return pattern
    }
}

actor Tally {
    private(set) var steps = 0
    /// Traces that an oscilloscope was sent.
    private(set) var traces = 0
    /// Blocks that a listener was sent.
    private(set) var blocks = 0
    /// The gestures that touches were recognised as.
    private(set) var gestures: Set<String> = []
    private var acts: [String: Int] = [:]

    func countStep() { steps += 1 }

    func countTrace() { traces += 1 }

    func countBlock() { blocks += 1 }

    func count(gesture: String) {
        gestures.insert(gesture)
        acts["gestures", default: 0] += 1
    }

    func count(_ act: String) { acts[act, default: 0] += 1 }

    var description: String {
        acts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
