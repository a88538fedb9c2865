import DaemonTestSupport
import Foundation
import JackTestSupport
import TestSupport

/// A PipeWire of its own: its dummy driver, and speakers that nobody hears.
///
/// However the test process ends, the server does not outlive it.
final class PipeWireServer {
    /// The server did not start.
    struct Failure: Error, CustomStringConvertible {
        let log: String
        var description: String { "PipeWire did not start:\n\(log)" }
    }

    /// The recorder ended normally before a second was over.
    struct ShortRecording: Error, CustomStringConvertible {
        let sound: WaveFile
        var description: String { "\(sound.channels[0].count) frames were recorded instead of \(sound.sampleRate)" }
    }

    /// The environment for programs that play on this server: what `pw-jack` sets, and where the server is.
    let environment: [String: String]

    private let directory: TemporaryDirectory
    /// Carries out commands, and answers each command with a line.
    private let shell: ChildProgram

    static let need = Need.installed(
        "bin/pipewire", "bin/pw-cli", "bin/pw-jack", "bin/wireplumber", "bin/dbus-run-session")

    /// A server that has not been started.
    ///
    /// - Parameter hasSessionManager: Whether it comes with WirePlumber, as on a desktop.
    init(hasSessionManager: Bool = false) throws {
        directory = try TemporaryDirectory()
        let configuration = directory.file("config/pipewire/pipewire.conf.d")
        try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        try Data(Self.speakers.utf8).write(to: URL(filePath: "\(configuration)/speakers.conf"))
        environment = [
            "LD_LIBRARY_PATH": "/usr/${LIB}/pipewire-0.3/jack", "XDG_RUNTIME_DIR": directory.path,
            "XDG_CONFIG_HOME": directory.file("config"), "XDG_STATE_HOME": directory.file("state"),
        ]
        // The threads of tests block signals, which child processes would inherit.
        shell = try ChildProgram(
            URL(filePath: "/usr/bin/env"),
            ["--default-signal"] + (hasSessionManager ? ["dbus-run-session", "--"] : [])
                + ["bash", "-c", Self.script, "pipewire", hasSessionManager ? "wireplumber" : ""],
            variables: environment.merging(["LD_LIBRARY_PATH": "", "LOG": directory.file("log")]) { $1 },
            endsWithInput: true
        ).start()
    }

    /// Runs a test body with a server that has been started, and ends the server whatever happens.
    static func with(
        hasSessionManager: Bool = false, _ body: (PipeWireServer) async throws -> Void
    ) async throws {
        let server = try PipeWireServer(hasSessionManager: hasSessionManager)
        do {
            try await server.start()
            try await body(server)
        } catch {
            await server.shell.endOfInput()
            throw error
        }
        await server.shell.endOfInput()
    }

    /// Starts the server; returns when it answers.
    func start() async throws {
        guard await send("start") == "done" else {
            throw Failure(log: (try? directory.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// Ends the server by a signal; returns when it is gone.
    func end(with signal: Int32 = SIGTERM) async { await send("end \(signal)") }

    /// Stops all of the server's threads where they are.
    func suspend() async { await send("signal \(SIGSTOP)") }

    /// Lets a suspended server continue.
    func resume() async { await send("signal \(SIGCONT)") }

    /// Removes the server's files from the file system, so that another can be started. It gets no more commands.
    func displace() async { await send("displace") }

    /// Sets one of the server's settings, such as `clock.force-rate`.
    func set(_ setting: String, to value: Int) async throws {
        try await run("pw-metadata", "-n", "settings", "0", setting, "\(value)")
    }

    /// Runs one of the tools of JACK or PipeWire.
    @discardableResult
    func run(_ command: String...) async throws -> String {
        try await JackTool.run(command, environment: environment)
    }

    /// Records a second of ports, with up to five attempts: on a busy machine the recorder leaves out the rest, and
    /// PipeWire's library can crash any client (see `PipeWireTests`). A recorder that finds no port any more, because the
    /// ports' client has just been replaced, is no attempt: it waits for the new ones.
    ///
    /// - Parameter ready: Waits until the ports can be recorded; called before each attempt.
    func record(_ ports: [String], when ready: () async throws -> Void) async throws -> WaveFile {
        var failures = 0
        while true {
            try await ready()
            do {
                return try await recordOnce(ports)
            } catch let failure as JackTool.Failure where failure.output.contains("cannot connect input port") {
                reportRetry("jack_rec's ports were replaced")
            } catch let problem where failures < 4 {
                failures += 1
                print(problem)
                reportRetry("jack_rec left something out or crashed")
            }
        }
    }

    private func recordOnce(_ ports: [String]) async throws -> WaveFile {
        let options = ["-f", directory.file("recording.wav"), "-d", "1", "-b", "32", "-B", "200000"]
        try await JackTool.run(["timeout", "10", "jack_rec"] + options + ports, environment: environment)
        let sound = try WaveFile(reading: directory.read("recording.wav"))
        guard sound.channels[0].count >= sound.sampleRate else { throw ShortRecording(sound: sound) }
        return sound
    }

    @discardableResult
    private func send(_ command: String) async -> String? {
        shell.write(command)
        return await shell.line()
    }

    private static let speakers = """
        context.objects = [ {
            factory = adapter
            args = {
                factory.name = support.null-audio-sink
                node.name = speakers
                node.description = Speakers
                media.class = Audio/Sink
                node.physical = true
                audio.position = [ FL FR ]
                adapter.auto-port-config = { mode = dsp position = preserve }
            }
        } ]
        """

    /// Carries out commands, answering each with a line, until there are no more.
    private static let script = """
        manager=$1
        exec 2>>"$LOG"
        start() {
            pipewire >&2 &
            server=$!
            until pw-cli info 0 >/dev/null 2>&1; do kill -0 $server || return; sleep 0.02; done
            [[ -z $manager ]] || start_manager
        }
        start_manager() {
            wireplumber >&2 &
            until pw-cli ls Metadata | grep -q '"default"'; do kill -0 $! || return; sleep 0.02; done
        }
        while read -r command argument; do
            case $command in
            start) start || { echo failed; continue; } ;;
            end) kill -"$argument" $server; wait $server ;;
            signal) kill -"$argument" $server ;;
            displace) rm "$XDG_RUNTIME_DIR"/pipewire-0* ;;
            esac
            echo done
        done
        kill -KILL $(jobs -p)
        wait
        """
}
