import JSON
import OSC
import TestSupport
import Testing
import Wire

@testable import OSCBridge

struct OSCRequestTests {
    private func request(_ address: String, _ arguments: OSCArgument...) throws -> OSCRequest {
        try OSCRequest(OSCMessage(address, arguments))
    }

    /// A value of an example as controllers send it.
    private static func argument(_ value: JSONValue) -> OSCArgument {
        switch value {
        case .bool(let value): .boolean(value)
        case .integer(let value): .integer(Int32(value))
        case .number(let value): .double(value)
        case .string(let text): .string(text)
        default: .string(value.text)
        }
    }

    private static let special = [Methods.subscribe.name, Methods.unsubscribe.name]

    @Test(arguments: Methods.all.filter { !special.contains($0.name) }.map(\.name))
    func `every method's example can be sent`(name: String) throws {
        let method = try #require(Methods.named(name))
        let example = method.example.parameters
        var arguments: [OSCArgument] = []
        for parameter in method.parameters where parameter.isRequired {
            arguments.append(Self.argument(try #require(example[parameter.name])))
        }
        for parameter in method.parameters where !parameter.isRequired {
            guard let value = example[parameter.name] else { continue }
            arguments += [.string(parameter.name), Self.argument(value)]
        }
        let message = OSCMessage("/pixelboop/" + name.replacing(".", with: "/"), arguments)
        guard case .call(name, let parameters) = try OSCRequest(message) else {
            Issue.record("\(message) is no call of \(name)")
            return
        }
        #expect(parameters == example)
    }

    @Test func `optional values are named, or given in order`() throws {
        let named = try request(
            "/pixelboop/track/set", .string("bass"), .string("pan"), .float(0.1), .string("mute"), .integer(1))
        #expect(named == .call(method: "track.set", ["track": "bass", "pan": 0.1, "mute": true]))
        #expect(
            try request("/pixelboop/touch", .integer(3), .string("down"), .float(4.5), .float(2.25))
                == .call(method: "touch", ["touch": 3, "phase": "down", "x": 4.5, "y": 2.25]))
        #expect(
            try request("/pixelboop/touch", .integer(3), .string("cancel"))
                == .call(method: "touch", ["touch": 3, "phase": "cancel"]))
    }

    @Test func `topics are words`() throws {
        #expect(try request("/pixelboop/subscribe", .string("step"), .string("state")) == .subscribe([.step, .state]))
        #expect(try request("/pixelboop/unsubscribe", .string("step")) == .unsubscribe([.step]))
        #expect(try request("/pixelboop/namespace") == .namespace)
    }

    private static let withoutParameters = Methods.all.filter { $0.parameters.isEmpty }.map(\.name)
    private static let pressed: [OSCArgument] = [
        .float(1), .integer(1), .integer(127), .long(1), .double(0.5), .float(-1), .boolean(true),
    ]
    private static let released: [OSCArgument] = [
        .float(0), .integer(0), .long(0), .double(0), .float(-0.0), .boolean(false),
    ]

