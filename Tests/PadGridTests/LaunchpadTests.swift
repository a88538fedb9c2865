import TestSupport
import Testing

@testable import PadGrid

struct LaunchpadTests {
    @Test(arguments: [(LaunchpadModel.miniMK3, UInt8(0x0d)), (.x, 0x0c), (.proMK3, 0x0e)])
    func `programmer mode begins and ends byte for byte as published`(model: LaunchpadModel, device: UInt8) {
        let words = LaunchpadProtocol(model)
        #expect(words.enter == [0xf0, 0x00, 0x20, 0x29, 0x02, device, 0x0e, 0x01, 0xf7])
        #expect(words.leave == [0xf0, 0x00, 0x20, 0x29, 0x02, device, 0x0e, 0x00, 0xf7])
    }

    @Test func `lights are set byte for byte as published`() {
        let words = LaunchpadProtocol(.miniMK3)
        let lights: [(spot: Deck.Spot, color: UInt32)] = [
            (.pad(PadPosition(column: 0, row: 7)), 0xff0000), (.pad(PadPosition(column: 7, row: 0)), 0x00ff81),
            (.button(.up), 0x0a0a0a),
        ]
        #expect(
            words.messages(lights) == [
                [
                    0xf0, 0x00, 0x20, 0x29, 0x02, 0x0d, 0x03, 3, 11, 127, 0, 0, 3, 88, 0, 127, 64, 3, 91, 5, 5, 5, 0xf7,
                ]
            ])
    }

    @Test func `many lights are several messages`() {
        let lights: [(spot: Deck.Spot, color: UInt32)] = (0..<64).map {
            (.pad(PadPosition(column: $0 % 8, row: $0 / 8)), 0)
        }
        let messages = LaunchpadProtocol(.x).messages(lights)
        #expect(messages.map(\.count) == [8 + 200, 8 + 120])
        #expect(messages.allSatisfy { $0[1..<$0.count - 1].allSatisfy { $0 < 128 } })
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
        let found = LaunchpadFinder.launchpads(sources: sources, sinks: sinks)
        #expect(found.map { "\($0.source) > \($0.sink)" } == expected)
    }
}
