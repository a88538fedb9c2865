extension String {
    /// A letter with combining marks, in the order in which Unicode's normalisation takes a time that grows with the square of
    /// their number: a tenth of a second for 8000, minutes for 400 000.
    public static func combiningMarks(_ count: Int) -> String {
        "a" + String(repeating: "\u{301}", count: count / 2) + String(repeating: "\u{316}", count: count / 2)
    }
}
