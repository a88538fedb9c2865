/// A terminal's capabilities, according to environment variables.
public struct TerminalKind: Equatable, Sendable {
    /// How many colours it shows.
    public var depth: ColorDepth
    /// Whether it has block elements (U+2580 to U+259F).
    public var hasBlocks: Bool
    /// Whether it knows xterm's private modes: the alternate screen, mouse reports, synchronized updates.
    public var hasModes: Bool

    /// A terminal with these capabilities; by default all of xterm's.
    public init(depth: ColorDepth = .trueColor, hasBlocks: Bool = true, hasModes: Bool = true) {
        self.depth = depth
        self.hasBlocks = hasBlocks
        self.hasModes = hasModes
    }

    /// Its colours according to `TERM`, `COLORTERM` and `NO_COLOR`, its characters to `LC_ALL`, `LC_CTYPE` and `LANG`.
    ///
    /// Without a locale UTF-8 is assumed, because a shell over ssh often has none.
    public init(environment: [String: String]) {
        let type = environment["TERM"] ?? ""
        let isOld = TerminalKind.isOld(type)
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let isUnicode = locale.map { $0.uppercased().replacing("-", with: "").contains("UTF8") } ?? true
        self.init(
            depth: ColorDepth(environment: environment), hasBlocks: isUnicode && !isOld,
            hasModes: !isOld && type != "linux" && !type.hasPrefix("linux-"))
    }

    /// Whether it is, or emulates, one of DEC's video terminals, which had neither colours nor Unicode.
    static func isOld(_ type: String) -> Bool {
        // Their names have numbers; `vte` is a modern terminal.
        type == "dumb" || type.hasPrefix("vt") && type.dropFirst(2).first?.isNumber == true
    }
}
