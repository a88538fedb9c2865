import Testing

@testable import Engine

@Suite struct FixedArrayTests {
    @Test func `elements are read and changed in place`() {
        let array = FixedArray(count: 3) { 10 * $0 }
        array[1] += 5
        #expect((array[0], array[1], array[2]) == (0, 15, 20))
    }

    @Test func `a debug build traps an index outside the array`() async {
        await #expect(processExitsWith: .failure) {
            let array = FixedArray(count: 3) { _ in 0 }
            array[-1] = 1
        }
        await #expect(processExitsWith: .failure) {
            let array = FixedArray(count: 3) { _ in 0 }
            array[3] = 1
        }
    }

    /// The module is optimised in debug builds, too.
    @Test func `a debug build traps an index outside an array of the engine`() async {
        await #expect(processExitsWith: .failure) {
            var board = HeldNotes()
            board.forget(track: trackCount, note: 0)
        }
    }
}
