import CannedDaemon
import Foundation
import Instrument
import JSON
import Music
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

@testable import pixelboop

/// `pixelboop listen`.
@Suite(.timeLimit(.minutes(1)))
struct ListenTests {
    private static let state = InstrumentState(
        audio: AudioState(driver: .own, status: .running, rate: 48_000, period: 256))

    /// A block whose samples count up, so that each differs from the others.
    private func block(_ number: Int, rate: Int = 48_000, isSilent: Bool = false) -> AudioEvent {
        let frames = rate / 50
        let samples = (0..<2 * frames).map { Int16(truncatingIfNeeded: number * 2 * frames + $0 + 1) }
        return AudioEvent(
            frame: Int64(number * frames), usecs: UInt64(number * 20_000), rate: rate,
            pcm: isSilent ? nil : samples.flatMap { [UInt8($0 & 255), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    /// Runs a shell script in which `pixelboop` receives blocks.
    private func run(
        _ script: String, hearing blocks: [AudioEvent], state: InstrumentState = state
    ) async throws -> Program.Outcome {
        let daemon = try await CannedDaemon.start()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let peer = try await daemon.welcome()
                while let call = try await peer.receive() {
                    switch call.method {
                    case "hello": try await peer.answer(call, .success(.object(Welcome(version: "canned").json)))
                    case "state.get": try await peer.answer(call, .success(.object(state.json)))
                    default:
                        try await peer.answer(call, .success([:]))
                        guard call.method == "subscribe" else { continue }
                        for block in blocks { try await peer.send(block.line) }
                    }
                }
            }
            return try await Program.run(
                URL(filePath: "/bin/bash"), ["-c", script],
                environment: [
                    "PIXELBOOP_SOCKET": daemon.path, "PATH": "\(Program.folder.path):/usr/bin:/bin",
                ])
        }
    }

    private func hexadecimal(_ blocks: [AudioEvent]) -> String {
        blocks.flatMap { $0.pcm ?? [UInt8](repeating: 0, count: 3840) }.map { String(format: "%02x", $0) }.joined()
    }

    private static let toHexadecimal = "| od -An -v -tx1 | tr -d ' \\n'"

    @Test func `samples go to standard output as they came, and the line for a player to standard error`() async throws
    {
        let blocks = [block(0), block(1, isSilent: true), block(2)]
        let outcome = try await run("pixelboop listen --seconds 0.06 \(Self.toHexadecimal)", hearing: blocks)
        #expect(outcome.output == hexadecimal(blocks))
        #expect(
            outcome.complaint
                == "48000 Hz, 2 channels, 16-bit little-endian: aplay -f S16_LE -c 2 -r 48000\n")
    }

    @Test func `missing blocks become silence, and are reported`() async throws {
        let blocks = [block(0), block(4)]
        let outcome = try await run("pixelboop listen --seconds 0.1 \(Self.toHexadecimal)", hearing: blocks)
        let silence = (1...3).map { block($0, isSilent: true) }
        #expect(outcome.output == hexadecimal([blocks[0]] + silence + [blocks[1]]))
        #expect(outcome.complaint.hasSuffix("\n60 ms missing, filled with silence\n"))
    }

    @Test func `after a server's restart the clock determines the gap`() async throws {
        var later = block(0)
        later.usecs = 200_000
        let outcome = try await run(
            "pixelboop listen --seconds 0.08 \(Self.toHexadecimal)", hearing: [block(7), later])
        #expect(outcome.output.count == 4 * 2 * 3840)
        #expect(outcome.complaint.hasSuffix("\n40 ms missing, filled with silence\n"))
    }

    @Test func `it ends quietly when its reader goes`() async throws {
        let outcome = try await run(
            "set -o pipefail; pixelboop listen | head -c 4 | od -An -tx1; echo ${PIPESTATUS[0]}",
            hearing: (0..<200).map { block($0) })
        #expect(outcome.output == " 01 00 02 00\n0\n")
    }

    @Test func `it ends with the reason when it cannot write`() async throws {
        let outcome = try await run("pixelboop listen > /dev/full; echo $?", hearing: (0..<5).map { block($0) })
        #expect(outcome.output == "2\n")
        #expect(outcome.complaint.contains("No space left on device"))
    }

    /// Listens into a file, reads what is reported until a gap is filled with silence (so that all before it is
    /// written), and ends that.
    ///
    /// - Parameters:
    ///   - starter: The program that starts it.
    ///   - ending: The commands that end it.
    private func interrupted(startedBy starter: String, endedBy ending: String) -> String {
        """
        set -m; place=$(mktemp -d); mkfifo $place/said
        \(starter) pixelboop listen $place/take.wav 2>$place/said & listener=$!
        exec 3<$place/said
        while read -r line <&3; do [[ $line != *'filled with silence'* ]] || break; done
        \(ending); wait $listener; echo $?
        cat <&3; od -An -v -tx1 -j44 $place/take.wav | tr -d ' \\n'; rm -r $place
        """
    }

    @Test func `killed, it leaves a file with all that was heard`() async throws {
        let lengths = "od -An -tu4 -j40 -N4 $place/take.wav >&2; stat -c %s $place/take.wav >&2"
        let outcome = try await run(
            interrupted(startedBy: "env", endedBy: "kill -KILL $listener; wait $listener; \(lengths)"),
            hearing: [block(0), block(1), block(2), block(4)])
        let heard = hexadecimal([block(0), block(1), block(2)])
        #expect(outcome.output.split(separator: "\n").first == "137")
        #expect(outcome.output.split(separator: "\n").last?.hasPrefix(heard) == true)
        // The header's length, and the file's; the shell may report before these that it was killed.
        let found = outcome.complaint.split { $0.isWhitespace }.compactMap { Int($0) }.suffix(2)
        let (length, size) = (try #require(found.first), try #require(found.last))
        #expect(3 * 3840 <= length && 44 + length <= size, "\(outcome.complaint)")
    }

    @Test func `with nothing to hear the file is there from the start, and it ends`() async throws {
        let state = InstrumentState(audio: AudioState(status: .noServer, reason: "why"))
        let outcome = try await run(
            """
            place=$(mktemp -d)
            pixelboop listen --seconds 0.2 $place/take.wav 2>&1 | {
                read -r line; echo "$line"; ls $place; cat >/dev/null; }
            echo ${PIPESTATUS[0]}; od -An -tu4 -j40 $place/take.wav; rm -r $place
            """, hearing: [], state: state)
        #expect(outcome.output == "no sound yet: no server: why\ntake.wav\n1\n          0\n")
    }

    @Test func `a file is replaced only by sound`() async throws {
        let outcome = try await run(
            """
            place=$(mktemp -d); echo old >$place/take.wav; pixelboop listen --seconds 0.2 $place/take.wav
            ls $place; cat $place/take.wav; rm -r $place
            """, hearing: [])
        #expect(outcome.output == "take.wav\nold\n")
        #expect(outcome.complaint.hasPrefix("pixelboop: nothing was heard: "))
        #expect(outcome.complaint.hasSuffix("/take.wav is as it was\n"))
    }

    @Test func `nothing for standard output is an error, too`() async throws {
        let outcome = try await run("pixelboop listen --seconds 0.2 | wc -c; echo ${PIPESTATUS[0]}", hearing: [])
        #expect(outcome.output == "0\n1\n")
        #expect(outcome.complaint == "pixelboop: nothing was heard\n")
    }

    @Test func `when the sound ends early, it ends at its time, and says how much was heard`() async throws {
        let outcome = try await run("pixelboop listen --seconds 0.2 | wc -c", hearing: [block(0), block(1)])
        #expect(outcome.output == "7680\n")
        #expect(outcome.complaint.hasSuffix("\nheard 0.04 of 0.2 s\n"))
    }

    @Test func `a closed standard output is reported before anything is heard`() async throws {
        let outcome = try await run("pixelboop listen --seconds 3 >&-; echo $? >&2", hearing: [])
        #expect(outcome.complaint == "pixelboop: cannot write the output: Bad file descriptor\n2\n")
    }

    @Test(arguments: ["INT", "TERM", "HUP"])
    func `a signal ends it, and the file has all that was heard`(signal: String) async throws {
        let blocks = [block(0), block(1), block(2), block(4)]
        // The tests themselves may have been started by nohup.
        let script = interrupted(startedBy: "env --default-signal", endedBy: "kill -\(signal) $listener")
        let outcome = try await run(script, hearing: blocks)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "0")
        #expect(lines.dropFirst().first?.hasSuffix("take.wav is written") == true)
        let heard = hexadecimal([block(0), block(1), block(2), block(3, isSilent: true)])
        #expect(lines.last?.hasPrefix(heard) == true)
    }

    @Test func `started by nohup, it goes on when the terminal is closed`() async throws {
        // SIGHUP is the lowest bit.
        let ending = "grep '^SigIgn:.*[13579bdf]$' /proc/$listener/status >&2; echo $?; kill -INT $listener"
        let script = interrupted(startedBy: "nohup", endedBy: ending)
        let outcome = try await run(script, hearing: [block(0), block(2)])
        #expect(outcome.output.hasPrefix("0\n0\n"))
    }

    @Test(.needs(.smallDisk))
    func `a full disk ends it, and the file has what fitted`() async throws {
        let disk = try SmallDisk(size: 1 << 18)
        let outcome = try await run(
            "pixelboop listen \(disk.path)/take.wav; echo $?; head -c 48 \(disk.path)/take.wav | od -An -v -tx1 -j44",
            hearing: (0..<100).map { block($0) })
        #expect(outcome.output == "2\n 01 00 02 00\n")
        #expect(outcome.complaint.contains("No space left on device"))
        #expect(outcome.complaint.contains("take.wav holds the 1 s before that"))
    }

    @Test func `another sample rate ends it, with what was heard before`() async throws {
        let outcome = try await run(
            "pixelboop listen | wc -c; echo ${PIPESTATUS[0]}", hearing: [block(0), block(5, rate: 44_100)])
        #expect(outcome.output == "3840\n1\n")
        #expect(outcome.complaint.hasSuffix("pixelboop: the sample rate changed from 48000 to 44100 Hz\n"))
    }

    @Test(arguments: ["wav", "flac"]) func `a file has the same samples, to the frame`(kind: String) async throws {
        let blocks = (0..<10).map { block($0, isSilent: $0 == 3) }
        let outcome = try await run(
            """
            file=$(mktemp -d)/take.\(kind); pixelboop listen --seconds 0.15 $file; echo $?; ls $(dirname $file)
            rm -r $(dirname $file)
            """, hearing: blocks)
        #expect(outcome.output == "0\ntake.\(kind)\n")
        #expect(outcome.complaint.contains("take.\(kind): 48000 Hz, 2 channels, 16-bit little-endian\n"))
        #expect(outcome.complaint.hasSuffix("take.\(kind) is written\n"))
    }

    @Test func `when the daemon ends, the file is kept and the exit code is 3`() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("take.wav")
        let daemon = try await CannedDaemon.start()
        async let outcome = Program.run(["listen", place], socket: daemon.path)
        let peer = try await daemon.welcome()
        while let call = try await peer.receive() {
            let answers: [String: JSONValue] = [
                "hello": .object(Welcome(version: "canned").json), "state.get": .object(Self.state.json),
            ]
            try await peer.answer(call, .success(answers[call.method] ?? [:]))
            if call.method == "subscribe" { break }
        }
        for number in 0..<5 { try await peer.send(block(number).line) }
        try await peer.send(Bye(reason: "pixelboopd is stopping").line)
        try await peer.close()
        #expect(try await outcome.status == 3)
        #expect(try await outcome.complaint.contains("\(place) holds the 0 s before that"))
        let bytes = try directory.read("take.wav")
        #expect(bytes.count == 44 + 5 * 3840)
        #expect(Array(bytes[44..<48]) == [1, 0, 2, 0])
    }

    @Test func `says why there is no sound yet`() async throws {
        let state = InstrumentState(audio: AudioState(status: .noServer, reason: "no JACK server is running"))
        let outcome = try await run("pixelboop listen --seconds 0.02 | wc -c", hearing: [block(0)], state: state)
        #expect(outcome.complaint.hasPrefix("no sound yet: no server: no JACK server is running\n"))
        #expect(outcome.output == "3840\n")
    }

    @Test(arguments: [
        ["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "x"], ["song.mp3"], ["/nowhere/take.wav"],
    ])
    func `refuses what cannot be written`(arguments: [String]) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { call in
            .success(call.method == "state.get" ? .object(Self.state.json) : [:])
        } while: { log in
            let outcome = try await Program.run(["listen"] + arguments, socket: daemon.path)
            #expect(outcome.status == 2)
            #expect(!outcome.complaint.isEmpty)
            #expect(!log.methods.contains("subscribe"))
        }
    }
}
