import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// The end under load: the daemon plays, several clients edit, and somebody ends it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ShutdownTests {
    /// These edit what cannot be heard.
    private static let editors: [Editor] = [.chords, .bass, .rhythm]

    @Test(arguments: [SIGTERM, SIGINT])
    func `the sound fades out, clients get bye, and the last edit is on disk`(signal: Int32) async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await playOneLongNote(client)
            let before = try await client.pattern()
            let ports = ["main_L", "main_R", "melody"]
            let recorder = try JackRecorder(ports.map { "pixelboop:\($0)" }, of: stage.server)
            defer { recorder.close() }
            #expect(await recorder.hear(channel: 0))

            let history = try await edit(stage.daemon, from: before) {
                #expect(await recorder.record(frames: 28800))
                let asked = ContinuousClock.now
                #expect(await stage.daemon.end(with: signal) == 0)
                print("ended \(ContinuousClock.now - asked) after signal \(signal)")
            }
            #expect(await recorder.record(frames: 4800))
            for channel in ports.indices { try checkEnding(recorder.recording.channels[channel], ports[channel]) }

            try await stage.daemon.start()
            let found = try await stage.connect().pattern()
            #expect(try history.expectThatExisted(found) == nil)
            #expect(history.answeredCount > 0)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal right after the start ends it in order too`(signal: Int32) async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        for tempo in 97...101 {
            try await daemon.start()
            try await daemon.connect().setTempo(Double(tempo))
            #expect(await daemon.end(with: signal) == 0)
            try await daemon.start()
            #expect(await daemon.end(with: signal) == 0)
            try await daemon.start()
            #expect(try await daemon.connect().pattern().bpm == Double(tempo))
            #expect(await daemon.end(with: signal) == 0)
        }
    }

    private func playOneLongNote(_ client: PixelBoopClient) async throws {
        try await client.setNote(.melody, step: 0, note: 4, .accent)
        for step in 1..<32 { try await client.setNote(.melody, step: step, note: 4, .sustain) }
        for track in [Track.chords, .bass, .rhythm] { try await client.set(track, [.mute: true]) }
        try await client.play()
    }

    /// Lets clients edit until an event, after which all of them must have received `bye`.
    private func edit(
        _ daemon: DaemonProcess, from before: Pattern, until event: () async throws -> Void
    ) async throws -> EditHistory {
        try await withThrowingTaskGroup(of: (Editor, [Editor.Edit]).self) { group in
            for editor in Self.editors {
                let client = try await daemon.connect()
                let events = try await client.subscribe(to: [.state])
                group.addTask {
                    async let edits = editor.edit(client, after: editor.number(in: before), seed: 31)
                    #expect(await events.hearBye())
                    return (editor, await edits)
                }
            }
            try await event()
            return EditHistory(before: before, edits: try await group.reduce(into: [:]) { $0[$1.0] = $1.1 })
        }
    }

    /// Nothing in the last tenth of a second is steeper than the note itself.
    private func checkEnding(_ samples: [Float], _ port: String) throws {
        let end = try #require(samples.lastIndex { $0 != 0 })
        let steady = samples[(end - 9600)..<(end - 4800)]
        #expect(steady.contains { abs($0) > 0.01 }, "\(port)")
        #expect(samples[(end - 4800)...].steepestStep <= steady.steepestStep + 0.002, "\(port)")
    }
}
