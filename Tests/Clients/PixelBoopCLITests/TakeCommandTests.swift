import CannedDaemon
import Foundation
import JSON
import ProgramTestSupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import pixelboop

/// `pixelboop take`, as far as it makes files.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TakeCommandTests {
    private static let sound = RenderedSound(frames: 144_000, seconds: 182.4)

    /// Runs `pixelboop` with a daemon that renders, and reports how far it is.
    private func run(
        _ script: String, in directory: TemporaryDirectory, sound: RenderedSound = sound, data: [UInt8] = [],
        failing reason: String? = nil, longestMIDI: Int = .max
    ) async throws -> (outcome: Program.Outcome, calls: [Request]) {
        let daemon = try await CannedDaemon.start()
        let log = Log()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let peer = try await daemon.welcome()
                while let call = try await peer.receive() {
                    log.add(call)
                    guard case .byName(let parameters) = call.parameters else { continue }
                    switch call.method {
                    case "hello": try await peer.answer(call, .success(.object(Welcome(version: "canned").json)))
                    case "take.render":
                        if let path = parameters["path"]?.stringValue {
                            try await peer.send(TakeEvent.progress(render: 3, 0.5).line)
                            try await peer.answer(call, .success(.object(RenderReply(path: path, sound).json)))
                        } else {
                            try await peer.answer(call, .success(["render": 3]))
                            try await peer.send(TakeEvent.progress(render: 2, 1).line)
                            try await peer.send(TakeEvent.progress(render: 3, 0.5).line)
                            let end: TakeEvent =
                                reason.map { .failed(render: 3, $0) } ?? .done(render: 3, sound, files: ["mix"])
                            try await peer.send(end.line)
                        }
                    case "take.data":
                        let offset = parameters["offset"]?.intValue ?? 0
                        let part = data[offset..<min(offset + 1000, data.count)]
                        let reply = RenderedData(
                            data: Data(part).base64EncodedString(), size: data.count, isEnd: part.endIndex == data.count
                        )
                        try await peer.answer(call, .success(.object(reply.json)))
                    case "take.midi" where parameters["path"] != nil:
                        try await peer.answer(
                            call, .success(.object(ExportReply(path: "/out.mid", frames: 9).json)))
                    case "take.midi" where longestMIDI < 4:
                        try await peer.answer(call, .failure(WireError(.storage, "the file has 4 bytes")))
                    case "take.midi":
                        try await peer.answer(
                            call, .success(.object(ExportReply(data: "TVRoZA==", frames: 9).json)))
                    default: try await peer.answer(call, .success([:]))
                    }
                }
            }
            let outcome = try await Program.run(
                URL(filePath: "/bin/bash"), ["-c", "cd \(directory.path); \(script)"],
                environment: ["PIXELBOOP_SOCKET": daemon.path, "PATH": "\(Program.folder.path):/usr/bin:/bin"])
            return (outcome, log.all)
        }
    }

    /// What a peer was called.
    private final class Log: Sendable {
        private let calls = Mutex<[Request]>([])
        var all: [Request] { calls.withLock { $0 } }
        func add(_ call: Request) { calls.withLock { $0.append(call) } }
    }

    private func parameters(of method: String, in calls: [Request]) throws -> JSONObject {
        let call = try #require(calls.first { $0.method == method })
        guard case .byName(let parameters) = call.parameters else { return [:] }
        return parameters
    }

    @Test(
        arguments: [
            ("out.wav", ["path": "out.wav"]), ("out.flac", ["path": "out.flac", "format": "flac"]),
            ("out.wav --stems --rate 96000", ["path": "out.wav", "stems": true, "rate": 96_000]),
            (
                "--format pcm24 --from 0:30 --to 1:04:10.5 out.wav",
                ["path": "out.wav", "format": "pcm24", "from": 30, "to": 3850.5]
            ),
        ] as [(String, JSONObject)])
    func `a take is rendered by the daemon to a file here`(arguments: String, expected: JSONObject) async throws {
        let directory = try TemporaryDirectory()
        let (outcome, calls) = try await run("pixelboop take render 12 \(arguments)", in: directory)
        var expected = expected
        let path = directory.file(expected["path"]?.stringValue ?? "")
        (expected["path"], expected["take"]) = (.string(path), 12)
        let call = try parameters(of: "take.render", in: calls)
        #expect(JSONValue.object(call) == .object(expected))
        #expect(try parameters(of: "subscribe", in: calls)["topics"] == ["take"])
        #expect(outcome.status == 0 && outcome.complaint.isEmpty)
        #expect(outcome.output == "\(path)\(expected["stems"] == nil ? "" : " and its stems"): 3:02\n")
    }

    @Test func `samples that are missing and a warning are reported beside the answer`() async throws {
        let sound = RenderedSound(frames: 9, seconds: 1, drums: ["low tom", "kick"], warning: "by another version")
        let (outcome, _) = try await run(
            "pixelboop take render 12 out.wav --json", in: TemporaryDirectory(), sound: sound)
        #expect(outcome.complaint == "by another version\nsamples are missing or have changed: low tom, kick\n")
        let answer = try RenderReply(json: JSONValue(parsing: outcome.output))
        #expect(answer.sound == sound)
    }

    @Test(arguments: [
        ("render 12 out.mp3x --stems", "--stems needs a file that ends in .wav"),
        ("render 12 out.wav --format flac", "--format flac does not fit the name of out.wav"),
        ("render 12 out.flac --format float", "--format float does not fit the name of out.flac"),
        ("render 12 out.wav --from 2:00 --to 1:59", "--to: expected a time after --from"),
        ("render 12 out.wav --from 1:60", "1:60"), ("render 12 out.wav --rate 7", "--rate: expected 8000 to 192000"),
        ("render 12 -", "'pixelboop take play' writes to standard output"), ("render twelve out.wav", "twelve"),
    ])
    func `what cannot be is refused before the daemon is asked`(arguments: String, complaint: String) async throws {
        let outcome = try await Program.run(
            ["take"] + arguments.split(separator: " ").map(String.init), socket: "/nowhere")
        #expect(outcome.status == 2 && outcome.complaint.contains(complaint), "\(outcome.complaint)")
    }

    @Test func `a take is played as a stream to a player`() async throws {
        let data = (0..<2500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let directory = try TemporaryDirectory()
        let (outcome, calls) = try await run("pixelboop take play 12 --from 1 > played", in: directory, data: data)
        #expect(outcome.status == 0 && outcome.complaint.isEmpty)
        #expect(try directory.read("played") == data)
        let call = try parameters(of: "take.render", in: calls)
        #expect(JSONValue.object(call) == ["take": 12, "format": "pcm24", "from": 1])
        #expect(calls.count { $0.method == "take.data" } == 3)
    }

    @Test func `a render that fails is reported`() async throws {
        let (outcome, _) = try await run(
            "pixelboop take play 12 > played", in: TemporaryDirectory(), failing: "the take is damaged")
        #expect(outcome.status == 1 && outcome.complaint == "pixelboop: the take is damaged\n")
    }

    @Test func `a terminal is no player`() async throws {
        let (outcome, calls) = try await run(
            "script -qec 'pixelboop take play 12' /dev/null", in: TemporaryDirectory())
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("standard output is a terminal: pipe it into a player"))
        #expect(calls.isEmpty)
    }

    @Test func `a take's notes become a MIDI file`() async throws {
        let directory = try TemporaryDirectory()
        let (outcome, calls) = try await run("pixelboop take midi 12 out.mid", in: directory)
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(try directory.read("out.mid") == Array("MThd".utf8))
        let call = try parameters(of: "take.midi", in: calls)
        #expect(JSONValue.object(call) == ["take": 12])
    }

    @Test func `a MIDI file that is too long for an answer is written by the daemon`() async throws {
        let directory = try TemporaryDirectory()
        let (outcome, calls) = try await run("pixelboop take midi 12 out.mid", in: directory, longestMIDI: 3)
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        guard case .byName(let call) = calls.last?.parameters else {
            Issue.record("\(calls)")
            return
        }
        #expect(JSONValue.object(call) == ["take": 12, "path": .string(directory.file("out.mid"))])
        let refused = try await run("pixelboop take midi 12 - > out", in: directory, longestMIDI: 3)
        #expect(refused.outcome.status == 1 && refused.outcome.complaint == "pixelboop: the file has 4 bytes\n")
    }

    @Test(
        arguments: [
            (nil, "13\n12\n"), ("bash", "13\n12\n"),
            ("fish", "13\t2026-01-03T12:34:56Z\n12\t2026-01-02T12:34:56Z groove\n"),
            ("zsh", "13:2026-01-03T12:34:56Z\n12:2026-01-02T12:34:56Z groove\n"),
        ] as [(String?, String)])
    func `shells complete the numbers of takes, with date and pattern where they show them`(
        shell: String?, output: String
    ) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving(CommandTests.answer) { log in
            let arguments = [
                "---completion", "take", "star", "--", "positional@0", "3", "0", "pixelboop", "take", "star", "",
            ]
            var environment = ["PIXELBOOP_SOCKET": daemon.path]
            environment["SAP_SHELL"] = shell
            let outcome = try await Program.run(Program.url, arguments, environment: environment)
            // The parser ends a list for zsh with an empty line.
            let lines = outcome.output.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            #expect(outcome.status == 0 && lines == output.split(separator: "\n"))
            #expect(log.all.map(\.method) == ["take.list"])
        }
    }

    @Test(
        arguments: [
            ("0:30", 30), ("4:10", 250), ("1:04:10.5", 3850.5), ("90", 90), ("7.25", 7.25), ("90:00", 5400),
            ("", nil), ("1:60", nil), ("1.5:00", nil), ("-1", nil), ("1:2:3:4", nil), ("1e3", nil), (":", nil),
            ("nan", nil),
        ] as [(String, Double?)])
    func `times are minutes and seconds, or seconds`(text: String, seconds: Double?) {
        #expect(TakeTime(argument: text)?.seconds == seconds)
    }
}
