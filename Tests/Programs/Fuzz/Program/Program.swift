import FuzzTargets
import Glibc

// libFuzzer provides `main` and calls the two functions below. PIXELBOOP_FUZZ_TARGET names the target to feed.

/// The target of this process; made once, before the first input, on the only thread that uses it.
private nonisolated(unsafe) var target: (any FuzzTarget)?

/// Creates the target; libFuzzer calls this first.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ argumentCount: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> CInt {
    let name = getenv("PIXELBOOP_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let input = FuzzInput(rawValue: name) else {
        let names = FuzzInput.allCases.map(\.rawValue).joined(separator: ", ")
        let complaint = Array("PIXELBOOP_FUZZ_TARGET must be one of \(names), not '\(name)'\n".utf8)
        _ = write(STDERR_FILENO, complaint, complaint.count)
        exit(2)
    }
    target = input.makeTarget()
    return 0
}

/// Feeds one input to the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
