import ArgumentParser
import Wire

/// The root of all commands.
struct PixelBoop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop",
        abstract: "Play and control pixelboopd, the pixel-grid step sequencer.",
        discussion: """
            Talks to the daemon over its control socket: --socket or --session, else $PIXELBOOP_SOCKET, else \
            $XDG_RUNTIME_DIR/pixelboop/control.sock, else, while nobody listens there, the system's daemon at \
            /run/pixelboop/control.sock.

            Exit codes: 0 done, 1 refused by the daemon, 2 wrong usage, 3 no daemon.
            """,
        version: ProgramVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Playing",
                subcommands: [
                    Play.self, Stop.self, Pause.self, Toggle.self, Record.self, Catch.self, SlotCommand.self,
                    SceneCommand.self, SetFill.self, HoldPunchIn.self, TUI.self,
                ]),
            CommandGroup(
                name: "Settings",
                subcommands: [
                    SetTempo.self, SetScale.self, SetRoot.self, SetLength.self, SetSwing.self, SetTrack.self,
                    SetParameter.self, SetSync.self, MidiCommand.self, ShowLink.self,
                ]),
            CommandGroup(
                name: "Notes",
                subcommands: [
                    PerformTouch.self, SetNote.self, SetLens.self, DiceCommand.self, MotionCommand.self, Undo.self,
                    Redo.self, Clear.self,
                ]),
            CommandGroup(
                name: "Looking",
                subcommands: [ShowStatus.self, ShowStatistics.self, Doctor.self, Listen.self, Watch.self, Show.self]),
            CommandGroup(
                name: "Patterns",
                subcommands: [
                    New.self, Save.self, Load.self, List.self, Rename.self, Delete.self, Import.self,
                    ExportPattern.self, Render.self,
                ]),
            CommandGroup(name: "Performances", subcommands: [TakeCommand.self]),
            CommandGroup(name: "Samples", subcommands: [Kits.self]),
            CommandGroup(name: "Everything else", subcommands: [Call.self]),
        ])
}
