/// Guesses which word a misspelt one was meant to be.
package enum Suggestion {
    /// The candidate that a word was probably meant to be, nil if none is close.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased().replacing("_", with: "-")
        let ranked = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        let best = ranked.min { $0.distance < $1.distance }
        if let best, best.distance <= max(1, word.count / 3) { return best.candidate }
        return candidates.first { word.count >= 3 && ($0.hasPrefix(word) || $0.hasSuffix("-" + word)) }
    }

    /// The candidate that a word was probably meant to be, as a question: `did you mean 'status'?`
    package static func advice(on word: String, among candidates: [String]) -> String? {
        nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
    }

    /// Characters to insert, remove, replace or swap with their neighbour to get from one word to the other ("optimal
    /// string alignment").
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var rows = [Array(0...right.count)]
        for row in 1..<left.count + 1 {
            var current = [row]
            for column in 1..<right.count + 1 {
                let replaced = rows[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var best = min(rows[row - 1][column] + 1, current[column - 1] + 1, replaced)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
