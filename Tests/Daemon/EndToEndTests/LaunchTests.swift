import Instrument
import Music
import PixelBoopClient
import Testing
import Wire

/// Launches on a JACK server, as other programs hear of them.
@Suite(.timeLimit(.minutes(2))) struct LaunchTests {
    @Test func `a scene's launch is published with the frame on which all of its tracks change`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await client.set(.length, to: 8)
            try await client.setTempo(300)
            let events = try await client.subscribe(to: [.launch, .step])
            try await client.play()
            try await client.launchScene(3)
            // Steps and launches of one turn of the loop come in any order.
            var launches: [LaunchEvent] = []
            var starts: [StepEvent] = []
            for try await event in events {
                switch event {
                case .launch(let launch): launches.append(launch)
                case .step(let step) where step.step == 0: starts.append(step)
                default: break
                }
                if launches.count == 4, starts.contains(where: { $0.frame == launches[0].frame }) { break }
            }
            #expect(launches.map(\.track) == Track.allCases && launches.allSatisfy { $0.slot == 3 })
            #expect(launches.allSatisfy { $0.frame == launches[0].frame && $0.usecs == launches[0].usecs })
        }
    }
}
