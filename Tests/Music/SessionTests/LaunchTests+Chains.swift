import Engine
import Instrument
import Music
import Session
import Testing

// Chains go on without the session, which shows each link when it is heard.

extension LaunchTests {
    private var chain: Command { .launch(.chain(.track(.bass), [2, 4, 5])) }

    /// What the first links of that chain are, in loops of so many frames.
    private func links(_ count: Int, loop: Int) -> [String] {
        (0..<count).map { "bass \([3, 5, 6][$0 % 3]) at \($0 * loop)" }
    }

    @Test func `a control thread that is late for several loops makes no link of a chain late`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(chain, at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(4500), listening: false)
        await instrument.session.advance(to: .milliseconds(4500))
        #expect(await launches(instrument) == links(5, loop: 48_000))
        #expect(await playing(instrument) == 5)
        #expect(await instrument.session.launches.chain(.track(.bass)) == [2, 4, 5])
        await instrument.play(from: .milliseconds(4500), to: .milliseconds(5500))
        #expect(await launches(instrument) == ["bass 6 at 240000"])
    }

    @Test func `each link plays one loop, even if that is shorter than the latency, and is shown when it is heard`()
        async throws
    {
        let instrument = try await playing()
        await instrument.session.audioChanged(
            to: AudioState(status: .running, rate: 48000, period: 480),
            timing: AudioTiming(latency: .milliseconds(700)), at: .zero)
        // A loop of 8 steps takes 0.4 s, 19200 frames.
        try await instrument.session.perform(.set(.tempo, to: 300), at: .zero)
        try await instrument.session.perform(chain, at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(690))
        #expect(await launches(instrument).isEmpty)
        await instrument.play(from: .milliseconds(690), to: .seconds(4))
        #expect(await launches(instrument) == links(9, loop: 19_200))
    }

    @Test func `a launch for whose notice there was no room is shown all the same`() async throws {
        // Steps of four tracks at four times the speed fill the room for notices within 4 s.
        var pattern = Pattern()
        pattern.length = 8
        pattern.parameters.set(.tempo, to: .number(300))
        for track in Track.allCases { pattern[track].speed = .quadruple }
        let instrument = await Instrument(document: Document(pattern: pattern))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(5900), listening: false)
        #expect(await instrument.session.droppedNotices > 0)
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(5900))
        await instrument.play(from: .milliseconds(5900), to: .milliseconds(6100), listening: false)
        await instrument.session.advance(to: .milliseconds(6100))
        #expect(await launches(instrument) == ["bass 3 at 288000"])
        #expect(await playing(instrument) == 3)
        #expect(await instrument.session.launches == LaunchQueue())
    }
}
