import ArgumentParser
import Music
import PixelBoopClient
import Wire

struct SlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot",
        abstract: "Launch, copy or clear a track's slots, 1 to 8, or give one a length and a speed.",
        discussion: """
            pixelboop slot bass 3                             play slot 3 from the next launch point on
            pixelboop slot bass 1 --length 12 --speed 3/2     12 steps, three in the time of two
            """,
        subcommands: [LaunchSlot.self, CopySlot.self, ClearSlot.self, CancelLaunch.self],
        defaultSubcommand: LaunchSlot.self)
}

struct LaunchSlot: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract:
            "Play another slot of a track, or several in turn; with --length or --speed, set those of a slot instead."
    )

    @OptionGroup var daemon: DaemonOptions
    @OptionGroup var time: SlotTimeOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot, 1 to 8; several are a chain, played round and round.")
    var slots: [Int]
    @Flag(help: "Play it from the next step on, at the same place of the loop.")
    var now = false

    func validate() throws {
        try checkMoment(now: now, of: slots)
        guard !time.isEmpty else { return }
        if now || slots.count > 1 {
            throw ValidationError(
                "--length and --speed set one slot without playing it: they exclude --now and several slots")
        }
    }

    func perform(_ client: PixelBoopClient) async throws {
        if !time.isEmpty {
            try await client.setSlot(track, slots[0], length: time.steps, speed: time.speed)
        } else if slots.count > 1 {
            try await client.chainSlots(track, slots)
        } else {
            try await client.launchSlot(track, slots[0], now ? .now : .queued)
        }
    }
}

/// The length and the speed of a slot.
struct SlotTimeOptions: ParsableArguments {
    enum Length {
        case steps(Int)
        case none

        @Sendable static func read(_ argument: String) throws -> Length {
            if argument.lowercased() == "none" { return .none }
            guard let steps = Int(argument), (1...SlotNotes.stepCount).contains(steps) else {
                throw ValidationError("expected 1 to \(SlotNotes.stepCount) steps, or none")
            }
            return .steps(steps)
        }
    }

    @Option(
        parsing: .unconditional, help: "Steps of its own loop, 1 to 32, or `none` to follow the pattern's length.",
        completion: .list(["none"]), transform: Length.read)
    var length: Length?
    @Option(help: "How many of its steps play in the time of one.")
    var speed: Speed?

    var isEmpty: Bool { length == nil && speed == nil }

    /// The length as `slot.set` expects it.
    var steps: Int? {
        switch length {
        case .steps(let steps)?: steps
        case Length.none?: 0
        case nil: nil
        }
    }
}

struct CopySlot: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Put a copy of a slot into another slot of the track.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot to copy, 1 to 8.")
    var from: Int
    @Argument(help: "The slot that is replaced, 1 to 8.")
    var to: Int

    func perform(_ client: PixelBoopClient) async throws { try await client.copySlot(track, from: from, to: to) }
}

struct ClearSlot: SilentCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear a slot, playing or not.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The slot, 1 to 8.")
    var slot: Int

    func perform(_ client: PixelBoopClient) async throws { try await client.clearSlot(track, slot) }
}

struct CancelLaunch: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel what is queued or chained.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track; all of them unless given.")
    var track: Track?

    func perform(_ client: PixelBoopClient) async throws { try await client.cancelLaunch(track) }
}

struct SceneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene", abstract: "Launch or copy scenes, 1 to 8: the slots of one number of all tracks.",
        subcommands: [LaunchScene.self, CopyScene.self], defaultSubcommand: LaunchScene.self)
}

struct LaunchScene: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Play a scene, or several in turn.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The scene, 1 to 8; several are a chain, played round and round.")
    var scenes: [Int]
    @Flag(help: "Play it from the next step on, at the same place of the loop.")
    var now = false

    func validate() throws { try checkMoment(now: now, of: scenes) }

    func perform(_ client: PixelBoopClient) async throws {
        if scenes.count > 1 {
            try await client.chainScenes(scenes)
        } else {
            try await client.launchScene(scenes[0], now ? .now : .queued)
        }
    }
}

struct CopyScene: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Put a copy of a scene into another one.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The scene to copy, 1 to 8.")
    var from: Int
    @Argument(help: "The scene that is replaced, 1 to 8.")
    var to: Int

    func perform(_ client: PixelBoopClient) async throws { try await client.copyScene(from: from, to: to) }
}

extension ParsableCommand {
    /// A chain begins at a launch point.
    fileprivate func checkMoment(now: Bool, of numbers: [Int]) throws {
        if now, numbers.count > 1 { throw ValidationError("--now is for one slot or scene, not for a chain") }
    }
}
