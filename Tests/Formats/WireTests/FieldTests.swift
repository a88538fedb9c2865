import JSON
import Music
import PatternFormat
import Testing
import Wire

struct FieldTests {
    struct Refusal: CustomTestStringConvertible {
        var parameters: JSONObject
        var read: @Sendable (Fields) throws -> Void
        var message: String

        var testDescription: String { message }
    }

    static let refusals = [
        Refusal(
            parameters: [:], read: { _ = try $0("bpm", .number(in: 20...300)) },
            message: "bpm: expected a number from 20 to 300, got nothing"),
        Refusal(
            parameters: ["bpm": 19.99], read: { _ = try $0("bpm", .number(in: 20...300)) },
            message: "bpm: expected a number from 20 to 300, got 19.99"),
        Refusal(
            parameters: ["bpm": "fast"], read: { _ = try $0("bpm", .number(in: 20...300)) },
            message: #"bpm: expected a number from 20 to 300, got "fast""#),
        Refusal(
            parameters: ["bpm": .null], read: { _ = try $0.optional("bpm", .number(in: 20...300)) },
            message: "bpm: expected a number from 20 to 300, got null"),
        Refusal(
            parameters: ["pan": -1.01], read: { _ = try $0("pan", .number(in: -1...1)) },
            message: "pan: expected a number from -1 to 1, got -1.01"),
        Refusal(
            parameters: ["swing": [0.5]], read: { _ = try $0("swing", .number(in: 0.5...0.75)) },
            message: "swing: expected a number from 0.5 to 0.75, got an array"),
        Refusal(
            parameters: ["step": 4.5], read: { _ = try $0("step", .integer(in: 0...31)) },
            message: "step: expected an integer from 0 to 31, got 4.5"),
        Refusal(
            parameters: ["step": 32], read: { _ = try $0("step", .integer(in: 0...31)) },
            message: "step: expected an integer from 0 to 31, got 32"),
        Refusal(
            parameters: ["touch": 1e300], read: { _ = try $0("touch", .integer) },
            message: "touch: expected an integer, got 1e+300"),
        // 2^63, however it is written.
        Refusal(
            parameters: ["touch": 0x1p63], read: { _ = try $0("touch", .integer) },
            message: "touch: expected an integer, got 9.223372036854776e+18"),
        Refusal(
            parameters: ["touch": try! JSONValue(parsing: "9223372036854775808".utf8)],
            read: { _ = try $0("touch", .integer) },
            message: "touch: expected an integer, got 9.223372036854776e+18"),
        Refusal(
            parameters: ["on": 1], read: { _ = try $0("on", .boolean) },
            message: "on: expected true or false, got 1"),
        Refusal(
            parameters: ["name": true], read: { _ = try $0("name", .string) },
            message: "name: expected a string, got true"),
        Refusal(
            parameters: ["scale": "dorian"], read: { _ = try $0("scale", Kind<Scale>.name) },
            message: #"scale: expected one of major, minor, penta, got "dorian""#),
        Refusal(
            parameters: ["track": 0], read: { _ = try $0("track", Kind<Track>.name) },
            message: "track: expected one of melody, chords, bass, rhythm, got 0"),
        Refusal(
            parameters: ["topics": "frame"], read: { _ = try $0("topics", .array(of: Kind<Topic>.choice)) },
            message: #"topics: expected an array, got "frame""#),
        Refusal(
            parameters: ["topics": ["frame", "sound"]], read: { _ = try $0("topics", .array(of: Kind<Topic>.choice)) },
            message: "topics[1]: expected one of frame, state, step, tooltip, haptic, launch, sync, midi, scope, "
                + #"punch, library, labels, take, audio, got "sound""#),
        Refusal(
            parameters: ["limits": ["line": 1]], read: { _ = try $0("limits", Welcome.Limits.kind) },
            message: "limits.unread: expected an integer, got nothing"),
        Refusal(
            parameters: ["limits": 3], read: { _ = try $0("limits", Welcome.Limits.kind) },
            message: "limits: expected an object, got 3"),
    ]

    @Test(arguments: refusals)
    func `an invalid field is refused with its name, what was expected and what was found`(_ refusal: Refusal) throws {
        let error = #expect(throws: FieldError.self) { try refusal.read(Fields(refusal.parameters)) }
        #expect(error?.description == refusal.message)
    }

    @Test func `topics are read once each, however often they are sent`() throws {
        let fields = Fields(["topics": ["step", "frame", "step", "step"]])
        #expect(try Methods.unsubscribe.parameters(fields) == [.frame, .step])
        #expect(try Methods.subscribe.parameters(fields).0 == [.frame, .step])
    }

    @Test func `4.0 is an integer, and an integer is a number`() throws {
        let fields = Fields(["a": 4.0, "b": 4])
        #expect(try fields("a", .integer(in: 4...4)) == 4)
        #expect(try fields("b", .number(in: 4...4)) == 4)
    }

    @Test func `bounds belong to a range`() throws {
        let fields = Fields(["low": 20, "high": 300])
        #expect(try fields("low", .number(in: 20...300)) == 20)
        #expect(try fields("high", .number(in: 20...300)) == 300)
    }

    @Test func `unknown names are ignored, and optional members may be missing`() throws {
        #expect(try Fields(["what": 1]).optional("name", .string) == nil)
        let method = Method(
            "blink", "Blinks.", .optional("maxFps", .integer(in: 1...240), default: 60, "Frames a second."),
            result: .nothing, example: .init(returns: [:]))
        #expect(try method.parameters(Fields([:])) == 60)
        #expect(try method.parameters(Fields(["maxFps": 30])) == 30)
        #expect(throws: FieldError.self) { try method.parameters(Fields(["maxFps": 0])) }
        #expect(method.json(of: 30) == ["maxFps": 30])
        #expect(
            method.description.parameters[0].schema
                == ["type": "integer", "minimum": 1, "maximum": 240, "default": 60])
    }
}
