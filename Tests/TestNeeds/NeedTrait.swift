import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves a test out, and says why, where the machine lacks what it needs.
    public static func needs(_ need: Need) -> Self { .enabled(if: need.isMet, "\(need.reason)") }
}
