import CJack
import CLinux
import JackAudio
import JackTestSupport
import Testing

/// Converting JACK's time to the system's.
@Suite(.timeLimit(.minutes(1))) struct JackClockTests {
    private var systemTime: Duration { .nanoseconds(Int64(clinux_monotonic_nanoseconds())) }

    @Test func `the offset turns JACK's time into the system's`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
                let (before, jack, after) = (systemTime, Duration.microseconds(Int64(jack_get_time())), systemTime)
                let converted = jack + JackClock.offset
                // Both clocks are read in whole microseconds, and drift a little from one reading to the next.
                #expect(converted > before - .milliseconds(1))
                #expect(converted < after + .milliseconds(1))
            }
        }
    }
}
