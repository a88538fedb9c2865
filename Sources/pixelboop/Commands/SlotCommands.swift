import ArgumentParser
import Music
import PixelBoopClient
import Wire

struct SlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot", abstract: "Launch, copy or clear a track's slots, 1 to 8.",
        subcommands: [LaunchSlot.self, CopySlot.self, ClearSlot.self, CancelLaunch.self],
        defaultSubcommand: LaunchSlot.self)
}

struct LaunchSlot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Play another slot of a track, or several in turn.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot; several are a chain, played round and round.")
    var slots: [Int]
    @Flag(help: "Play it from the next step on, at the same place of the loop.")
    var now = false

    func validate() throws { try checkMoment(now: now, of: slots) }

    func run() async throws {
        try await connection.withClient { client in
            if slots.count > 1 {
                try await client.chainSlots(track, slots)
            } else {
                try await client.launchSlot(track, slots[0], now ? .now : .queued)
            }
        }
        try output.printDone()
    }
}

struct CopySlot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Put a copy of a slot's notes into another slot of the track.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot to copy.")
    var from: Int
    @Argument(help: "The slot whose notes are replaced.")
    var to: Int

    func run() async throws {
        try await connection.withClient { try await $0.copySlot(track, from: from, to: to) }
        try output.printDone()
    }
}

struct ClearSlot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear a slot, playing or not.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot.")
    var slot: Int

    func run() async throws {
        try await connection.withClient { try await $0.clearSlot(track, slot) }
        try output.printDone()
    }
}

struct CancelLaunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Let what plays go on: end what is queued or chained.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The track; all of them unless given.")
    var track: Track?

    func run() async throws {
        try await connection.withClient { try await $0.cancelLaunch(track) }
        try output.printDone()
    }
}

struct SceneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene", abstract: "Launch or copy scenes, 1 to 8: the slots of one number of all tracks.",
        subcommands: [LaunchScene.self, CopyScene.self], defaultSubcommand: LaunchScene.self)
}

struct LaunchScene: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Play a scene, or several in turn.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The scene; several are a chain, played round and round.")
    var scenes: [Int]
    @Flag(help: "Play it from the next step on, at the same place of the loop.")
    var now = false

    func validate() throws { try checkMoment(now: now, of: scenes) }

    func run() async throws {
        try await connection.withClient { client in
            if scenes.count > 1 {
                try await client.chainScenes(scenes)
            } else {
                try await client.launchScene(scenes[0], now ? .now : .queued)
            }
        }
        try output.printDone()
    }
}

struct CopyScene: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Put a copy of all notes of a scene into another one.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The scene to copy.")
    var from: Int
    @Argument(help: "The scene whose notes are replaced.")
    var to: Int

    func run() async throws {
        try await connection.withClient { try await $0.copyScene(from: from, to: to) }
        try output.printDone()
    }
}

extension ParsableCommand {
    /// A chain begins at a launch point.
    fileprivate func checkMoment(now: Bool, of numbers: [Int]) throws {
        if now, numbers.count > 1 { throw ValidationError("--now is for one slot or scene, not for a chain") }
    }
}
