import Foundation

/// Whether tests repeat often what takes long: `PIXELBOOP_LONG` is set, which `scripts/test --long` does.
public let isLongRun = ProcessInfo.processInfo.environment["PIXELBOOP_LONG"]?.isEmpty == false

/// How often a test does what takes long and is random or wears something out, such as killing a program.
///
/// - Parameters:
///   - variable: The environment variable that sets another number.
///   - usual: How often by default, so that all tests together take minutes.
///   - long: How often in a long run.
public func repetitions(_ variable: String, _ usual: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? (isLongRun ? long : usual)
}
