import CannedDaemon
import JSON
import ProgramTestSupport
import Testing
import Wire

/// `pixelboop midi`.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MidiCommandTests {
    private func trigger(_ type: String, _ number: Int, channel: Int?) -> JSONValue {
        ["type": .string(type), "channel": channel.map { .integer($0) } ?? .null, "number": .integer(number)]
    }

    private func run(_ arguments: String) async throws -> (outcome: Program.Outcome, last: Request?) {
        let triggers = [
            trigger("cc", 7, channel: 1), trigger("cc", 7, channel: 2), trigger("note", 60, channel: nil),
            trigger("cc", 1, channel: nil), trigger("cc", 1, channel: 5),
        ]
        let bindings = triggers.map { JSONValue.object(["on": $0, "to": ["method": "history.undo"]]) }
        let daemon = try await CannedDaemon.start()
        return try await daemon.serving { call in
            switch call.method {
            case "midi.bindings": .success(["bindings": .array(bindings)])
            case "midi.ports": .success([["name": "midi_in", "connections": ["a2j:Keys"]]])
            default: .success([:])
            }
        } while: { log in
            let outcome = try await Program.run(
                arguments.split(separator: " ").map(String.init), socket: daemon.path)
            return (outcome, log.all.last)
        }
    }

    @Test(arguments: ["midi", "midi list"])
    func `it prints ports and bindings, and ends`(command: String) async throws {
        let (outcome, _) = try await run(command)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                midi_in    a2j:Keys
                cc 7, channel 1: history.undo
                cc 7, channel 2: history.undo
                note 60: history.undo
                cc 1: history.undo
                cc 1, channel 5: history.undo

                """)
    }

    @Test func `--json prints both in one object, --bindings one of them`() async throws {
        let whole = try JSONValue(parsing: try await run("midi --json").outcome.output).objectValue
        #expect(whole?["ports"]?.arrayValue?.count == 1 && whole?["bindings"]?.arrayValue?.count == 5)
        let bindings = try JSONValue(parsing: try await run("midi --bindings --json").outcome.output)
        #expect(bindings == whole?["bindings"])
    }

    @Test func `a lesson without a binding is reported with all that may be the reason`() async throws {
        let daemon = try await CannedDaemon.start()
        async let running = Program.run(["midi", "learn", "transport.toggle"], socket: daemon.path)
        let peer = try await daemon.welcome()
        let hello = try #require(try await peer.receive())
        try await peer.answer(hello, .success(.object(Welcome(version: "canned").json)))
        for method in ["subscribe", "midi.learn"] {
            let call = try #require(try await peer.receive())
            #expect(call.method == method)
            try await peer.answer(call, .success([:]))
        }
        try await peer.send(MidiNews(.nothing).line)
        let outcome = try await running
        #expect(outcome.status == 1)
        #expect(
            outcome.complaint == """
                pixelboop: nothing was learned: no message arrived within 30 s, another client began to learn, or all \
                256 bindings are taken

                """)
    }

    @Test(
        arguments: [
            ("cc 7 --channel 2", "cc", 7, 2), ("note 60", "note", 60, nil), ("CC 1", "cc", 1, nil),
            ("cc 1 --channel 5", "cc", 1, 5),
        ] as [(String, String, Int, Int?)])
    func `only that binding is removed`(arguments: String, type: String, number: Int, channel: Int?) async throws {
        let (outcome, last) = try await run("midi unbind \(arguments)")
        #expect(outcome.status == 0 && outcome.complaint == "")
        #expect(last?.method == "midi.unbind")
        guard case .byName(let parameters) = last?.parameters else { return }
        let on = parameters["on"]?.objectValue
        #expect(on?["type"] == .string(type) && on?["number"] == .integer(number))
        #expect(on?["channel"]?.intValue == channel)
    }

    @Test(arguments: [
        ("cc 7", "cc 7 is bound on --channel 1, 2"), ("cc 7 --channel 3", "cc 7 is bound on --channel 1, 2"),
        ("cc 99", "cc 99 is bound to nothing"),
        ("note 60 --channel 4", "note 60 is bound on any channel: leave --channel out"),
    ])
    func `other bindings are named, and nothing is unbound`(arguments: String, words: String) async throws {
        let (outcome, last) = try await run("midi unbind \(arguments)")
        #expect(outcome.status == 1)
        #expect(outcome.complaint == "pixelboop: \(words)\n")
        #expect(last?.method == "midi.bindings")
    }
}
