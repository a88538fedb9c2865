import Engine
import Media
import Music
import OfflineAudio
import Takes

/// Takes as Standard MIDI Files.
public enum TakeMIDI {
    /// All frames have been played.
    private struct Finished: Error {}

    /// The bytes of a file with every note of a take as it was sent, or as it sounded, and with the tempo that it had.
    ///
    /// A track whose notes went to `midi_out` has all messages that were sent; of others the notes are as they would have been
    /// sent. Each message is on its channel, and in the file's track of the first of our tracks with this channel.
    ///
    /// - Parameters:
    ///   - take: As it is stored now.
    ///   - nextPieces: Returns the take's next pieces from the one with a number on, and none at its end.
    ///   - progress: Called repeatedly with the fraction that is done, 0 to 1; an error that it throws ends the work.
    /// - Throws: `MIDIFileError` if there are too many messages, ``TakeRendering/Failure`` if the take cannot be read.
    public static func file(
        of take: KeptTake, nextPieces: (_ first: Int) throws -> [[UInt8]], progress: (Double) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        try TakeReading.check(take)
        let routes = TakeRoutes()
        let performance = TakePerformance(change: routes.sendAll) { kit, _ in FoundKit(without: kit) }
        let length = Int(max(1, min(take.progress.frames, KeptTake.longest)))
        var (midi, frame) = (MIDIPerformance?.none, 0)
        do {
            try performance.play(nextPieces) { output in
                guard let rate = performance.rates?.take, let replay = performance.replay else { return }
                if midi == nil { midi = MIDIPerformance(named: take.head.pattern, sampleRate: rate) }
                if let report = replay.report { midi?.setTempo(report.bpm, at: frame) }
                let before = frame
                switch output {
                case .silence(let count): frame += count
                case .period(let period):
                    for (place, event) in period.messages(of: .midiOut) {
                        guard let track = routes.track(of: event) else { continue }
                        try midi?.add(event.bytes, of: track, at: Int(place))
                    }
                    frame += period.frameCount
                }
                if frame >> 16 > before >> 16 { try progress(min(1, Double(frame) / Double(length))) }
                // Keys that sound nowhere may go up shortly after the last sound.
                if frame >= length + Int(rate) { throw Finished() }
            }
        } catch is Finished {}
        guard let midi else { throw TakeRendering.Failure(description: "the take is empty") }
        return midi.file(until: min(frame, length))
    }
}

/// Where a take's notes go.
private final class TakeRoutes {
    /// The track of each channel, from 0, and whether all its messages were sent, not only played here.
    private var tracks: [UInt8: (track: Track, isSent: Bool)] = [:]

    /// Lets all tracks send their notes.
    func sendAll(_ source: ScoreSource) -> ScoreSource {
        var source = source
        var isSent = false
        for track in Track.allCases.reversed() {
            let place = track.rawValue
            let isOwn = source.parameters[.target, place] != Self.voices
            isSent = isSent || isOwn
            if !isOwn { source.parameters[.target, place] = Self.both }
            tracks[UInt8(max(0, min(15, source.parameters[.channel, place] - 1)))] = (track, isOwn)
        }
        // What was not sent did not come back.
        if !isSent { source.isMidiCircular = false }
        return source
    }

    /// The track of a message; nil for one that was not sent.
    func track(of event: MidiEvent) -> Track? {
        guard event.status < 0xf0, let (track, isSent) = tracks[event.status & 0xf] else { return nil }
        return isSent || (0x80..<0xa0).contains(event.status) ? track : nil
    }

    private static let voices = Double(NoteTarget.allCases.firstIndex(of: .voices) ?? 0)
    private static let both = Double(NoteTarget.allCases.firstIndex(of: .both) ?? 0)
}

extension MidiEvent {
    fileprivate var bytes: [UInt8] { Array([status, first, second].prefix(Int(count))) }
}
