extension Check {
    /// Whether the page is served.
    static let gateway = Check(name: "gateway") { seen in
        guard !seen.gateways.isEmpty else { return .none("none runs; pixelboop-web serves the page") }
        if let silent = seen.gateways.first(where: { $0.refusal != nil }) {
            return .fault(
                "does not answer at \(silent.address) (\(silent.refusal ?? ""))",
                remedy: "journalctl --user -u pixelboop-web; systemctl --user restart pixelboop-web")
        }
        let addresses = seen.gateways.map(\.address).joined(separator: ", ")
        return .well("answers at \(addresses); from a tablet try pixelboop-web --print-url")
    }
}
