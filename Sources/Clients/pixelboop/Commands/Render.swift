import ArgumentParser
import Export
import Instrument
import Media
import Music
import PatternFormat

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Render a pattern file to a sound file, without daemon or JACK.",
        discussion: """
            WAV, or FLAC if the name ends in .flac. The pattern is played --loops times; then the last sounds ring out.
            Kits of samples are read from the folder kits in the daemon's data-dir, by default \
            ~/.local/share/pixelboop/kits.
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Frames per second, 8000 to 192000.", valueName: "Hz"))
    var rate = 48_000
    @Flag(help: "32-bit floating point instead of 24 bits; WAV only.")
    var float = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many times to play the pattern, 1 to 1000.", valueName: "n"))
    var loops = 1
    @Option(help: ArgumentHelp("Play these scenes of the file, 1 to 8, a loop each: 1,1,2.", valueName: "scenes"))
    var scenes = SceneList()
    @Option(help: "Render this track alone, mono.")
    var track: Track?
    @Flag(
        help: """
            Write the parts of the mix beside it, too: out.melody.wav, .chords, .bass, .rhythm, .reverb and .delay; all in \
            32-bit floats.
            """)
    var stems = false
    @Option(help: "What the file's `col` counts: columns of the grid, or steps from 0 (the first web version).")
    var columns = PatternFormat.Columns.grid
    @Option(
        help: "Where the kits of samples are; by default where the daemon has them.", completion: .directory)
    var kits: String?
    @Argument(help: "A pattern as JSON; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String
    @Argument(help: "The sound file; - for a WAV on standard output.", completion: .file(extensions: ["wav", "flac"]))
    var sound: String

    func validate() throws {
        try AudioLimits.checkRate(rate)
        try scenes.checkLoops(loops)
        guard stems else { return }
        guard track == nil else { throw ValidationError("--stems and --track exclude each other") }
        try AudioLimits.checkStems(sound)
    }

    func run() throws {
        let pattern = try PatternFile.read(file, columns: columns)
        var options = RecordingOptions()
        options.sampleRate = rate
        options.sampleFormat = float ? .float32 : .integer24
        options.loops = loops
        options.turns = scenes.turns
        options.track = track
        options.hasStems = stems
        try SoundFile.write(Document(pattern: pattern), options, kits: kits, to: sound)
    }
}

/// Scenes that are played one after the other, as `1,1,2`.
struct SceneList: ExpressibleByArgument {
    /// From 1; empty for the playing slots.
    var numbers: [Int] = []

    /// What plays in each loop.
    var turns: [PlayingSlots] { numbers.map { PlayingSlots(scene: $0 - 1) } }

    init() {}

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let allowed = numbers.compactMap(\.self).filter((1...Slot.count).contains)
        guard allowed.count == numbers.count else { return nil }
        self.numbers = allowed
    }

    var defaultValueDescription: String { "what plays" }

    /// Checks how many times they are played, and how many loops that is in all.
    func checkLoops(_ loops: Int) throws {
        guard AudioLimits.loopCounts.contains(loops) else { throw ValidationError("--loops: expected 1 to 1000") }
        guard loops * numbers.count <= AudioLimits.loopCounts.upperBound else {
            throw ValidationError("--scenes: expected at most 1000 loops in all")
        }
    }
}

extension AudioLimits {
    /// Checks the frames per second that `--rate` gives.
    static func checkRate(_ rate: Int) throws {
        guard sampleRates.contains(rate) else { throw ValidationError("--rate: expected 8000 to 192000") }
    }

    /// Checks the file that `--stems` belongs to.
    static func checkStems(_ path: String) throws {
        guard AudioFile.isWAV(path) else { throw ValidationError("--stems needs a file that ends in .wav") }
    }
}
