import Grid
import Instrument
import JSON
import OSC
import Testing
import Wire

@testable import OSCBridge
@testable import PixelBoopClient

struct EventMessagesTests {
    @Test func `an event becomes a message with its values in order, times always as 64 bits`() {
        var messages = EventMessages()
        #expect(
            messages.messages(for: .step(StepEvent(step: 7, frame: 5_000_000_000, usecs: 12)))
                == [OSCMessage("/pixelboop/step", .integer(7), .long(5_000_000_000), .long(12))])
        #expect(
            messages.messages(for: .step(StepEvent(step: 7, tracks: [.bass: 5], frame: 48_000, usecs: 12)))
                == [
                    OSCMessage(
                        "/pixelboop/step", .integer(7), .long(48_000), .long(12), .string("bass"), .integer(5))
                ])
        #expect(
            messages.messages(for: .tooltip(TooltipEvent(text: "CHORD", row: 4, milliseconds: nil)))
                == [OSCMessage("/pixelboop/tooltip", .string("CHORD"), .integer(4))])
    }

    @Test func `the first picture has all cells, later ones those that changed`() {
        var messages = EventMessages()
        var frame = Frame(filledWith: Color(0))
        let first = messages.messages(for: .frame(KeyFrame(sequence: 1, frame: frame)))
        #expect(first.map(\.arguments.count) == [240, 240, 240, 240, 240, 240, 240, 240, 192])
        #expect(first.allSatisfy { $0.address == "/pixelboop/frame" && $0.bytes.count < 1472 })
        frame[3, 2] = Color(0x0a0b0c)
        #expect(
            messages.messages(for: .frame(KeyFrame(sequence: 2, frame: frame)))
                == [OSCMessage("/pixelboop/frame", .integer(91), .integer(0x0a0b0c))])
        #expect(messages.messages(for: .frame(KeyFrame(sequence: 3, frame: frame))).isEmpty)
    }

    @Test func `the state becomes a message per setting, then per change, without a value if it is gone`() throws {
        var messages = EventMessages()
        let plain = JSONValue.object(InstrumentState().json)
        let queued = plain.applying(["slots": ["bass": ["queued": 3]], "lenses": ["melody": "chance"]])
        let first = messages.messages(for: .state(try StateSnapshot(queued)))
        #expect(first.contains(OSCMessage("/pixelboop/state/slots/bass/queued", .integer(3))))
        #expect(first.contains(OSCMessage("/pixelboop/state/root", .string("C"))))
        #expect(
            messages.messages(for: .state(try StateSnapshot(plain.applying(["bpm": 96]))))
                == [
                    OSCMessage("/pixelboop/state/lenses/melody"), OSCMessage("/pixelboop/state/slots/bass/queued"),
                    OSCMessage("/pixelboop/state/bpm", .integer(96)),
                ])
        #expect(messages.messages(for: .state(try StateSnapshot(plain.applying(["bpm": 96])))).isEmpty)
    }

    @Test func `JSON values become OSC values`() {
        let value: JSONValue = [1, 3_000_000_000, 0.5, "a", true, .null, ["b": [false]]]
        #expect(
            value.oscArguments
                == [
                    .integer(1), .long(3_000_000_000), .float(0.5), .string("a"), .boolean(true), .string("b"),
                    .boolean(false),
                ])
    }
}
