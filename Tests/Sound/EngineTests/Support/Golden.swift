import Engine
import Foundation
import OfflineAudio
import TestSupport

/// A recording reduced to what a golden file holds.
struct GoldenSound: Equatable {
    /// One port during 10 ms.
    struct Cell: Equatable {
        /// Root mean square in dB, two decimals; -99 for silence.
        var level: Double
        var zeroCrossings: Int
    }

    /// The difference that counts as none: half of what rounding to two decimals can hide, twice.
    static let tolerance = 0.011

    /// Line by line, port by port.
    private(set) var lines: [[Cell]]

    init(_ recording: OfflineRecording) {
        let length = Int(recording.sampleRate / 100)
        let count = recording[.mainLeft].count / length
        lines = (0..<count).map { line in
            EnginePort.audio.map { Cell(recording[$0][line * length..<(line + 1) * length]) }
        }
    }

    init(text: String) throws {
        struct Malformed: Error {}
        lines = try text.split(separator: "\n").map { line in
            try line.split(separator: " ").map { cell in
                let parts = cell.split(separator: "/")
                guard parts.count == 2, let level = Double(parts[0]), let crossings = Int(parts[1]) else {
                    throw Malformed()
                }
                return Cell(level: level, zeroCrossings: crossings)
            }
        }
    }

    var text: String {
        lines.map { line in
            line.map { String(format: "%.2f/%d", $0.level, $0.zeroCrossings) }.joined(separator: " ") + "\n"
        }.joined()
    }

    /// Where two sounds differ most, in words; nil when they are the same.
    func difference(from other: GoldenSound) -> String? {
        guard lines.count == other.lines.count else { return "\(lines.count) lines instead of \(other.lines.count)" }
        var worst = (decibels: 0.0, place: "")
        for (index, (line, others)) in zip(lines, other.lines).enumerated() {
            guard line.count == others.count else { return "line \(index + 1) has \(line.count) ports" }
            for (port, (cell, wanted)) in zip(EnginePort.audio, zip(line, others)) {
                let place = "\(port) at \(index * 10) ms"
                if cell.zeroCrossings != wanted.zeroCrossings {
                    return "\(place): \(cell.zeroCrossings) zero crossings instead of \(wanted.zeroCrossings)"
                }
                let difference = abs(cell.level - wanted.level)
                if difference > worst.decibels { worst = (difference, place) }
            }
        }
        return worst.decibels > GoldenSound.tolerance
            ? String(format: "%.2f dB, %@", worst.decibels, worst.place) : nil
    }
}

extension GoldenSound.Cell {
    fileprivate init(_ samples: ArraySlice<Float>) {
        level = max(-99, (decibels(samples.rms) * 100).rounded() / 100)
        zeroCrossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    }
}

/// The bits of recordings as one number: FNV-1a (Fowler, Noll and Vo).
struct GoldenHash: CustomStringConvertible {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ recording: OfflineRecording) {
        for port in EnginePort.audio {
            for sample in recording[port] { hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3 }
        }
    }

    var description: String { String(hash, radix: 16) }
}
