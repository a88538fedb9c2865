/// Which keys are down after some messages, for somebody who heard them all.
struct HeardKeys {
    /// A key of a channel.
    struct Key: Hashable, CustomStringConvertible {
        /// From 0.
        var channel: UInt8
        var number: UInt8

        var description: String { "key \(number) on channel \(channel + 1)" }
    }

    private(set) var down: Set<Key> = []
    /// A key that was pressed while it was down.
    private(set) var fault: String?

    /// Hears a message.
    mutating func hear(_ bytes: [UInt8]) {
        guard bytes.count == 3 else { return }
        let key = Key(channel: bytes[0] & 0xf, number: bytes[1])
        switch bytes[0] & 0xf0 {
        case 0x90:
            if !down.insert(key).inserted { fault = "\(key) was pressed while it was down" }
        case 0x80: down.remove(key)
        case 0xb0 where bytes[1] == 123: down = down.filter { $0.channel != key.channel }
        default: break
        }
    }
}
