import Foundation
import LinkBridge

/// A peer of an Ableton Link session for tests: does what lines on its standard input say (`tempo 130`, `play`, `play 500`
/// for a start that many ms ahead, `stop`, `state`), and prints a line of the session's state after each of them and after
/// each change.
@main
struct LinkPeer {
    private static let quantum = 4.0

    static func main() async throws {
        let bpm = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 120
        let session = try LinkSession(bpm: bpm)
        session.shareStarts(true)
        session.enable()
        // On a thread of its own, as reading blocks.
        Thread.detachNewThread {
            while let line = readLine() { obey(line, session) }
            exit(0)
        }
        for await _ in session.changes { tell(session) }
    }

    private static func obey(_ line: String, _ session: LinkSession) {
        let words = line.split(separator: " ")
        switch words.first {
        case "tempo": session.setTempo(Double(words[1]) ?? 120, at: session.now)
        case "play":
            let milliseconds = words.dropFirst().first.flatMap { Int($0) } ?? 0
            session.setPlaying(true, at: session.now + milliseconds * 1000)
        case "stop": session.setPlaying(false, at: session.now)
        default: break
        }
        tell(session)
    }

    private static func tell(_ session: LinkSession) {
        let moment = session.moment(at: session.now, quantum: quantum)
        let line =
            "{\"usecs\":\(moment.usecs),\"beat\":\(moment.beat),\"bpm\":\(moment.bpm),"
            + "\"playing\":\(moment.isPlaying),\"peers\":\(moment.peers)}\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
