import Grid
import Instrument
import Music
import Session
import Testing

/// Notes that the clock starts light up on the grid when they are heard to start.
struct PulseTests {
    /// How the melody's G on step 1 may look: it is on the step that plays or not, and pulses or not.
    private enum Look {
        static let playing = Color(0x33ffbb)
        static let pulsing = Color(0x52ffc5)
        static let pulsingOffItsStep = Color(0x26ffb7)
        static let still = Color(0x00ffaa)
    }

    /// The looks of a G on a step of the melody at moments in ms, while the music plays from step 0 on.
    private func looks(
        onStep step: Int = 1, nudge: Int = 0, bpm: Double = 120, at moments: [Int]
    ) async throws -> [Color] {
        var pattern = Pattern()
        pattern.parameters.set(.tempo, to: .number(bpm))
        pattern[.melody, 7, step] = .normal
        pattern[.melody][step][whole: 7][.nudge] = nudge
        pattern[.melody, 0, step + 1] = .normal
        let instrument = await Instrument(document: Document(pattern: pattern))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        var looks: [Color] = []
        var now = Duration.zero
        for moment in moments {
            await instrument.play(from: now, to: .milliseconds(moment))
            now = .milliseconds(moment)
            let frame = await instrument.session.frame(at: now).value
            looks.append(frame[Layout.column(ofStep: step), Layout.row(of: .melody, note: 7)])
        }
        return looks
    }

    @Test func `a late note pulses when it starts, not with its step`() async throws {
        // Step 1 is heard from 125 to 250 ms, the note from 187.5 ms on.
        let looks = try await looks(nudge: 50, at: [130, 180, 190, 240, 260, 280, 290])
        #expect(
            looks == [
                Look.playing, Look.playing, Look.pulsing, Look.pulsing, Look.pulsingOffItsStep,
                Look.pulsingOffItsStep, Look.still,
            ])
    }

    @Test func `an early note pulses when it starts, before its step`() async throws {
        // Step 1 is heard from 125 ms on, the note from 62.5 ms on.
        let looks = try await looks(nudge: -50, at: [50, 70, 120, 130, 150, 170, 220])
        #expect(
            looks == [
                Look.still, Look.pulsingOffItsStep, Look.pulsingOffItsStep, Look.pulsing, Look.pulsing, Look.playing,
                Look.playing,
            ])
    }

    @Test func `at a slow tempo an early note's pulse ends before its step`() async throws {
        // Step 1 is heard from 500 ms on, the note from 250 ms on.
        let looks = try await looks(nudge: -50, bpm: 30, at: [240, 260, 340, 360, 490, 510])
        #expect(
            looks == [
                Look.still, Look.pulsingOffItsStep, Look.pulsingOffItsStep, Look.still, Look.still, Look.playing,
            ])
    }

    @Test func `an early note of the first step of all starts with it`() async throws {
        let looks = try await looks(onStep: 0, nudge: -50, at: [10, 90, 110])
        #expect(looks == [Look.pulsing, Look.pulsing, Look.playing])
    }

    @Test func `a pulse goes on while the track's next note starts`() async throws {
        // A step takes 50 ms, a pulse 100.
        let looks = try await looks(bpm: 300, at: [60, 90, 110, 140, 160])
        #expect(
            looks == [
                Look.pulsing, Look.pulsing, Look.pulsingOffItsStep, Look.pulsingOffItsStep, Look.still,
            ])
    }
}
