import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc
import SystemSupport

/// The program: parses, runs, and turns errors into a message and an exit code.
@main
enum Entry {
    static func main() async {
        StandardDescriptors.open()
        do {
            let arguments = CommandLine.arguments.dropFirst().withConnectionBehindCommand.withNegativeValues
            try checkSpelling(of: arguments.first ?? "")
            var command = try await PixelBoop.asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(report(error).rawValue)
        }
    }

    /// Refuses a misspelt command, and suggests the right one.
    private static func checkSpelling(of word: String) throws(Failure) {
        let names = PixelBoop.configuration.subcommands.map { $0._commandName }
        guard !word.hasPrefix("-"), !names.contains(word), word != "help",
            let advice = Suggestion.advice(on: word, among: names)
        else { return }
        throw Failure(.usage, "no command '\(word)'; \(advice)")
    }

    /// Prints an error, or the requested help.
    private static func report(_ error: any Error) -> ExitStatus {
        if let failure = Failure(error) {
            if !failure.message.isEmpty { Output.complain("pixelboop: \(failure.message)") }
            return failure.status
        }
        let text = PixelBoop.fullMessage(for: error)
        guard PixelBoop.exitCode(for: error) != .success else {
            do { try Output.write(text + "\n") } catch { return report(error) }
            return .done
        }
        Output.complain(text)
        return .usage
    }
}

extension Sequence<String> {
    /// The arguments with `--socket PATH` or `--session NAME` moved behind the command, where the parser accepts it.
    var withConnectionBehindCommand: [String] {
        let arguments = Array(self)
        guard let first = arguments.first else { return arguments }
        let options = ["--socket", "--session"]
        let count = options.contains(first) ? 2 : options.contains { first.hasPrefix("\($0)=") } ? 1 : 0
        guard count > 0, arguments.count > count else { return arguments }
        return Array(arguments[count...]) + arguments[..<count]
    }

    /// The arguments with `--` before the first negative number, which the parser would treat as an option; the code
    /// that knows the number's range then reports errors. Options behind it are moved before the `--`.
    var withNegativeValues: [String] {
        let arguments = Array(self)
        // The flags of commands that take numbers; every other option has a value of its own.
        let flags = ["--json", "--now", "--cell"]
        let index = arguments.indices.dropFirst().first { index in
            let before = arguments[index - 1]
            return arguments[index].isNegativeNumber && (!before.hasPrefix("--") || flags.contains(before))
        }
        guard let index, !arguments.contains("--") else { return arguments }
        var (options, values) = (arguments[..<index], [String]())
        var rest = arguments[index...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), !argument.isNegativeNumber else {
                values.append(argument)
                continue
            }
            options.append(argument)
            if ["--socket", "--session"].contains(argument), let value = rest.popFirst() { options.append(value) }
        }
        return options + ["--"] + values
    }
}

extension String {
    fileprivate var isNegativeNumber: Bool { hasPrefix("-") && Double(self) != nil }
}
