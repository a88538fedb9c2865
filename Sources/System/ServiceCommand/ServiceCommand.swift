import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc
import SystemSupport
import Systemd

/// The command line of a program that runs until it is asked to end: each of its settings is a flag too.
public protocol ServiceCommand: AsyncParsableCommand {
    associatedtype Table: SettingTable

    /// The flags of every service, and those of its settings.
    var service: ServiceOptions<Table> { get }

    /// The command's work.
    ///
    /// - Throws: `ConfigurationError` for a configuration that it cannot run with.
    func serve(_ sources: ConfigurationSources) async throws
}

extension ServiceCommand {
    /// Where the program's `main` begins, which it declares itself: only then does it run on the main thread from the start,
    /// before other threads open descriptors or have a heap of their own.
    @MainActor public static func begin() async {
        StandardDescriptors.open()
        // An audio thread needs no heap, and the others are rarely busy at the same time.
        Heap.share()
        if let advice = advice(on: CommandLine.arguments) { exit(withError: advice) }
        await main(nil)
    }

    /// The help's paragraph on flags.
    public static var precedence: String {
        """
        Every setting is also a key of the configuration file (log-level) and a variable of the environment \
        (\(Table.prefix)LOG_LEVEL). Flags override the environment, which overrides the file.
        """
    }

    /// Many servers have a `--port`. For it the parser would suggest a flag that is only spelled alike.
    private static func advice(on arguments: [String]) -> ValidationError? {
        guard arguments.contains(where: { $0 == "--port" || $0.hasPrefix("--port=") }),
            let row = Table.rows.first(where: { $0.name == "listen" })
        else { return nil }
        return ValidationError("Unknown option '--port'. Did you mean '--listen'? \(row.help)")
    }

    /// Checks the configuration or serves; a failure ends the process with a code of sysexits.h.
    public func run() async throws {
        // If a peer hangs up, the write must fail, not the program end.
        signal(SIGPIPE, SIG_IGN)
        let sources = ConfigurationSources(flags: service.flags)
        if service.exampleConfig {
            return try show(ExampleFile.text(for: Table.self, environment: sources.environment))
        }
        if service.checkConfig { return try check(sources) }
        do {
            try await serve(sources)
        } catch let error as ConfigurationError {
            throw exit(after: error, ExitCode(EX_CONFIG))
        } catch {
            throw exit(after: error, .failure)
        }
    }

    private func exit(after error: any Error, _ code: ExitCode) -> ExitCode {
        let style = LogStyle(descriptor: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)
        complain(style.farewell("\(Table.program): \(error)"))
        return code
    }

    private func complain(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func check(_ sources: ConfigurationSources) throws {
        let result = ConfigurationCheck.run(sources, for: Table.self)
        complain(result.complaints)
        try show(result.report)
        if !result.isValid { throw ExitCode(EX_CONFIG) }
    }

    private func show(_ text: String) throws {
        print(text, terminator: "")
        guard fflush(nil) == 0 else { throw exit(after: OutputFailure(code: errno), .failure) }
    }
}

private struct OutputFailure: Error, CustomStringConvertible {
    let code: CInt

    var description: String { "cannot write the output: \(String(cString: strerror(code)))" }
}
