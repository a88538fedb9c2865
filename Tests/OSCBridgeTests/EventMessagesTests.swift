import Grid
import JSON
import OSC
import PixelBoopClient
import Testing
import Wire

@testable import OSCBridge

struct EventMessagesTests {
    @Test func `an event becomes a message with its values in order`() {
        var messages = EventMessages()
        #expect(
            messages.messages(for: .step(StepEvent(step: 7, frame: 5_000_000_000, usecs: 12)))
                == [OSCMessage("/pixelboop/step", .integer(7), .long(5_000_000_000), .integer(12))])
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

    @Test func `JSON values become OSC values`() {
        let value: JSONValue = [1, 3_000_000_000, 0.5, "a", true, .null, ["b": [false]]]
        #expect(
            value.oscArguments
                == [.integer(1), .long(3_000_000_000), .float(0.5), .string("a"), .boolean(true), .boolean(false)])
    }
}
