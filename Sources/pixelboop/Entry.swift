import ArgumentParser
import Foundation

/// The program: parses, runs, and turns what went wrong into a message and an exit code.
@main
enum Entry {
    static func main() async {
        do {
            var command = try PixelBoop.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(report(error).rawValue)
        }
    }

    /// Tells people about an error, or gives them the help that they asked for.
    private static func report(_ error: any Error) -> ExitStatus {
        if let failure = Failure(error) {
            if !failure.message.isEmpty { Output.complain("pixelboop: \(failure.message)") }
            return failure.status
        }
        let text = PixelBoop.fullMessage(for: error)
        guard PixelBoop.exitCode(for: error) != .success else {
            print(text)
            return .done
        }
        Output.complain(text)
        return .usage
    }
}
