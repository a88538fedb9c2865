import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, if the machine lacks what it needs.
    public static func needs(_ need: Need) -> Self { .enabled(if: need.isMet, "\(need.reason)") }
}
