import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import LinkTestSupport
import Music
import PatternFormat
import PixelBoopClient
import TestNeeds
import TestSupport
import Testing
import Wire

/// pixelboop-link and a second peer on another host: Ableton's test plan, as far as it can be automated.
@Suite(.serialized, .needs(.networkNamespaces), .timeLimit(.minutes(2)))
struct LinkTests {
    /// An instrument at 100 BPM that follows any source, its pixelboop-link not yet started.
    private struct Rig {
        let hosts: TwoHosts
        let daemon: DaemonProcess
        let client: PixelBoopClient
        /// The late periods so far, if further ones excuse beats that are off.
        let xruns: Int?

        func link(_ flags: [String] = []) throws -> ChildProgram {
            try ChildProgram(
                on: hosts, .first, .product("pixelboop-link"), ["--socket", daemon.socketPath] + flags)
        }

        /// Expects the instrument's beat to be near a peer's in its bar of four.
        ///
        /// - Throws: ``LatePeriod``.
        func expectBeat(near peer: Peer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let distance = try await abs(distance(to: peer))
            if distance >= 3, let xruns, try await client.statistics().audio.xruns > xruns { throw LatePeriod() }
            #expect(distance < 3, sourceLocation: sourceLocation)
        }

        /// How far the instrument's beat is from a peer's in its bar of four, in milliseconds.
        private func distance(to peer: Peer) async throws -> Double {
            let (theirs, ours) = (try await peer.state(), try await client.playingMoment())
            let times = try await client.clockTimes()
            // JACK's time is converted to Link's, and beats are compared at the same moment.
            let usecs = Double(ours.usecs - times.jack + times.monotonicRaw)
            let beat = theirs.beat + (usecs - theirs.usecs) * theirs.bpm / 60e6
            let error = (beat - ours.beat).remainder(dividingBy: 4)
            return error * 60_000 / theirs.bpm
        }
    }

    /// A late period upsets JACK's time for a second or two, in which the music lags.
    private struct LatePeriod: Error {}

    /// Lets a session age: of two that were begun within half a second, Link keeps either one.
    private func age() async throws { try await Task.sleep(for: .seconds(1)) }

    private func withRig(source: String = "auto", _ body: @escaping @Sendable (Rig) async throws -> Void) async throws {
        try await untilCalm { isLast in
            try await JackServer.with(period: 256, isSynchronous: true, limit: .seconds(90)) { server in
                let daemon = try DaemonProcess(jackServer: server.name, flags: ["--sync", source])
                try await daemon.start()
                let client = try await daemon.connect()
                try await client.waitForState { $0.audio.status == .running }
                try await client.setTempo(100)
                let xruns = isLast ? nil : try await client.statistics().audio.xruns
                var isCalm = true
                do {
                    try await body(Rig(hosts: try await TwoHosts(), daemon: daemon, client: client, xruns: xruns))
                } catch is LatePeriod {
                    isCalm = false
                }
                _ = await daemon.end(with: SIGTERM)
                return isCalm
            }
        }
    }

    /// TEMPO-1 to 4, and the beats of a session that is joined.
    @Test func `a session that is joined determines tempo and beats, and tempo changes go both ways`() async throws {
        try await withRig { rig in
            let peer = try Peer(on: rig.hosts, bpm: 130)
            try await peer.waits { $0.peers == 0 }
            try await age()
            let link = try rig.link()
            try await rig.client.waitForState { $0.sync.following == .timeline && $0.sync.bpm == 130 }
            #expect(try await abs(peer.waits { $0.peers == 1 }.bpm - 130) < 0.01)
            #expect(try await rig.client.state().state.bpm == 100)
            try await rig.client.play()
            try await rig.client.waitForStep()
            try await rig.expectBeat(near: peer)
            // A player's tempo becomes the session's.
            try await rig.client.setTempo(140)
            try await peer.waits { abs($0.bpm - 140) < 0.01 }
            try await rig.client.waitForState { $0.sync.bpm == 140 }
            // A pattern's tempo does not.
            var pattern = Pattern()
            pattern.bpm = 77
            try await rig.client.setPattern(pattern)
            peer.say("tempo 20")
            try await rig.client.waitForState { abs($0.sync.bpm - 20) < 0.01 }
            // At a tempo like this, any remaining error is soon corrected.
            peer.say("tempo 999")
            try await rig.client.waitForState { abs($0.sync.bpm - 999) < 0.01 && $0.sync.locked }
            try await rig.expectBeat(near: peer)
            #expect(try await abs(peer.state().bpm - 999) < 0.01)
            await link.end()
            await peer.end()
        }
    }

