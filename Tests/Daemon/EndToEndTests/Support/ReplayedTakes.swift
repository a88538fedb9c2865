import DaemonTestSupport
import Engine
import Foundation
import JackTestSupport
import Media
import OfflineAudio
import Takes

@testable import Export

/// What the takes of a daemon that has ended sound like, when they are played again.
struct ReplayedTakes {
    /// Cycles that follow each other without a gap.
    private struct Run {
        /// How often the driver has begun to count frames anew.
        var era: Int
        /// The driver's number of the first frame.
        var frame: Int64
        /// Of each port, in the order in which they were asked for.
        var samples: [[Float]]

        var end: Int64 { frame + Int64(samples[0].count) }
    }

    /// How a recording agrees with them.
    struct Comparison: CustomStringConvertible {
        /// Frames of each port that were compared.
        var compared = 0
        /// Frames that were recorded from each take's first to its last.
        var recorded = 0
        /// The compared frames that are not silent.
        var loud = 0
        /// Frames that differ, and where the first of them is.
        var different = 0
        var firstDifference: String?
        /// Frames with sound that no take has.
        var missing = 0

        var share: Double { recorded == 0 ? 0 : Double(compared) / Double(recorded) }

        var description: String {
            "\(compared) of \(recorded) frames compared (\(share * 100) %), \(loud) not silent, \(different) different"
                + (firstDifference.map { ", the first at \($0)" } ?? "") + ", \(missing) missing"
        }

        static func += (sum: inout Comparison, other: Comparison) {
            sum.compared += other.compared
            sum.recorded += other.recorded
            sum.loud += other.loud
            sum.different += other.different
            sum.firstDifference = sum.firstDifference ?? other.firstDifference
            sum.missing += other.missing
        }
    }

    private(set) var takes: [KeptTake] = []
    /// How many kits of samples they played, and whether all were found as they were.
    private(set) var (kitCount, hasAllSamples) = (0, true)
    private var runs: [Run] = []
    private let ports: [EnginePort]

    /// Plays all takes of a daemon that has ended.
    init(of daemon: DaemonProcess, _ ports: [EnginePort]) async throws {
        self.ports = ports
        let library = KitLibrary(directory: daemon.directory.appending(path: "data/kits").path)
        let store = try TakeStore(in: daemon.stateDirectory.path)
        takes = try await store.entries()
        for take in takes {
            var pieces: [[UInt8]] = []
            while true {
                let next = try await store.pieces(of: take.number, from: pieces.count)
                if next.isEmpty { break }
                pieces += next
            }
            try play(pieces, library)
        }
        store.close(within: .seconds(10))
    }

    private mutating func play(_ pieces: [[UInt8]], _ library: KitLibrary) throws {
        var kits: [FoundKit] = []
        let performance = TakePerformance { kit, rate in
            kits.append(FoundKit(kit, in: library, sampleRate: rate))
            return kits[kits.count - 1]
        }
        func next(_ first: Int) -> [[UInt8]] { Array(pieces.dropFirst(first)) }
        try performance.play(next) { output in
            guard case .period(let period) = output, let replay = performance.replay else { return }
            add(period, at: replay.driverFrame)
        }
        kitCount += kits.count
        hasAllSamples = hasAllSamples && kits.allSatisfy { $0.kit != nil && $0.changedDrums.isEmpty }
    }

    private mutating func add(_ period: OfflinePeriod, at frame: Int64) {
        let era = runs.last.map { frame < $0.end ? $0.era + 1 : $0.era } ?? 0
        if runs.last?.end != frame {
            runs.append(Run(era: era, frame: frame, samples: Array(repeating: [], count: ports.count)))
        }
        for (index, port) in ports.enumerated() { runs[runs.count - 1].samples[index] += period[port] }
    }

    /// The frame after the last one.
    var end: Int64 { runs.last?.end ?? 0 }

    /// Compares what was recorded since the driver began to count frames for the n-th time, from 0.
    ///
    /// - Parameter first: The sample from which on the recorder was connected.
    func comparison(with recording: JackRecording, from first: Int, era: Int) -> Comparison {
        var result = Comparison()
        let runs = runs.filter { $0.era == era }
        guard let start = runs.first?.frame, let end = runs.last?.end else { return result }
        for block in recording.blocks where block.start >= first {
            let frames = Int64(block.frame)..<Int64(block.frame) + Int64(block.count)
            result.recorded += frames.clamped(to: start..<end).count
            var compared: [Range<Int64>] = []
            for run in runs where run.frame < frames.upperBound && run.end > frames.lowerBound {
                let common = frames.clamped(to: run.frame..<run.end)
                compared.append(common)
                let place = block.start + Int(common.lowerBound - frames.lowerBound)
                compare(common, of: recording, at: place, run, &result)
            }
            for frame in frames where !compared.contains(where: { $0.contains(frame) }) {
                let place = block.start + Int(frame - frames.lowerBound)
                if recording.channels.contains(where: { $0[place] != 0 }) { result.missing += 1 }
            }
        }
        return result
    }

    private func compare(
        _ frames: Range<Int64>, of recording: JackRecording, at place: Int, _ run: Run, _ result: inout Comparison
    ) {
        result.compared += frames.count
        for offset in 0..<frames.count {
            let other = Int(frames.lowerBound - run.frame) + offset
            var (isLoud, isDifferent) = (false, false)
            for channel in ports.indices {
                let (heard, again) = (recording.channels[channel][place + offset], run.samples[channel][other])
                isLoud = isLoud || heard != 0
                guard heard.bitPattern != again.bitPattern else { continue }
                isDifferent = true
                if result.firstDifference == nil {
                    let frame = frames.lowerBound + Int64(offset)
                    result.firstDifference =
                        "\(ports[channel].name) \(frame) of era \(run.era): \(heard), \(again)"
                }
            }
            if isLoud { result.loud += 1 }
            if isDifferent { result.different += 1 }
        }
    }

    /// The samples of some frames, interleaved; silence where there is no take.
    func interleaved(_ frames: Range<Int64>) -> [Float] {
        var samples = [Float](repeating: 0, count: frames.count * ports.count)
        for run in runs where run.frame < frames.upperBound && run.end > frames.lowerBound {
            for frame in frames.clamped(to: run.frame..<run.end) {
                for channel in ports.indices {
                    samples[Int(frame - frames.lowerBound) * ports.count + channel] =
                        run.samples[channel][Int(frame - run.frame)]
                }
            }
        }
        return samples
    }
}
