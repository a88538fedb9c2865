/// What a soak found, item by item.
struct SoakVerdict: Equatable {
    enum Judgement: String {
        case good
        case bad = "BAD"
        /// Nothing happened that could be judged: neither good nor bad.
        case open
    }

    struct Item: Equatable {
        var name: String
        var finding: String
        /// Nil for a remark.
        var judgement: Judgement?

        /// The line to print.
        var line: String {
            let word = judgement?.rawValue ?? ""
            return word + String(repeating: " ", count: 5 - word.count) + "\(name): \(finding)"
        }
    }

    private(set) var items: [Item] = []

    /// The lines to print.
    var lines: [String] { items.map(\.line) }
    /// Whether everything was judged, and nothing is bad.
    var isGood: Bool { !isBad && !isOpen }
    var isBad: Bool { items.contains { $0.judgement == .bad } }
    /// Whether something could not be judged.
    var isOpen: Bool { items.contains { $0.judgement == .open } }

    mutating func add(_ name: String, _ finding: String, _ judgement: Judgement) {
        items.append(Item(name: name, finding: finding, judgement: judgement))
    }

    mutating func add(_ name: String, _ finding: String, isGood: Bool) { add(name, finding, isGood ? .good : .bad) }

    /// Adds what explains the rest, and is not judged.
    mutating func remark(_ name: String, _ finding: String) {
        items.append(Item(name: name, finding: finding, judgement: nil))
    }

    /// The verdict on several parts: an item is bad if it is in any part, and open if no part could judge it.
    init(of parts: [SoakVerdict]) {
        var names: [String] = []
        for item in parts.flatMap(\.items) where item.judgement != nil && !names.contains(item.name) {
            names.append(item.name)
        }
        for name in names {
            let found = parts.map { part in part.items.first { $0.name == name }?.judgement }
            let words = found.enumerated().compactMap { part, judgement in
                judgement.map { "\($0 == .open ? "not judged" : $0.rawValue) in part \(part + 1)" }
            }
            let judgement: Judgement = found.contains(.bad) ? .bad : found.contains(.good) ? .good : .open
            add(name, words.joined(separator: ", "), judgement)
        }
    }

    init() {}
}
