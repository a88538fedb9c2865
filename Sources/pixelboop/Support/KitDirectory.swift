import FoundationEssentials

/// Where the daemon of this user looks for kits of samples.
enum KitDirectory {
    /// `pixelboop/kits` in `XDG_DATA_HOME`, else in the place that the XDG Base Directory Specification names.
    static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        // Relative and empty paths are to be ignored, says the specification.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (data ?? "\(environment["HOME"] ?? "")/.local/share") + "/pixelboop/kits"
    }
}
