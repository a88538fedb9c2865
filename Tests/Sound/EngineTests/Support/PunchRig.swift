import Instrument
import Music
import OfflineAudio
import TestSupport

@testable import Engine

extension PunchIns {
    /// One effect, held.
    static func holding(
        _ effect: PunchEffect, _ amount: Double = 0.5, number: UInt32 = 1, on tracks: [Track] = Track.allCases
    ) -> PunchIns {
        var punchIns = PunchIns()
        punchIns.hold(effect, amount, number: number, on: tracks)
        return punchIns
    }

    mutating func hold(
        _ effect: PunchEffect, _ amount: Double = 0.5, number: UInt32 = 1, on tracks: [Track] = Track.allCases
    ) {
        self[effect].number = number
        self[effect].isHeld = true
        self[effect].amount = amount
        for track in Track.allCases { self[effect].tracks[track.rawValue] = tracks.contains(track) }
    }

    mutating func letGo(_ effect: PunchEffect) { self[effect].isHeld = false }

    mutating func letGoAll() { for effect in PunchEffect.allCases { letGo(effect) } }
}

/// Samples that pass the punch-ins of a track, while a song plays that began with the first of them.
struct PunchRig {
    var mid: [Float]
    var side: [Float]?
    var bpm = 120.0
    var swing = 0.5
    var sampleRate = 48_000.0
    /// What is held from a frame on.
    var held: [(frame: Int, punchIns: PunchIns)] = []
    /// The frame at which the music stops.
    var stop = Int.max
    /// From when to when the track is muted.
    var muted = Int.max..<Int.max

    init(_ mid: [Float]) { self.mid = mid }

    /// Frames of the input as samples: a sample tells which frame is played.
    static func counting(_ count: Int) -> [Float] { (0..<count).map { Float($0) * scale } }

    /// What a frame counts; exact.
    static let scale: Float = 1.0 / Float(1 << 20)

    var stepFrames: Double { sampleRate * 15 / bpm }

    /// What comes out, in stretches of lengths.
    func render(_ lengths: [Int] = [128]) -> (mid: [Float], side: [Float]?) {
        var rig = StripRig(mid: mid, side: side, sampleRate: sampleRate)
        var punchIns = TrackPunchIns(busCount: side == nil ? 1 : 2, sampleRate: sampleRate)
        var board = PunchBoard()
        var clock = StepClock(
            StepTiming(bpm: bpm, swing: swing, loop: Loop(length: 32), sampleRate: sampleRate))
        clock.start(at: 0)
        let edges = Set(held.map(\.frame) + [stop, muted.lowerBound, muted.upperBound]).sorted()
        var turn = 0
        let nextLength = { (frame: Int) in
            let length = lengths[turn % lengths.count]
            turn += 1
            return min(length, (edges.first { $0 > frame } ?? .max) - frame)
        }
        rig.render(nextLength) { stretch, _ in
            let frame = Int(stretch.frame)
            for change in held where change.frame == frame { board.apply(change.punchIns) }
            let runs = frame < stop
            if board.follow(isPlaying: runs, runs: runs) {
                punchIns.follow(board, on: side == nil ? 0 : 3, clock, at: stretch.frame)
            }
            if frame == muted.lowerBound { punchIns.mute(true, frames: 192) }
            if frame == muted.upperBound { punchIns.mute(false, frames: 192) }
            punchIns.remember(stretch)
            if punchIns.isOn { punchIns.render(stretch) }
            punchIns.advance(stretch.count)
        }
        return (rig.mid, rig.side)
    }
}

extension OfflineDriver {
    /// Renders frames and keeps them; at some frames, the holders of punch-ins do something.
    func record(
        frames: Int, periods: [Int] = [1024], _ held: [(frame: Int64, punchIns: PunchIns)]
    ) -> [OfflineRecording] {
        var recordings: [OfflineRecording] = []
        let end = frame + Int64(frames)
        for change in held {
            recordings.append(record(frames: Int(change.frame - frame), periods: periods))
            engine.publish(change.punchIns)
        }
        recordings.append(record(frames: Int(end - frame), periods: periods))
        return recordings
    }
}

extension [OfflineRecording] {
    subscript(port: EnginePort) -> [Float] { flatMap { $0[port] } }
}
