import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// The tracks' notes on their way to other programs.
@Suite(.timeLimit(.minutes(2))) struct MidiTests {
    @Test(arguments: [16, 64, 256, 1024])
    func `notes are sent on the frames on which they are heard`(period: Int) async throws {
        try await Stage.with(period: period) { stage in
            let client = try await stage.connect()
            try await client.setHats()
            let peer = try JackMidiPeer(of: stage.server)
            defer { peer.close() }
            try peer.connect("pixelboop:midi_out", to: "peer:in")
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            try await client.play()
            #expect(await recorder.record(frames: 48_000 * 2))
            try await client.stop()
            try await client.waitForState { $0.transport.state == .stopped }
            #expect(await recorder.record(frames: 4096))

            let ons = peer.messages.filter { $0.bytes == [0x99, 42, 96] }
            let onsets = recorder.recording.onsets(channel: 0, afterSilence: 500)
            #expect(onsets.count >= 4 && Set(ons.map(\.frame)).isSuperset(of: onsets))
            #expect(peer.messages.filter { $0.bytes[0] == 0x89 }.count == ons.count)
        }
    }

    @Test func `on request notes are sent when our sound is heard`() async throws {
        try await Stage.with(period: 256) { stage in
            let client = try await stage.connect()
            try await client.setHats()
            try await client.setSync([.syncLatency: .choice("compensate")])
            let listing = try await JackTool.run("jack_lsp", "-l", "pixelboop:main_L", on: stage.server)
            let line = try #require(listing.split(separator: "\n").first { $0.contains("playback latency") })
            let latency = try #require(line.split(separator: " ").compactMap { UInt32($0) }.first)
            try #require(latency >= 256)
            let peer = try JackMidiPeer(of: stage.server)
            defer { peer.close() }
            try peer.connect("pixelboop:midi_out", to: "peer:in")
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            try await client.play()
            #expect(await recorder.record(frames: 48_000 * 2))
            try await client.stop()
            let ons = peer.messages.filter { $0.bytes == [0x99, 42, 96] }
            let onsets = recorder.recording.onsets(channel: 0, afterSilence: 500)
            // The stop drops a note that was not sent yet.
            let heard = onsets.dropLast().map { $0 &+ latency }
            #expect(onsets.count >= 4 && Set(ons.map(\.frame)).isSuperset(of: heard))
        }
    }

    @Test func `the daemon releases all keys when it ends`() async throws {
        try await JackServer.with(isSynchronous: true) { server in
            let daemon = try DaemonProcess(jackServer: server.name)
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            let peer = try JackMidiPeer(of: server)
            defer { peer.close() }
            try peer.connect("pixelboop:midi_out", to: "peer:in")
            try await client.set(.bass, [.target: "midi"])
            try await client.setTempo(20)
            try await client.setNote(.bass, step: 0, note: 0, .accent)
            for step in 1..<32 { try await client.setNote(.bass, step: step, note: 0, .sustain) }
            try await client.play()
            try await client.waitForState { $0.transport.state == .playing }
            try await waitUntil { !peer.messages.isEmpty }
            _ = await daemon.end(with: SIGTERM)
            #expect(peer.messages.map(\.bytes) == [[0x92, 36, 96], [0x82, 36, 0x40]])
        }
    }

    @Test(arguments: [64, 1024])
    func `a key sounds on its frame, a fader moves a gain, a program launches a scene`(period: Int) async throws {
        try await Stage.with(period: period) { stage in
            let client = try await stage.connect()
            let peer = try JackMidiPeer(of: stage.server)
            defer { peer.close() }
            try peer.connect("peer:out", to: "pixelboop:midi_in")
            try await waitUntil { try await client.midiPorts().first?.connections == ["peer:out"] }
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            // The closed hat, whose first sample is loud.
            let frame = try #require(await peer.send([0x99, 42, 100]))
            #expect(await recorder.record(frames: 8192))
            #expect(recorder.recording.onsets(channel: 0, afterSilence: 0).first == frame)
            _ = await peer.send([0xb0, 7, 64])
            try await client.waitForState { state in
                (state.settings[.gain, .melody].number ?? 0).isBetween(-11.95, -11.85)
            }
            // Programs of channel 16 are scenes.
            _ = await peer.send([0xcf, 4])
            try await client.waitForState { state in state.slots.allSatisfy { $0.playing == 5 } }
        }
    }
}

extension PixelBoopClient {
    /// Writes hats, whose first sample is loud, that are heard and sent.
    fileprivate func setHats() async throws {
        try await setTempo(150)
        for step in stride(from: 0, to: 32, by: 4) { try await setNote(.rhythm, step: step, note: 7, .accent) }
        try await set(.rhythm, [.target: "both"])
    }
}

extension Double {
    fileprivate func isBetween(_ low: Double, _ high: Double) -> Bool { (low...high).contains(self) }
}