    /// TEMPO-5, BEATTIME-1 and 2.
    @Test func `alone the session is ours, a joining peer adopts it, and neither is audible`()
        async throws
    {
        try await withRig { rig in
            try await rig.client.play()
            let steps = try await rig.client.subscribe(to: [.step])
            let link = try rig.link()
            try await rig.client.waitForState { $0.sync.following == .timeline }
            try await age()
            let peer = try Peer(on: rig.hosts, bpm: 130)
            try await peer.waits { $0.peers == 1 && abs($0.bpm - 100) < 0.01 }
            try await rig.expectBeat(near: peer)
            try await rig.client.waitForStep()
            await link.end()
            try await rig.client.waitForState { $0.sync.following == .own }
            try await rig.client.waitForStep()
            steps.cancel()
            var (last, count): (StepEvent?, Int) = (nil, 0)
            for try await event in steps {
                guard case .step(let step) = event else { continue }
                if let last { #expect(step.step == (last.step + 1) % 32) }
                (last, count) = (step, count + 1)
            }
            #expect(count > 8)
            #expect(try await abs(rig.client.state().state.bpm - 100) < 0.01)
            await peer.end()
        }
    }

    /// STARTSTOPSTATE-1 and 2.
    @Test func `starts and stops go both ways, and joining is neither`() async throws {
        try await withRig { rig in
            let peer = try Peer(on: rig.hosts, bpm: 120)
            peer.say("play")
            try await peer.waits { $0.playing }
            try await age()
            let link = try rig.link()
            try await peer.waits { $0.peers == 1 }
            try await rig.client.waitForState { $0.sync.following == .timeline }
            #expect(try await rig.client.state().state.transport.state == .stopped)
            // Ours joins on a multiple of four beats.
            let steps = try await rig.client.subscribe(to: [.step])
            try await rig.client.play()
            for try await event in steps {
                guard case .step(let step) = event else { continue }
                #expect(step.step % 16 == 0)
                break
            }
            try await rig.expectBeat(near: peer)
            try await rig.client.stop()
            try await peer.waits { !$0.playing }
            try await rig.client.play()
            try await peer.waits { $0.playing }
            try await rig.client.waitForState { $0.transport.state == .playing }
            peer.say("stop")
            try await rig.client.waitForState { $0.transport.state == .stopped }
            // Peers' clocks agree only to some milliseconds, but the last request still counts.
            peer.say("play 500")
            try await rig.client.waitForState { $0.transport.state == .playing }
            try await rig.client.stop()
            try await peer.waits { !$0.playing }
            await link.end()
            await peer.end()
        }
    }

    @Test func `without start and stop sync both play when they want, and internal only shows`() async throws {
        try await withRig(source: "internal") { rig in
            let peer = try Peer(on: rig.hosts, bpm: 120)
            peer.say("play")
            try await age()
            let link = try rig.link(["--no-start-stop", "--quantum", "8"])
            #expect(await link.says("pixelboop sync auto follows it"))
            try await rig.client.waitForState {
                $0.sync.holder == "Ableton Link" && $0.sync.peers == 1 && $0.sync.holderBpm == 120
            }
            let state = try await rig.client.state().state
            #expect(state.sync.following == .own && state.sync.bpm == 100)
            try await rig.client.setSync([.syncSource: "auto"])
            try await rig.client.waitForState { $0.sync.following == .timeline && $0.sync.bpm == 120 }
            try await rig.client.play()
            try await rig.client.waitForStep()
            peer.say("stop")
            try await peer.waits { !$0.playing }
            try await rig.client.setTempo(121)
            try await peer.waits { abs($0.bpm - 121) < 0.01 }
            #expect(try await rig.client.state().state.transport.state == .playing)
            await link.end()
            await peer.end()
        }
    }
}
