import Grid
import TestSupport
import Testing

@Suite struct FrameChangesTests {
    @Test func `equal frames have no changes`() {
        #expect(Frame().changes(from: Frame()).isEmpty)
    }

    @Test func `the changed cells are named in ascending order, with their new colours`() {
        var frame = Frame()
        frame[1, 2] = Color(0x0000ff)
        frame[43, 0] = Color(0xff0000)
        #expect(
            frame.changes(from: Frame())
                == [.init(index: 43, value: 0xff0000), .init(index: 89, value: 0x0000ff)])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `the changes from A to B turn A into B`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var cells = (0..<1056).map { _ in UInt32.random(in: 0...3, using: &generator) }
        var frame = try #require(Frame(cells: cells))
        for _ in 0..<Int.random(in: 0...1056, using: &generator) {
            cells[Int.random(in: 0..<1056, using: &generator)] = UInt32.random(in: 0...3, using: &generator)
        }
        let next = try #require(Frame(cells: cells))
        let changes = next.changes(from: frame)
        #expect(changes.count == zip(frame.cells, next.cells).filter { $0 != $1 }.count)
        let isApplied = frame.apply(changes)
        #expect(isApplied)
        #expect(frame == next)
    }

    @Test(arguments: [-1, 1056, Int.max, Int.min])
    func `changes with a cell outside the grid change nothing`(index: Int) {
        var frame = Frame()
        let isApplied = frame.apply([.init(index: 0, value: 0xffffff), .init(index: index, value: 0xffffff)])
        #expect(!isApplied)
        #expect(frame == Frame())
    }

    @Test func `bits above a colour's are ignored`() {
        var frame = Frame()
        frame.apply([.init(index: 0, value: 0xff12_3456)])
        #expect(frame[0, 0] == Color(0x123456))
    }
}
