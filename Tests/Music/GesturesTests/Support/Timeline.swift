import Gestures
import Grid

// Touches written as text, one a line:
//
//       0  down s3,5      finger a of client 1 goes down in the middle of step 3's column, row 5
//     120  move 9.25,5.5  it moves to x = 9.25, y = 5.5
//     400  up             it is lifted where it was reported last
//     400  2b down 4,0    finger b of client 2 goes down in the middle of column 4, row 0
//     900                 nothing; time passes
//
// Whole numbers mean the middle of a cell.

struct TimelineEvent {
    let time: Duration
    /// Client and letter of the finger.
    let finger: String
    /// Nil if only time passes.
    let phase: TouchPhase?
    /// Nil for where the finger was reported last.
    let place: TimelinePlace?

    var client: ClientID { ClientID(Int(finger.dropLast())!) }
    var touchID: Int { Int(finger.utf8.last!) }
}

struct TimelinePlace {
    let x: Double
    let y: Double
}

func timelineEvents(_ text: String) -> [TimelineEvent] {
    text.split(separator: "\n").map { line in
        var words = line.split(separator: " ").map(String.init)
        guard let milliseconds = Int(words.removeFirst()) else { preconditionFailure("no time in: \(line)") }
        let time = Duration.milliseconds(milliseconds)
        guard !words.isEmpty else { return TimelineEvent(time: time, finger: "1a", phase: nil, place: nil) }

        let finger = TouchPhase(rawValue: words[0]) == nil ? words.removeFirst() : "1a"
        guard let phase = TouchPhase(rawValue: words.removeFirst()) else { preconditionFailure("no phase in: \(line)") }
        return TimelineEvent(time: time, finger: finger, phase: phase, place: words.first.map(parsePlace))
    }
}

private func parsePlace(_ text: String) -> TimelinePlace {
    let parts = text.split(separator: ",").map(String.init)
    let column = parts[0].hasPrefix("s") ? String(Layout.column(ofStep: Int(parts[0].dropFirst())!)) : parts[0]
    return TimelinePlace(x: parseCoordinate(column), y: parseCoordinate(parts[1]))
}

private func parseCoordinate(_ text: String) -> Double {
    guard let number = Double(text) else { preconditionFailure("no number: \(text)") }
    return text.contains(".") ? number : number + 0.5
}
