import ArgumentParser
import JSON
import PixelBoopClient
import Wire

struct TakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "List, render, star and delete what was played.",
        discussion: """
            The daemon keeps every performance by itself, from the first sound to 30 s of silence, and can render it later \
            exactly as it sounded. Its settings takes-keep and takes-size say how many it keeps.

            pixelboop take                                   list them
            pixelboop take render 12 song.wav --from 0:30    as a sound file
            pixelboop take play 12 | aplay                   hear it, without touching the instrument
            """,
        subcommands: [
            Listing.self, RenderTake.self, ExportTake.self, PlayTake.self, StarTake.self, DeleteTake.self,
        ], defaultSubcommand: Listing.self)

    struct Listing: DaemonCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the takes, the newest first.",
            discussion: """
                Each line has the number, * if the take is starred, when it began, its length, the pattern's name, and what is \
                special: still recording, a sketch (short and without play), from where on it is not exact.
                """)

        @OptionGroup var daemon: DaemonOptions

        func answer(from client: PixelBoopClient) async throws -> Answer {
            let list = try await client.takes()
            return Answer(list, list.inWords)
        }
    }

    struct StarTake: SilentCommand {
        static let configuration = CommandConfiguration(
            commandName: "star", abstract: "Keep a take until you delete it.")

        @OptionGroup var daemon: DaemonOptions
        @Flag(help: "Take the star away: the take goes when newer ones need its place.")
        var off = false
        @Argument(help: "The take's number.", completion: TakeCompletion.numbers)
        var take: Int

        func perform(_ client: PixelBoopClient) async throws { try await client.starTake(take, !off) }
    }

    struct DeleteTake: SilentCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete takes; not the one that is being recorded.")

        @OptionGroup var daemon: DaemonOptions
        @Argument(help: "The takes' numbers.", completion: TakeCompletion.numbers)
        var takes: [Int]

        func perform(_ client: PixelBoopClient) async throws {
            for take in takes { try await client.deleteTake(take) }
        }
    }
}

/// The numbers of the daemon's takes, for shell completion.
enum TakeCompletion {
    /// Completes a take's number; with date and pattern where the shell shows descriptions.
    static let numbers = CompletionKind.custom { words, _, _ in
        let socket = ConnectionOptions.socket(in: words)
        guard let client = try? await PixelBoopClient.connect(to: socket) else { return [] }
        defer { client.close() }
        return (try? await client.takes())?.takes.map(word) ?? []
    }

    private static func word(for take: ListedTake) -> String {
        let description = [take.began, take.pattern].filter { !$0.isEmpty }.joined(separator: " ")
        return switch CompletionShell.requesting {
        case .zsh?: "\(take.number):\(description)"
        case .fish?: "\(take.number)\t\(description)"
        default: "\(take.number)"
        }
    }
}

extension TakeList {
    var inWords: String {
        let rows = takes.map(\.columns)
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = [
                row[0].paddedLeft(to: widths[0]), row[1].padded(to: widths[1]), row[2].paddedLeft(to: widths[2]),
                row[3].padded(to: widths[3]), row[4],
            ]
            return cells.joined(separator: "  ").replacing(/\ +$/, with: "")
        }
        switch status {
        case .keeping: if takes.isEmpty { lines.append("there are no takes") }
        case .off: lines.append("takes are switched off (the daemon's setting takes-keep)")
        case .stopped: lines.append("no takes are kept: \(reason ?? "")")
        }
        return lines.joined(separator: "\n")
    }
}

extension ListedTake {
    /// Number and star, date, length, pattern, remarks.
    fileprivate var columns: [String] {
        var remarks: [String] = []
        if isCurrent { remarks.append("recording") }
        if isSketch { remarks.append("sketch") }
        if let inexactFrom { remarks.append("not exact from \(TakeTime(seconds: inexactFrom))") }
        return [
            "\(number)\(isStarred ? "*" : " ")", began, "\(TakeTime(seconds: seconds))", pattern,
            remarks.joined(separator: ", "),
        ]
    }
}
