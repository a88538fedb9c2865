import TestSupport
import Testing

@testable import Controllers

struct LaunchpadTests {
    @Test(arguments: [(LaunchpadModel.miniMK3, UInt8(0x0d)), (.x, 0x0c), (.proMK3, 0x0e)])
    func `programmer mode begins and ends byte for byte as published`(model: LaunchpadModel, device: UInt8) {
        let words = LaunchpadProtocol(model)
        #expect(words.enter == [0xf0, 0x00, 0x20, 0x29, 0x02, device, 0x0e, 0x01, 0xf7])
        #expect(words.leave == [0xf0, 0x00, 0x20, 0x29, 0x02, device, 0x0e, 0x00, 0xf7])
    }

    private static let lights: [(spot: Deck.Spot, color: UInt32, bytes: [UInt8])] = [
        (.pad(PadPosition(column: 0, row: 7)), 0xff0000, [3, 11, 127, 0, 0]),
        (.pad(PadPosition(column: 7, row: 0)), 0x00ff81, [3, 88, 0, 127, 64]),
        (.button(.up), 0x0a0a0a, [3, 91, 5, 5, 5]),
    ]

    @Test(arguments: lights.indices) func `lights are set byte for byte as published`(index: Int) {
        let (spot, color, bytes) = Self.lights[index]
        #expect(
            LaunchpadProtocol(.miniMK3).message(spot, color)
                == [0xf0, 0x00, 0x20, 0x29, 0x02, 0x0d, 0x03] + bytes + [0xf7])
    }

    /// a2jmidid (release 9) drops longer ones.
    @Test(arguments: LaunchpadModel.allCases) func `no message is longer than 16 bytes`(model: LaunchpadModel) {
        let words = LaunchpadProtocol(model)
        let pads = (0..<64).map { Deck.Spot.pad(PadPosition(column: $0 % 8, row: $0 / 8)) }
        let lights = (pads + PadButton.allCases.map { .button($0) }).map { words.message($0, 0xffffff) }
        for message in lights + [words.enter, words.leave] {
            #expect(message.count <= 16)
            #expect(message.dropFirst().dropLast().allSatisfy { $0 < 128 })
        }
    }

    private static let events: [([UInt8], LaunchpadProtocol.Event?)] = [
        ([0x90, 81, 100], .press(PadPosition(column: 0, row: 0))),
        ([0x90, 81, 0], .release(PadPosition(column: 0, row: 0))),
        ([0x80, 18, 64], .release(PadPosition(column: 7, row: 7))), ([0xb0, 91, 127], .pressButton(.up)),
        ([0xb0, 29, 0], .releaseButton(.solo)), ([0xb0, 19, 127], .pressButton(.lens)), ([0xb0, 49, 127], nil),
        ([0xa0, 81, 50], nil), ([0xd0, 50], nil),
        ([0x90, 19, 1], nil), ([0x90, 90, 1], nil), ([0x90, 9, 1], nil), ([0x90, 127, 1], nil), ([0x91, 81, 1], nil),
        ([], nil),
    ]

    @Test(arguments: events.indices) func `pads are notes and buttons are controllers`(index: Int) {
        #expect(LaunchpadProtocol(.x).event(Self.events[index].0) == Self.events[index].1)
    }

    @Test(arguments: LaunchpadModel.allCases) func `every spot has its own number, and is found by it`(
        model: LaunchpadModel
    ) {
        let words = LaunchpadProtocol(model)
        let pads = (0..<64).map { Deck.Spot.pad(PadPosition(column: $0 % 8, row: $0 / 8)) }
        let numbers = (pads + PadButton.allCases.map { .button($0) }).map(words.number)
        #expect(Set(numbers).count == numbers.count)
        for button in PadButton.allCases { #expect(model.button(of: model.number(of: button)) == button) }
    }

    @Test func `whatever a device sends is an event or ignored`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let message = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard case .press(let pad)? = LaunchpadProtocol(.proMK3).event(message) else { continue }
            #expect((0..<8).contains(pad.column) && (0..<8).contains(pad.row))
        }
    }

    private static let ports: [([String], [String], [String])] = [
        // a2jmidid, two of a kind
        (
            [
                "a2j:Launchpad Mini MK3 [28] (capture): Launchpad Mini MK3 MIDI 1",
                "a2j:Launchpad Mini MK3 [28] (capture): Launchpad Mini MK3 MIDI 2",
                "a2j:Launchpad Mini MK3 [32] (capture): Launchpad Mini MK3 MIDI 1",
                "a2j:Launchpad Mini MK3 [32] (capture): Launchpad Mini MK3 MIDI 2",
                "a2j:Midi Through [14] (capture): Midi Through Port-0",
            ],
            [
                "a2j:Launchpad Mini MK3 [28] (playback): Launchpad Mini MK3 MIDI 1",
                "a2j:Launchpad Mini MK3 [28] (playback): Launchpad Mini MK3 MIDI 2",
                "a2j:Launchpad Mini MK3 [32] (playback): Launchpad Mini MK3 MIDI 1",
                "a2j:Launchpad Mini MK3 [32] (playback): Launchpad Mini MK3 MIDI 2",
            ],
            [
                "a2j:Launchpad Mini MK3 [28] (capture): Launchpad Mini MK3 MIDI 2 > a2j:Launchpad Mini MK3 [28] (playback): Launchpad Mini MK3 MIDI 2",
                "a2j:Launchpad Mini MK3 [32] (capture): Launchpad Mini MK3 MIDI 2 > a2j:Launchpad Mini MK3 [32] (playback): Launchpad Mini MK3 MIDI 2",
            ]
        ),
        // PipeWire, with the names of newer kernels
        (
            ["Midi-Bridge:Launchpad X:(capture_0) LPX DAW Out", "Midi-Bridge:Launchpad X:(capture_1) LPX MIDI Out"],
            ["Midi-Bridge:Launchpad X:(playback_0) LPX DAW In", "Midi-Bridge:Launchpad X:(playback_1) LPX MIDI In"],
            ["Midi-Bridge:Launchpad X:(capture_1) LPX MIDI Out > Midi-Bridge:Launchpad X:(playback_1) LPX MIDI In"]
        ),
        (
            [
                "a2j:Launchpad Pro MK3 [24] (capture): Launchpad Pro MK3 MIDI 1",
                "a2j:Launchpad Pro MK3 [24] (capture): Launchpad Pro MK3 MIDI 2",
            ],
            ["a2j:Launchpad Pro MK3 [24] (playback): Launchpad Pro MK3 MIDI 1"],
            [
                "a2j:Launchpad Pro MK3 [24] (capture): Launchpad Pro MK3 MIDI 1 > a2j:Launchpad Pro MK3 [24] (playback): Launchpad Pro MK3 MIDI 1"
            ]
        ),
        // No port to send lights to.
        (["Launchpad X:MIDI Out"], [], []),
        (["pixelboop:clock_out"], ["pixelboop:midi_in"], []),
    ]

    @Test(arguments: ports.indices) func `Launchpads are found by the names of their ports`(index: Int) {
        let (sources, sinks, expected) = Self.ports[index]
        let found = LaunchpadFinder.launchpads(
            sources: sources.map { LaunchpadFinder.Port($0) }, sinks: sinks.map { LaunchpadFinder.Port($0) })
        #expect(found.map { "\($0.source) > \($0.sink)" } == expected)
    }

    private static func out(_ number: Int? = nil) -> String {
        "Midi-Bridge:Launchpad X: LPX MIDI Out (capture)" + (number.map { "-\($0)" } ?? "")
    }

    private static func `in`(_ number: Int? = nil) -> String {
        "Midi-Bridge:Launchpad X: LPX MIDI In (playback)" + (number.map { "-\($0)" } ?? "")
    }

    /// Numbers of sources and sinks in any order, and which belong together; nil for a plain name.
    private static let identical: [([Int?], [Int?], [[Int?]])] = [
        ([nil, 123], [nil, 124], [[nil, nil], [123, 124]]),
        ([123, nil], [124, nil], [[nil, nil], [123, 124]]),
        ([nil, 99, 123], [124, nil, 101], [[nil, nil], [99, 101], [123, 124]]),
        // The first one is pulled out: its sink is gone before its source, or the other way round.
        ([nil, 123], [124], [[123, 124]]), ([123], [nil, 124], [[123, 124]]),
        ([99, 123], [124], [[123, 124]]), ([99], [101, 124], [[99, 101]]),
        // The second one alone, and with a later one that has got the plain name.
        ([123], [124], [[123, 124]]), ([123, nil], [nil, 124], [[nil, nil], [123, 124]]),
        // Only one port was there first.
        ([nil], [124], [[nil, 124]]),
    ]

    @Test(arguments: identical.indices) func `identical Launchpads under PipeWire are told apart`(index: Int) {
        let (sources, sinks, expected) = Self.identical[index]
        let daw = "Midi-Bridge:Launchpad X: LPX DAW Out (capture)-120"
        let found = LaunchpadFinder.launchpads(
            sources: (sources.map(Self.out) + [daw]).map { LaunchpadFinder.Port($0) },
            sinks: sinks.map { LaunchpadFinder.Port(Self.in($0)) })
        #expect(
            found == expected.map { LaunchpadFinder.Found(model: .x, source: Self.out($0[0]), sink: Self.in($0[1])) })
    }

    /// The aliases of the ports `system:midi_capture_N` and `system:midi_playback_N`, counted from 1, and the numbers that
    /// belong together.
    private static let aliases: [(sources: [String], sinks: [String], expected: [[Int]])] = [
        // jackd -X seq
        (
            [
                "alsa_pcm:Midi-Through/midi_capture_1", "alsa_pcm:Launchpad-X/midi_capture_1",
                "alsa_pcm:Launchpad-X/midi_capture_2",
            ], ["alsa_pcm:Launchpad-X/midi_playback_1", "alsa_pcm:Launchpad-X/midi_playback_2"], [[3, 2]]
        ),
        // Two of a kind have the same aliases.
        (
            ["Launchpad-X:midi/capture_2", "Launchpad-X:midi/capture_2"],
            ["Launchpad-X:midi/playback_2", "Launchpad-X:midi/playback_2"], [[1, 1], [2, 2]]
        ),
        // jackd -X raw
        (
            [
                "alsa_pcm:in-hw-2-0-0-Launchpad-Pro-MK3-LPProMK3-MIDI",
                "alsa_pcm:in-hw-2-0-1-Launchpad-Pro-MK3-LPProMK3-DIN",
                "alsa_pcm:in-hw-3-0-0-Launchpad-Pro-MK3-LPProMK3-MIDI",
            ],
            [
                "alsa_pcm:out-hw-3-0-0-Launchpad-Pro-MK3-LPProMK3-MIDI",
                "alsa_pcm:out-hw-2-0-0-Launchpad-Pro-MK3-LPProMK3-MIDI",
            ], [[1, 2], [3, 1]]
        ),
    ]

    @Test(arguments: aliases.indices) func `Launchpads are found by the aliases of their ports`(index: Int) {
        let (sources, sinks, expected) = Self.aliases[index]
        func ports(_ aliases: [String], _ name: String) -> [LaunchpadFinder.Port] {
            aliases.enumerated().map { LaunchpadFinder.Port("system:\(name)_\($0 + 1)", aliases: [$1]) }
        }
        let found = LaunchpadFinder.launchpads(
            sources: ports(sources, "midi_capture"), sinks: ports(sinks, "midi_playback"))
        #expect(
            found.map { [$0.source, $0.sink] }
                == expected.map { ["system:midi_capture_\($0[0])", "system:midi_playback_\($0[1])"] })
    }
}
