/// One thing that `pixelboop doctor` looks at. A new one is a value in a file of `Checks`, and stands in this list.
struct Check: Sendable {
    /// What it looks at, in a word or two.
    let name: String
    /// What there is to say of it.
    let look: @Sendable (Examination) -> Verdict

    /// All checks, from what the others depend on to what depends on them.
    static let all: [Check] = [
        .daemon, .version, .configuration, .socket, .rights, .server, .scheduling, .ports, .xruns, .load, .saving,
        .disk,
        .gateway,
    ]
}

/// What a check finds.
enum Verdict: Equatable, Sendable {
    case well(String)
    /// Something is wrong; what mends it, in one line.
    case fault(String, remedy: String)
    /// It cannot be looked at, and why.
    case unknown(String)
    /// There is nothing to look at.
    case none(String)
}
