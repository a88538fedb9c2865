/// How pictures are cut into universes of 512 channels, without cutting a light in two.
struct Universes: Equatable, Sendable {
    static let size = 512
    /// Channels used per universe: those of 170 lights.
    private static let used = 510

    let first: Int
    /// The channel of the first universe at which the picture begins, from 1.
    let start: Int

    /// Channels of the picture in the first universe.
    private var room: Int { min(Self.used, (Self.size - start + 1) / 3 * 3) }

    /// How many universes a picture needs.
    func count(channels: Int) -> Int {
        1 + (max(0, channels - room) + Self.used - 1) / Self.used
    }

    /// The numbers of the universes that a picture needs.
    func numbers(channels: Int) -> Range<Int> { first..<(first + count(channels: channels)) }

    /// The channels of each universe, from its first to the last that is used.
    func parts(of channels: [UInt8]) -> [(universe: Int, channels: [UInt8])] {
        numbers(channels: channels.count).map { universe in
            let index = universe - first
            guard index > 0 else { return (universe, [UInt8](repeating: 0, count: start - 1) + channels.prefix(room)) }
            return (universe, Array(channels.dropFirst(room + (index - 1) * Self.used).prefix(Self.used)))
        }
    }
}
