import Engine
import Export
import Music
import OfflineAudio

@testable import Takes

/// The content of a take, which is refused or played into a MIDI file.
///
/// An input is a series of sections: a byte for the kind, and a block. Before them come a score and a beginning, because the engine
/// trusts its memory, which has a checksum in the database.
struct TakeTarget: FuzzTarget {
    private enum Section: UInt8, CaseIterable {
        case log
        case score
        case timeline
        case kit
        /// Bytes between records.
        case raw
    }

    private struct Enough: Error {}

    /// The score and the beginning.
    private let start: [UInt8]

    init() {
        var writer = CompactWriter()
        writer.write(0)
        var scores = ScoreEncoder()
        let score = TakeContent.record(TakeContent.score, writer.bytes + scores.encode(ScoreSource(Document())))
        let memory = Engine(score: Score(Document())).controlMemory.bytes
        let beginning = TakeBeginning(sampleRate: 8000, frame: 0, numbers: TakeNumbers(), memory: memory)
        start = score + TakeContent.record(TakeContent.beginning, TakeContent.bytes(of: beginning))
    }

    func run(_ input: UnsafeRawBufferPointer) {
        var cursor = InputCursor(input)
        var content = start
        while !cursor.isAtEnd {
            let section = Section.allCases[Int(cursor.byte()) % Section.allCases.count]
            let block = cursor.block()
            switch section {
            case .log: content += TakeContent.record(TakeContent.log, block)
            case .score: content += TakeContent.record(TakeContent.score, block)
            case .timeline: content += TakeContent.record(TakeContent.timeline, block)
            case .kit: content += TakeContent.record(TakeContent.kit, block)
            case .raw: content += block
            }
        }
        render(content)
    }

    private func render(_ content: [UInt8]) {
        let stream = DeflateStream()
        let piece = stream.compress(content) + stream.flush()
        let head = TakeHead(
            engineVersion: Engine.version, architecture: TakeHead.ownArchitecture, sampleRate: 8000, began: 0,
            pattern: "")
        let take = KeptTake(
            number: 1, format: KeptTake.readableFormat, head: head, progress: TakeProgress(frames: 1 << 20),
            isStarred: false, isCurrent: false, size: piece.count)
        do {
            let file = try TakeMIDI.file(of: take) {
                $0 == 0 ? [piece] : []
            } progress: { _ in
                throw Enough()
            }
            MIDIFileRules.check(file)
        } catch is MalformedTake {} catch is TakeReplay.Failure {} catch is TakeRendering.Failure {} catch is Enough {
        } catch {
            require(false, "\(error)")
        }
    }
}
