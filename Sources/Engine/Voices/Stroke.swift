/// How a note is played.
struct Stroke: BitwiseCopyable {
    var isAccent: Bool
    /// How long a step lasts in seconds.
    var stepSeconds: Double
    /// Steps after the note's own for which it is held.
    var sustainSteps: Int
    /// Whether it lasts until it is released.
    var isHeld: Bool

    @_noLocks @_noAllocation
    init(isAccent: Bool, stepSeconds: Double, sustainSteps: Int, isHeld: Bool = false) {
        self.isAccent = isAccent
        self.stepSeconds = stepSeconds
        self.sustainSteps = sustainSteps
        self.isHeld = isHeld
    }

    /// The level of a note: a sustained one starts as an accent, whatever its head.
    var level: Double {
        @_noLocks @_noAllocation get { isAccent || sustainSteps > 0 ? 1 : 0.5 }
    }
}
