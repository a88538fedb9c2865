import JackTestSupport
import PixelBoopClient
import TestSupport

/// Hears the main output now and then, and compares it with the takes afterwards.
struct TakeWitness {
    /// How long it listens each time, in seconds.
    private static let length = 12
    /// Seconds between two windows.
    private static let pauses = 15...40
    /// How much longer it records, in seconds: until late periods have been reported.
    private static let margin = 1

    /// A window that is being recorded.
    private struct Open {
        let recorder: JackRecorder
        /// The take that is recorded by the daemon meanwhile.
        let take: Int
        /// How many periods had been late before.
        let late: Int
        /// Where the ports were surely connected.
        let first: Int
        let end = ContinuousClock.now + .seconds(TakeWitness.length + TakeWitness.margin)
    }

    private var open: Open?
    private var next = ContinuousClock.now + .seconds(10)
    private var windows: [TakeWindow] = []
    private var comparisons: [Task<TakeFindings, Never>] = []

    /// Begins or ends a window when it is time; call it every second.
    ///
    /// - Parameter late: How many periods have been late so far.
    mutating func goOn(_ stage: SoakStage, on server: JackServer, late: Int) async throws {
        if let open {
            guard ContinuousClock.now >= open.end else { return }
            let recording = open.recorder.recording
            drop()
            guard try await stage.currentTake()?.number == open.take else { return }
            let end = open.first + Self.length * recording.sampleRate
            let runs = Self.runs(of: recording, samples: open.first..<end)
            add(TakeWindow(take: open.take, runs: runs, late: late - open.late))
        } else if ContinuousClock.now >= next, let current = try await stage.currentTake() {
            // On a busy machine the server may take too long to connect a client.
            let recorder = try? JackRecorder(
                ["pixelboop:main_L", "pixelboop:main_R"], of: server, seconds: Double(2 * Self.length))
            open = recorder.map { recorder in
                let recording = recorder.recording
                let first = recording.channels[0].count + recording.sampleRate / 10
                return Open(recorder: recorder, take: current.number, late: late, first: first)
            }
        }
    }

    /// Forgets what is being recorded; necessary before the server goes.
    mutating func drop() {
        open?.recorder.close()
        open = nil
        next = .now + .seconds(Int.random(in: Self.pauses))
    }

    /// The periods of a recording that begin within some samples, interleaved, and divided where frames are missing.
    static func runs(of recording: JackRecording, samples: Range<Int>) -> [[Float]] {
        var runs: [[Float]] = []
        var next: UInt32?
        for block in recording.blocks where samples.contains(block.start) {
            if block.frame != next { runs.append([]) }
            next = block.frame &+ UInt32(block.count)
            for sample in block.start..<block.start + block.count {
                runs[runs.count - 1].append(recording.channels[0][sample])
                runs[runs.count - 1].append(recording.channels[1][sample])
            }
        }
        return runs
    }

    /// Adds a window that somebody else heard.
    mutating func add(_ window: TakeWindow) { windows.append(window) }

    /// Begins to compare all windows so far with their takes, while others may play on.
    mutating func compare(_ renderer: TakeRenderer) {
        drop()
        let windows = windows
        self.windows = []
        comparisons.append(Task { await renderer.findings(of: windows) })
    }

    /// Waits until all comparisons have ended.
    func findings() async -> TakeFindings {
        var sum = TakeFindings()
        for comparison in comparisons { sum += await comparison.value }
        return sum
    }
}
