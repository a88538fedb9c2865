/// What the name says under which pixelboop-link holds the timeline: how the Ableton Link session fares.
public struct LinkHolder: Equatable, Sendable {
    /// Other peers in the session.
    public var peers: Int
    /// The session's tempo in hundredths of beats per minute.
    public var hundredths: Int

    /// A session of so many other peers at a tempo in beats per minute.
    public init(peers: Int, bpm: Double) {
        self.peers = peers
        hundredths = Int((bpm * 100).rounded())
    }

    /// Reads a ``name``; nil for any other.
    public init?(name: String) {
        guard let match = name.wholeMatch(of: #/Ableton Link, (\d{1,9}) peers?, (\d{1,9})\.(\d\d) BPM/#),
            let peers = Int(match.1), let whole = Int(match.2), let rest = Int(match.3)
        else { return nil }
        self.peers = peers
        hundredths = whole * 100 + rest
    }

    /// Beats per minute.
    public var bpm: Double { Double(hundredths) / 100 }

    /// `Ableton Link, 2 peers, 126.00 BPM`
    public var name: String {
        let rest = hundredths % 100
        return
            "Ableton Link, \(peers) \(peers == 1 ? "peer" : "peers"), \(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) BPM"
    }
}
