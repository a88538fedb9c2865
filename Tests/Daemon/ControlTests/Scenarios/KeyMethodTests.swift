import Control
import ControlTestSupport
import Engine
import JSON
import Music
import OfflineAudio
import Session
import TestSupport
import Testing
import Wire

/// Keys that programs press.
@Suite(.timeLimit(.minutes(1))) struct KeyMethodTests {
    /// The highest sample of a track in 1000 frames, after 9000 more in which what was released fades.
    private func peak(of track: Track, _ driver: OfflineDriver) -> Float {
        driver.render(frames: 9000) { _ in }
        _ = driver.engine.fetchPeak(track: track.rawValue)
        driver.render(frames: 1000) { _ in }
        return driver.engine.fetchPeak(track: track.rawValue)
    }

    /// A driver whose clock is the session's.
    private func driver(of server: TestServer) throws -> OfflineDriver {
        try OfflineDriver(engine: server.engine, sampleRate: 48_000)
    }

    @Test(arguments: Reach.allCases)
    func `a note or a key sounds until it is released by either name`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (client, driver) = (try await server.client(), try driver(of: server))
            #expect(try await client.call("keys.press", ["track": "bass", "note": 7]) == [:])
            #expect(peak(of: .bass, driver) > 0)
            #expect(try await client.call("keys.release", ["track": "bass", "key": 43]) == [:])
            #expect(peak(of: .bass, driver) == 0)
            #expect(try await client.call("keys.release", ["track": "bass", "key": 43]) == [:])
            try await client.call("keys.press", ["track": "melody", "key": 72, "velocity": 127])
            #expect(peak(of: .melody, driver) > 0)
            try await client.call("keys.press", ["track": "melody", "key": 72, "velocity": 0])
            #expect(peak(of: .melody, driver) == 0)
        }
    }

    @Test(arguments: Reach.allCases)
    func `the connection's end releases its keys, and no others`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (first, second) = (try await server.client(), try await server.client())
            let driver = try driver(of: server)
            try await first.call("keys.press", ["track": "bass", "note": 0])
            try await second.call("keys.press", ["track": "chords", "note": 0])
            // Another's key is not released.
            try await second.call("keys.release", ["track": "bass", "note": 0])
            #expect(peak(of: .bass, driver) > 0)
            await first.transport.close()
            try await second.untilAlone()
            #expect(peak(of: .bass, driver) == 0)
            #expect(peak(of: .chords, driver) > 0)
        }
    }

    @Test(arguments: [false, true])
    func `a remote client's keys end with its silence, others' do not`(isRemote: Bool) async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let (client, driver) = (try await server.client(), try driver(of: server))
            if isRemote { try await client.call("hello", ["remote": true]) }
            try await client.call("keys.press", ["track": "bass", "note": 0])
            #expect(peak(of: .bass, driver) > 0)
            let pressed = ControlClock.now
            // Another client's lines do not count.
            let other = try await server.client()
            if isRemote {
                try await waitUntil {
                    try await other.call("ping")
                    return peak(of: .bass, driver) == 0
                }
                #expect(ControlClock.now - pressed >= .milliseconds(1900))
            } else {
                await server.session.advance(to: ControlClock.now + .seconds(3))
                #expect(peak(of: .bass, driver) > 0)
            }
        }
    }

    @Test(
        arguments: [
            (["track": "bass"], "note: expected a note or a key, got nothing"),
            (["track": "bass", "note": 3, "key": 39], "key: expected either a note or a key, got both"),
            (["track": "bass", "note": 12], "note: expected an integer from 0 to 11, got 12"),
            (["track": "bass", "key": 128], "key: expected an integer from 0 to 127, got 128"),
            (
                ["track": "rhythm", "key": 41],
                "key: expected one of 36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56 on rhythm, got 41"
            ),
            (["note": 3], "track: "),
        ] as [(JSONObject, String)])
    func `a key that does not exist is refused`(parameters: JSONObject, words: String) async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            for method in ["keys.press", "keys.release"] {
                let error = try await client.refusal(method, parameters)
                #expect(error?.code == .invalidParams && error?.message.hasPrefix(words) == true)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `a seventeenth key, a velocity of 128 and keys without a driver are refused`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let client = try await server.client()
            for key in 40..<56 { try await client.call("keys.press", ["track": "bass", "key": .integer(key)]) }
            let error = try await client.refusal("keys.press", ["track": "bass", "key": 56])
            #expect(error?.code == .invalidParams)
            #expect(error?.message == "key: expected at most 16 held keys, got one more")
            #expect(
                try await client.refusal("keys.press", ["track": "bass", "key": 40, "velocity": 128])?.code
                    == .invalidParams)
        }
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            for method in ["keys.press", "keys.release"] {
                #expect(try await client.refusal(method, ["track": "bass", "note": 0])?.code == .noAudio)
            }
        }
    }
}
