import Glibc

// libFuzzer provides `main` and calls the two functions below. PIXELBOOP_FUZZ_TARGET names the target to feed.

/// Something that must accept any bytes without harm.
protocol FuzzTarget {
    /// Processes one input, and traps if a rule is broken.
    func run(_ input: UnsafeRawBufferPointer)
}

/// The target of this process; made once, before the first input.
private nonisolated(unsafe) var target: (any FuzzTarget)?

/// Creates the target; libFuzzer calls this first.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ argumentCount: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> CInt {
    let name = getenv("PIXELBOOP_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    target =
        switch name {
        case "line": LineTarget()
        case "pattern": PatternTarget()
        case "journal": JournalTarget()
        case "configuration": ConfigurationTarget()
        case "touches": TouchTarget()
        case "web": WebTarget()
        case "samples": SampleTarget()
        case "osc": OSCTarget()
        case "pads": PadsTarget()
        case "midi": MidiTarget()
        default: nil
        }
    guard target == nil else { return 0 }
    complain(
        """
        PIXELBOOP_FUZZ_TARGET must be line, pattern, journal, configuration, touches, web, samples, osc, pads or midi, \
        not '\(name)'
        """)
    exit(2)
}

/// Feeds one input to the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

/// Traps if a condition does not hold; libFuzzer then reports the input that led to it.
func require(_ condition: Bool, _ rule: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    guard !condition else { return }
    complain("\(file):\(line): broken: \(rule())")
    fatalError("a rule was broken")
}

private func complain(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