    @Test(arguments: withoutParameters + ["slot.cancel", "sync.set", "namespace"])
    func `a button acts when it is pressed, and not when it is released`(name: String) throws {
        let address = "/pixelboop/" + name.replacing(".", with: "/")
        let plain = try OSCRequest(OSCMessage(address))
        for value in Self.pressed { #expect(try request(address, value) == plain) }
        for value in Self.released { #expect(try request(address, value) == .nothing) }
        // A value that no button sends is still too much.
        if Self.withoutParameters.contains(name) {
            #expect(throws: OSCRequest.Refusal.self) { try request(address, .string("on")) }
            #expect(throws: OSCRequest.Refusal.self) { try request(address, .integer(1), .integer(1)) }
        }
    }

    @Test func `a number is a value where the method has one`() throws {
        #expect(try request("/pixelboop/reverb/set", .integer(0)) == .call(method: "reverb.set", ["time": 0]))
        #expect(try request("/pixelboop/delay/set", .integer(3)) == .call(method: "delay.set", ["steps": 3]))
        #expect(try request("/pixelboop/scene/launch", .integer(0)) == .call(method: "scene.launch", ["scene": 0]))
    }

    @Test(arguments: [OSCArgument.integer(9000), .long(9000), .float(9000), .double(9000)])
    func `another port is named by any kind of number`(port: OSCArgument) throws {
        #expect(try request("/pixelboop/reply/to", port) == .replyTo(port: 9000))
    }

    @Test(
        arguments: [
            [], [.integer(1023)], [.integer(65_536)], [.integer(-1)], [.float(9000.5)], [.float(.nan)],
            [.string("9000")],
            [.boolean(true)], [.integer(9000), .integer(9001)],
        ] as [[OSCArgument]])
    func `what is no port is refused`(arguments: [OSCArgument]) {
        let refusal = OSCRequest.Refusal(
            method: "reply.to", error: WireError(.invalidParams, "port: expected one number from 1024 to 65535"))
        #expect(throws: refusal) { try OSCRequest(OSCMessage("/pixelboop/reply/to", arguments)) }
    }

    private static let own = [
        OSCMessage("/pixelboop/reply", .string("ping"), .string("{}")),
        OSCMessage("/pixelboop/error", .string("x")), OSCMessage("/pixelboop/confirm", .integer(1)),
        OSCMessage("/pixelboop/step", .integer(1)),
        OSCMessage("/pixelboop/frame"), OSCMessage("/pixelboop/state/bpm", .float(96)), OSCMessage("/pixelboop/bye"),
        OSCMessage("/pixelboop/state/tracks/bass/gain"), OSCMessage("/pixelboop/midi"),
        Answers.namespace[0], Answers.namespace[1],
    ]

    @Test(arguments: own) func `what a bridge sends is recognized`(message: OSCMessage) {
        #expect(OSCRequest.isOwn(message))
    }

    @Test func `no event and no answer has a method's address`() {
        for method in Methods.all {
            #expect(!OSCRequest.isOwn(OSCMessage("/pixelboop/" + method.name.replacing(".", with: "/"))))
        }
        for address in ["/pixelboop/namespace", "/pixelboop/reply/to", "/pixelboop/library/x", "/other/reply"] {
            #expect(!OSCRequest.isOwn(OSCMessage(address)))
        }
    }

    private static let refused: [(OSCMessage, String, Int, String)] = [
        (OSCMessage("/other/tempo"), "/other/tempo", -32_601, "there is no such method"),
        (OSCMessage("/pixelboop/tempo/jump"), "tempo.jump", -32_601, "there is no such method"),
        (OSCMessage("/pixelboop/subscribe"), "subscribe", -32_602, "topics: expected some of frame, state"),
        (OSCMessage("/pixelboop/subscribe", .string("weather")), "subscribe", -32_602, "topics: expected some of"),
        (OSCMessage("/pixelboop/subscribe", .integer(1)), "subscribe", -32_602, "topics: expected some of"),
        (
            OSCMessage("/pixelboop/tempo/set", .integer(1), .integer(2)), "tempo.set", -32_602,
            "expected 1 values, got 2"
        ),
        (
            OSCMessage("/pixelboop/track/set", .string("bass"), .string("pan")), "track.set", -32_602,
            "pan: expected a value after the name"
        ),
        (
            OSCMessage(
                "/pixelboop/track/set", .string("bass"), .string("pan"), .integer(0), .string("colour"), .integer(1)),
            "track.set", -32_602, "expected a name (mute, mutedDrums, solo"
        ),
    ]

    @Test(arguments: refused.indices) func `invalid requests are refused with a message`(index: Int) {
        let (message, method, code, words) = Self.refused[index]
        do throws(OSCRequest.Refusal) {
            _ = try OSCRequest(message)
            Issue.record("\(message) was accepted")
        } catch {
            #expect(error.method == method)
            #expect(error.error.code.number == code)
            #expect(error.error.message.hasPrefix(words), "\(error.error.message)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `values of combining marks are refused at once`() {
        // As long as a packet may be.
        let marks = String.combiningMarks(250_000)
        for message in [
            OSCMessage("/pixelboop/subscribe", .string(marks)),
            OSCMessage(
                "/pixelboop/track/set", .string("bass"), .string("gain"), .integer(-6), .string(marks), .integer(1)),
        ] {
            #expect(throws: OSCRequest.Refusal.self) { try OSCRequest(message) }
        }
    }

    @Test func `the namespace has every method with the types and names of its parameters`() {
        let lines = Answers.namespace.map { $0.arguments.compactMap(\.text) }
        #expect(lines.count == Methods.all.count + 1)
        #expect(lines[0] == ["/pixelboop/reply/to", "i", "port"])
        #expect(lines.contains(["/pixelboop/tempo/set", "f", "bpm"]))
        #expect(
            lines.contains([
                "/pixelboop/note/set", "siisiiisii",
                "track step note velocity [slot] [level] [chance] [cycle] [ratchet] [nudge]",
            ]))
        #expect(
            lines.contains {
                $0[0] == "/pixelboop/track/set" && $0[2].hasPrefix("track [mute] [mutedDrums] [solo] [gain] [pan]")
                    && $0[1].hasPrefix("sT") && $0[1].dropFirst(3).hasPrefix("Tff")
            })
        #expect(lines.allSatisfy { $0[1].count == $0[2].split(separator: " ").count })
    }
}
