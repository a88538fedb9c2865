import Music
import NIOCore
import NIOPosix

/// Keys that several clients press over the control protocol, and keyboards at the MIDI input, while clients vanish and the
/// driver comes and goes. Only keys that somebody holds are down, and in the end nothing sounds.
///
/// An input is a series of events of four bytes: the kind and who does it, and three for the details.
struct KeysTarget: FuzzTarget {
    private let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    /// A longer input tells nothing new.
    private static let longest = 300

    func run(_ input: UnsafeRawBufferPointer) {
        let events = InputCursor(input)
        eventLoop.perform { [eventLoop] in
            var cursor = events
            let players = KeyPlayers(on: eventLoop)
            for _ in 0..<Self.longest where !cursor.isAtEnd { players.play(&cursor) }
            players.end()
        }
    }
}
