/// What a terminal understands, as far as its environment variables say.
public struct TerminalKind: Equatable, Sendable {
    /// How many colours it shows.
    public var depth: ColorDepth
    /// Whether its characters have block elements (U+2580 to U+259F).
    public var hasBlocks: Bool
    /// Whether it knows xterm's private modes: a screen of one's own, reports of the mouse, pictures that appear at once.
    public var hasModes: Bool

    /// A terminal with these abilities; by default all of xterm's.
    public init(depth: ColorDepth = .trueColor, hasBlocks: Bool = true, hasModes: Bool = true) {
        self.depth = depth
        self.hasBlocks = hasBlocks
        self.hasModes = hasModes
    }

    /// What `TERM`, `COLORTERM` and `NO_COLOR` say of the terminal, and `LC_ALL`, `LC_CTYPE` and `LANG` of its characters.
    ///
    /// Without a locale its characters are taken to be UTF-8, as a shell at the other end of ssh often has none.
    public init(environment: [String: String]) {
        let type = environment["TERM"] ?? ""
        let isOld = TerminalKind.isOld(type)
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let isUnicode = locale.map { $0.uppercased().replacing("-", with: "").contains("UTF8") } ?? true
        self.init(
            depth: ColorDepth(environment: environment), hasBlocks: isUnicode && !isOld,
            hasModes: !isOld && type != "linux" && !type.hasPrefix("linux-"))
    }

    /// Whether it is one of DEC's video terminals, or pretends to be: they came before colours and Unicode.
    static func isOld(_ type: String) -> Bool { type == "dumb" || type.hasPrefix("vt") }
}
