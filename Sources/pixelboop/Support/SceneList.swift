import ArgumentParser
import Music

/// Scenes that are played one after the other, as `1,1,2`.
struct SceneList: ExpressibleByArgument {
    /// From 1; empty for what plays.
    var numbers: [Int] = []

    /// From 0.
    var indices: [Int] { numbers.map { $0 - 1 } }

    init() {}

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let allowed = numbers.compactMap(\.self).filter((1...Slot.count).contains)
        guard allowed.count == numbers.count else { return nil }
        self.numbers = allowed
    }

    var defaultValueDescription: String { "what plays" }
}
