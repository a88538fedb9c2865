/// Reports that a test repeats something that went wrong for a reason that is not the tested program's. scripts/test counts
/// these lines: a few are a busy machine, many hide a fault.
///
/// - Parameter reason: Few different ones, without numbers, so that they can be counted.
public func reportRetry(_ reason: String) {
    print("➜ Retry: \(reason)")
}
