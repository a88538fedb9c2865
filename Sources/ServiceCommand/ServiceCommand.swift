import ArgumentParser
import Configuration
import Foundation

/// The command line of a program that runs until it is told to end: whatever it can be configured with is a flag too.
public protocol ServiceCommand: AsyncParsableCommand {
    /// What can be configured.
    associatedtype Values: Settings

    /// The flags that every service has.
    var service: ServiceOptions<Values.Key> { get }

    /// The flags of its own that are settings, as they were typed; nil for those that were not given.
    var flags: [Values.Key: String?] { get }

    /// Does what the command is for.
    ///
    /// - Throws: `ConfigurationError` for a configuration that it cannot run with.
    func serve(_ sources: ConfigurationSources<Values.Key>) async throws
}

extension [String] {
    /// The values of a flag that was given several times as one, as the configuration takes them; nil for none.
    public var joinedValue: String? { isEmpty ? nil : joined(separator: ",") }
}

extension ServiceCommand {
    /// What to say of the flags in the help.
    public static var precedence: String {
        """
        Every setting is also a key of the configuration file (max-clients) and a variable of the environment \
        (\(Values.Key.prefix)MAX_CLIENTS). Flags win over the environment, and that over the file.
        """
    }

    /// Checks the configuration or serves, and ends the process as sysexits.h says when it cannot.
    public func run() async throws {
        // A peer that hangs up is an error of that write and not the end.
        signal(SIGPIPE, SIG_IGN)
        if service.checkConfig { return try check() }
        do {
            try await serve(sources)
        } catch let error as ConfigurationError {
            throw exit(after: error, ExitCode(EX_CONFIG))
        } catch {
            throw exit(after: error, .failure)
        }
    }

    private var sources: ConfigurationSources<Values.Key> {
        let common: [Values.Key: String?] = [.socket: service.socket, .logLevel: service.logLevel]
        let values = flags.merging(common) { _, common in common }.compactMapValues { $0 }
        return ConfigurationSources(flags: ConfigurationFlags(file: service.config, values: values))
    }

    private func exit(after error: any Error, _ code: ExitCode) -> ExitCode {
        FileHandle.standardError.write(Data("\(Values.Key.program): \(error)\n".utf8))
        return code
    }

    private func check() throws {
        let result = ConfigurationCheck.run(sources, for: Values.self)
        FileHandle.standardError.write(Data(result.complaints.utf8))
        print(result.report, terminator: "")
        guard fflush(nil) == 0 else { throw exit(after: OutputFailure(code: errno), .failure) }
        if !result.isValid { throw ExitCode(EX_CONFIG) }
    }
}

/// Standard output does not take what is printed.
private struct OutputFailure: Error, CustomStringConvertible {
    /// The system's code.
    let code: CInt

    var description: String { "cannot write the output: \(String(cString: strerror(code)))" }
}
