import CannedDaemon
import Foundation
import Grid
import JSON
import Music
import ProgramTestSupport
import TestSupport
import Testing
import Wire

/// The exit codes that a shell sees.
@Suite(.timeLimit(.minutes(1)))
struct ExitStatusTests {
    @Test(arguments: [
        ["play"], ["status"], ["tempo", "120"], ["touch", "tap", "4", "5"], ["watch"], ["show"], ["list"],
        ["call", "ping"],
    ])
    func `without a daemon: 3, and what to do`(arguments: [String]) async throws {
        let place = try TemporaryDirectory()
        let outcome = try await Program.run(arguments, socket: place.socket)
        #expect(outcome.status == 3)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.complaint == """
                pixelboop: no daemon at \(place.socket) (No such file or directory): start it with `pixelboopd`, \
                or name its socket with --socket or PIXELBOOP_SOCKET

                """)
    }

    @Test(arguments: [
        ["paly"], ["tempo", "fast"], ["tempo", "+"], ["scale", "lydian"], ["root", "H"], ["root", "Hb"],
        ["root", "C#b"], ["set", "root", "bbb"], ["length", "x"],
        ["track", "drums"], ["track", "melody", "--mute", "maybe"], ["touch"], ["touch", "poke", "4", "5"],
        ["note", "melody", "0", "12"], ["note", "rhythm", "0", "C#"], ["note", "melody", "0", "kick"],
        ["watch", "--topics", "weather"], ["watch", "--count", "0"], ["watch", "--count", "-1"],
        ["show", "--pixel", "5"], ["show", "--follow", "--json"],
        ["call", "ping", "[1]"], ["call", "ping", "{"], ["import", "/nowhere/at/all.json"], ["import"],
        ["sync", "link"], ["sync", "--lead", "timeline"], ["sync", "--quantum", "bar"], ["sync", "--quantum"],
        ["sync", "--offset-in", "late"], ["sync", "--offset-out", "4ms"],
        ["midi", "learn", "track", "melody"], ["midi", "learn", "track", "melody", "gain", "pan"],
        ["slot", "bass", "1", "--length", "33"], ["slot", "bass", "1", "--speed", "5/4"],
        ["slot", "bass", "1", "2", "--length", "12"], ["slot", "bass", "1", "--now", "--length", "12"],
        ["motion", "bass", "duck", "0:1"], ["motion", "bass", "tone", "0"], ["motion", "bass", "tone", "0:x"],
        ["motion", "bass", "tone", "0:1", "--clear"],
        ["midi", "learn", "tempo"], ["--socket", "", "status"], ["--session", "", "status"], ["status", "--yaml"],
        ["show", "--follow"], ["tui"],
    ])
    func `wrong usage: 2, and nothing is sent`(arguments: [String]) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { log in
            let outcome = try await Program.run(arguments, socket: daemon.path)
            #expect(outcome.status == 2)
            #expect(!outcome.complaint.isEmpty)
            #expect(log.all.isEmpty)
        }
    }

    @Test(arguments: [
        (["staus"], "pixelboop: no command 'staus'; did you mean 'status'?"),
        (["--socket", "/nowhere", "tmpo", "120"], "pixelboop: no command 'tmpo'; did you mean 'tempo'?"),
        (["set", "bmp", "120"], "Error: no parameter 'bmp'; did you mean 'bpm'?"),
        (["set", "weather", "fine"], "Error: no parameter 'weather'; `pixelboop set` lists them"),
        (
            ["call", "--describe", "note.st"],
            "pixelboop: no method 'note.st' in this version; did you mean 'note.set'?"
        ),
    ])
    func `what was probably meant is suggested`(arguments: [String], words: String) async throws {
        let outcome = try await Program.run(arguments, socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.complaint.split(separator: "\n").first.map(String.init) == words)
    }

    @Test(arguments: [
        ("--gain", "loud", "--gain: expected a number from -60 to 12 dB, got 'loud'"),
        ("--velocity-normal", "soft", "--velocity-normal: expected an integer from 1 to 127, got 'soft'"),
        ("--mute", "maybe", "--mute: expected on or off, got 'maybe'"),
    ])
    func `a value that a track's parameter cannot have is reported with those it can`(
        option: String, value: String, words: String
    ) async throws {
        let outcome = try await Program.run(["track", "melody", option, value], socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.complaint.hasPrefix("Error: \(words)\n"))
    }

    @Test(arguments: [
        ("note melody 4 0 --chance 500", "--chance: expected an integer from 0 to 100 %, got '500'"),
        ("note melody 4 0 --ratchet x", "--ratchet: expected an integer from 1 to 8, got 'x'"),
        ("note melody 4 0 --level loud", "--level: expected"), ("note rhythm 4 0 --nudge 99", "--nudge: expected"),
        ("note melody 4 0 --cycle 9:9", "--cycle: expected"),
        (
            "slot bass 1 --length 99",
            "The value '99' is invalid for '--length <length>': expected 1 to 32 steps, or none"
        ),
        (
            "slot bass 1 --length -1",
            "The value '-1' is invalid for '--length <length>': expected 1 to 32 steps, or none"
        ),
        ("note melody 4 12", "melody has no note '12': expected 0 to 11, or one of C, C#"),
        ("note rhythm 4 C#", "rhythm has no note 'C#': expected 0 to 11, or one of kick, "),
    ])
    func `a value that a command cannot have is reported with those it can`(
        command: String, words: String
    ) async throws {
        let outcome = try await Program.run(command.split(separator: " ").map(String.init), socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.complaint.hasPrefix("Error: \(words)"), "\(outcome.complaint)")
    }

    @Test(arguments: [
        (
            "bass", "--preset", "Bell",
            "--preset: expected one of \(Track.bass.soundNames.joined(separator: ", ")), got 'Bell'"
        ),
        ("rhythm", "--preset", "Acid", "--preset: rhythm does not have it"),
        ("melody", "--kit", "808", "--kit: melody does not have it"),
    ])
    func `another track's sound is refused, with a list of this track's`(
        track: String, option: String, value: String, words: String
    ) async throws {
        let outcome = try await Program.run(["track", track, option, value], socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.complaint.hasPrefix("Error: \(words)\n"))
    }

    @Test func `nothing that it opens gets the number of a standard descriptor that was closed`() async throws {
        let script = """
            place=$(mktemp -d); mkfifo $place/file
            pixelboop import $place/file <&- >&- 2>&- & exec 3>$place/file
            readlink /proc/$!/fd/{0,1,2}; exec 3>&-; wait; rm -r $place
            """
        let outcome = try await Program.run(
            URL(filePath: "/bin/bash"), ["-c", script], environment: ["PATH": "\(Program.folder.path):/usr/bin:/bin"])
        #expect(outcome.output == "/dev/null\n/dev/null\n/dev/null\n")
    }

    @Test func `nothing that a service opens gets the number of a standard descriptor that was closed`() async throws {
        let script = """
            place=$(mktemp -d); export HOME=$place XDG_RUNTIME_DIR=$place; socket=$place/pixelboop.sock
            pixelboopd --driver internal --socket $socket --state-dir $place/s --data-dir $place/d <&- >&- 2>&- &
            until pixelboop --socket $socket status >/dev/null 2>&1; do kill -0 $! || break; done
            readlink /proc/$!/fd/{0,1,2}; kill $!; wait; rm -r $place
            """
        let outcome = try await Program.run(
            URL(filePath: "/bin/bash"), ["-c", script], environment: ["PATH": "\(Program.folder.path):/usr/bin:/bin"])
        #expect(outcome.output == "/dev/null\n/dev/null\n/dev/null\n")
    }

    @Test func `refused by the daemon: 1, and its words`() async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { _ in
            .failure(WireError(.invalidParams, "bpm: expected a number from 20 to 300, got 1000"))
        } while: { _ in
            let outcome = try await Program.run(["tempo", "1000"], socket: daemon.path)
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.complaint == "pixelboop: bpm: expected a number from 20 to 300, got 1000\n")
        }
    }

    @Test(arguments: [
        (
            ["load", "x"], WireError(.notFound, "not found: x", data: ["name": "x"]),
            "not found: x; `pixelboop list` shows what is there"
        ),
        (
            ["call", "midi.unbind"], WireError(.notFound, "there is no such binding"), "there is no such binding"
        ),
        (
            ["call", "dance"], WireError.methodNotFound("dance"),
            "Method not found: dance; `pixelboop call` lists all methods"
        ),
        (
            ["call", "tempo.sett"], WireError.methodNotFound("tempo.sett"),
            "Method not found: tempo.sett; did you mean 'tempo.set'?"
        ),
    ])
    func `what is missing is reported with where to look`(arguments: [String], error: WireError, words: String)
        async throws
    {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { _ in
            .failure(error)
        } while: { _ in
            let outcome = try await Program.run(arguments, socket: daemon.path)
            #expect(outcome.status == 1)
            #expect(outcome.complaint == "pixelboop: \(words)\n")
        }
    }

    @Test(arguments: [["import", "/nowhere/x.json"], ["show", "--png", "/nowhere/x.png"]])
    func `a file is named with the system's reason`(arguments: [String]) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { _ in
            .success(.object(KeyFrame(sequence: 1, frame: Frame()).json))
        } while: { _ in
            let outcome = try await Program.run(arguments, socket: daemon.path)
            #expect(outcome.status == 2)
            #expect(outcome.complaint.hasSuffix("\(arguments.last!): No such file or directory\n"))
        }
    }

    @Test func `defaults are shown as they are typed`() async throws {
        let outcome = try await Program.run(["note", "--help"], socket: "/nowhere")
        #expect(outcome.output.contains("normal unless given"))
        #expect(!outcome.output.contains("default: 1"))
    }

    @Test func `playing without JACK: 1, and what to do`() async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { _ in
            .failure(WireError(.noAudio, "no JACK server"))
        } while: { _ in
            let outcome = try await Program.run(["play"], socket: daemon.path)
            #expect(outcome.status == 1)
            #expect(outcome.complaint == "pixelboop: no JACK server; start JACK, the daemon joins it by itself\n")
        }
    }

    @Test func `a daemon that goes away meanwhile: 3`() async throws {
        let daemon = try await CannedDaemon.start()
        async let outcome = Program.run(["watch"], socket: daemon.path)
        let peer = try await daemon.welcome()
        _ = try await peer.receive()
        try await peer.send(Bye(reason: "shutting down").line)
        try await peer.close()
        let (status, complaint) = (try await outcome.status, try await outcome.complaint)
        #expect(status == 3)
        #expect(complaint == "pixelboop: connection lost: shutting down\n")
    }

    @Test(arguments: [
        (["--help"], "USAGE: pixelboop"), (["help", "touch"], "pixelboop touch down 4 5"),
        (["--version"], "0.2.0"), (["--generate-completion-script", "bash"], "_pixelboop"),
    ])
    func `help, version and completions: 0, on standard output`(arguments: [String], text: String) async throws {
        let outcome = try await Program.run(arguments, socket: "/nowhere")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(text))
        #expect(outcome.complaint.isEmpty)
    }
}
