/// What stands in another file: a debug build compiles the files of a module apart.
enum Helper {
    @_noLocks @_noAllocation
    static func annotated() {}

    static func unannotated() {}
}

final class SharedCounter {
    var count = 0
}

enum Table {
    static let all = (0..<8).map { $0 * $0 }
}
