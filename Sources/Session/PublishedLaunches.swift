import Engine
import Music

/// The launches that the engine was told of, by the numbers that it tells of them with.
struct PublishedLaunches {
    private struct Line {
        /// The number given last.
        var issued: Int64 = 0
        /// The newest launch that the document takes into account.
        var known: Int64 = 0
        /// What is to be launched under the number given last, nil when that has happened or is not wanted any more.
        var pending: LaunchQueue.Next?
    }

    private var lines = [Line](repeating: Line(), count: Track.allCases.count)

    /// Lets a score say what is to be launched.
    mutating func write(_ queue: LaunchQueue, of document: Document, to score: inout Score) {
        for track in Track.allCases {
            publish(queue.next(on: track), on: track, of: document, to: &score)
            score.launches.tracks[track.rawValue].known = lines[track.rawValue].known
        }
    }

    private mutating func publish(
        _ next: LaunchQueue.Next?, on track: Track, of document: Document, to score: inout Score
    ) {
        if next != lines[track.rawValue].pending {
            lines[track.rawValue].pending = next
            if next != nil { lines[track.rawValue].issued += 1 }
        }
        guard let next else { return }
        score.launch(
            Slot(track, next.index), of: document.pattern, at: LaunchPoint(next.moment, document.launchQuantum),
            number: lines[track.rawValue].issued)
    }

    /// The clock has carried a launch out.
    ///
    /// - Returns: Nil when the document has been set to something else since; else whether it is the one that the queue
    ///   has next.
    mutating func land(_ number: Int64, on track: Track) -> Bool? {
        guard number > lines[track.rawValue].known else { return nil }
        lines[track.rawValue].known = number
        guard number == lines[track.rawValue].issued, lines[track.rawValue].pending != nil else { return false }
        lines[track.rawValue].pending = nil
        return true
    }

    /// The document is what counts on a track, whatever the clock has launched meanwhile.
    mutating func overrule(on track: Track) {
        lines[track.rawValue].known = lines[track.rawValue].issued
        lines[track.rawValue].pending = nil
    }
}

extension LaunchPoint {
    fileprivate init(_ moment: LaunchQueue.Next.Moment, _ quantum: LaunchQuantum) {
        switch (moment, quantum) {
        case (.step, _), (.point, .step): self = .step
        case (.point, .beat): self = .beat
        case (.point, .bar): self = .bar
        case (.point, .loop): self = .loop
        case (.link, _): self = .nextLoop
        }
    }
}
