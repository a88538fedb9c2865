import Testing

@testable import Lights

struct UniversesTests {
    @Test(arguments: [1, 2, 3, 4, 100, 300, 508, 509, 510, 511, 512], [3, 48, 510, 513, 1530, 3168])
    func `every channel is in one universe, and no light in two`(start: Int, count: Int) {
        let universes = Universes(first: 7, start: start)
        let channels: [UInt8] = (0..<count).map { UInt8($0 % 251) }
        let parts = universes.parts(of: channels)
        #expect(parts.map(\.universe) == Array(universes.numbers(channels: count)))
        #expect(parts.allSatisfy { $0.channels.count <= 512 })
        #expect(parts[0].channels.prefix(start - 1).allSatisfy { $0 == 0 })
        let sent = Array(parts.flatMap(\.channels).dropFirst(start - 1))
        #expect(sent == channels)
        #expect(parts.dropFirst().dropLast().allSatisfy { $0.channels.count == 510 })
        #expect((parts[0].channels.count - start + 1) % 3 == 0)
    }
}
