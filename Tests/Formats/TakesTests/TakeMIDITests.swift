import Engine
import Export
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Takes

/// Stored takes as MIDI files.
@Suite(.timeLimit(.minutes(2))) struct TakeMIDITests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A message of a file, and when it is played, in seconds by the file's tempo map.
    private struct Played: Equatable {
        var seconds: Double
        var bytes: [UInt8]
    }

    /// Reads a file by the standard: the names of its tracks, and their messages.
    private struct Reader {
        var names: [String] = []
        var tracks: [[(tick: Int, bytes: [UInt8])]] = []
        var tempos: [(tick: Int, usecs: Int)] = []
        private let bytes: [UInt8]
        private var place = 14

        init(_ bytes: [UInt8]) throws {
            self.bytes = bytes
            try #require(Array(bytes.prefix(14)) == Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 5, 0x03, 0xc0])
            while place < bytes.count { try readTrack() }
        }

        private mutating func number(_ size: Int) -> Int {
            defer { place += size }
            return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
        }

        private mutating func variable() -> Int {
            var number = 0
            while true {
                let byte = self.number(1)
                number = number << 7 | byte & 0x7f
                if byte < 0x80 { return number }
            }
        }

        private mutating func readTrack() throws {
            try #require(number(4) == 0x4d54_726b)
            let end = number(4) + place
            var (tick, messages) = (0, [(tick: Int, bytes: [UInt8])]())
            while place < end {
                tick += variable()
                let status = UInt8(number(1))
                if status == 0xff {
                    let (kind, count) = (number(1), variable())
                    let content = Array(bytes[place..<place + count])
                    place += count
                    if kind == 3 { names.append(String(decoding: content, as: UTF8.self)) }
                    if kind == 0x51 { tempos.append((tick, content.reduce(0) { $0 << 8 | Int($1) })) }
                } else {
                    let count = (0xc0..<0xe0).contains(status) ? 1 : 2
                    messages.append((tick, [status] + bytes[place..<place + count]))
                    place += count
                }
            }
            tracks.append(messages)
        }

        func seconds(at tick: Int) -> Double {
            var (seconds, last, usecs) = (0.0, 0, 500_000)
            for tempo in tempos where tempo.tick <= tick {
                seconds += Double(tempo.tick - last) * Double(usecs) / 960e6
                (last, usecs) = tempo
            }
            return seconds + Double(tick - last) * Double(usecs) / 960e6
        }

        func played(_ track: Track) -> [Played] {
            tracks[track.rawValue + 1].map { Played(seconds: seconds(at: $0.tick), bytes: $0.bytes) }
        }
    }

    private func file(of instrument: RecordedInstrument) async throws -> Reader {
        let take = try #require(try await instrument.store.entries().last)
        let pieces = try await instrument.store.pieces(of: take.number, from: 0)
        return try Reader(TakeMIDI.file(of: take) { Array(pieces.dropFirst($0)) })
    }

    @Test func `notes that were sent are in the file as they were, and others as they sounded`() async throws {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        instrument.change { document in
            document.set(.target, on: .melody, to: .choice(NoteTarget.midi))
            document.set(.channel, on: .melody, to: 7)
            document.set(.swing, to: .number(0.6))
        }
        instrument.render(1)
        let start = instrument.driver.frame
        instrument.driver.schedule(.command(.play), at: start)
        var sent: [Played] = []
        func play(_ seconds: Double) {
            instrument.driver.render(frames: Int(8000 * seconds), periods: [200]) { period in
                for (frame, event) in period.messages(of: .midiOut) {
                    sent.append(
                        Played(
                            seconds: Double(frame - start) / 8000,
                            bytes: Array([event.status, event.first, event.second].prefix(Int(event.count)))))
                }
            }
        }
        play(2)
        instrument.change { $0.set(.tempo, to: 90) }
        instrument.driver.receive(MidiEvent(frame: 0, count: 3, 0xe6, 0, 70), at: instrument.driver.frame)
        play(1.5)
        instrument.driver.schedule(.command(.stop), at: instrument.driver.frame)
        play(0.5)
        try await instrument.rest()
        let file = try await file(of: instrument)
        #expect(file.names == ["take"] + Track.allCases.map(\.name))
        let melody = file.played(.melody)
        #expect(sent.count > 10 && melody.map(\.bytes) == sent.map(\.bytes))
        // A tick lasts 0.7 ms at 90 BPM.
        #expect(zip(melody, sent).map { abs($0.seconds - $1.seconds) }.max() ?? 1 < 0.0004)
        #expect(sent.contains { $0.bytes[0] == 0xe6 })
        // 240 BPM, then 90.
        #expect(file.tempos.map { $0.usecs } == [250_000, 666_667] && file.tempos[1].tick == 7680)
        for track in [Track.chords, .bass, .rhythm] {
            let messages = file.played(track)
            #expect(messages.count > 10)
            let channel = UInt8(track.defaultChannel - 1)
            #expect(messages.allSatisfy { [0x80 | channel, 0x90 | channel].contains($0.bytes[0]) })
            #expect(messages.count { $0.bytes[0] >= 0x90 } * 2 == messages.count, "each start has an end")
        }
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a muted track has no notes, and keys that are played by hand have`() async throws {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        instrument.change { $0.set(.mute, on: .bass, to: .toggle(true)) }
        instrument.driver.schedule(.key(RtKey(owner: 1, track: 1, key: 61, velocity: 90)), at: 4000)
        instrument.driver.schedule(.key(RtKey(owner: 1, track: 1, key: 61, velocity: 0)), at: 8000)
        instrument.driver.schedule(.command(.play), at: 12_000)
        instrument.render(3)
        let file = try await file(of: instrument)
        #expect(file.played(.bass).isEmpty && !file.played(.rhythm).isEmpty)
        let chords = file.played(.chords)
        #expect(chords.first?.bytes[0] == 0x91 && abs((chords.first?.seconds ?? 1) - 0) < 0.001)
        #expect(chords.count > 1 && abs(chords[1].seconds - 0.5) < 0.001)
        #expect(instrument.store.close(within: .seconds(10)))
    }
}
