/// Which steps queued launches take effect on.
public enum LaunchQuantum: Int, Named, BitwiseCopyable {
    /// A step 0 that starts, however it was reached.
    case loop
    /// A song position that is a multiple of 16 steps.
    case bar
    /// A song position that is a multiple of 4 steps.
    case beat
    /// Every step.
    case step

    /// The name in files and on the control socket.
    public var name: String {
        switch self {
        case .loop: "loop"
        case .bar: "bar"
        case .beat: "beat"
        case .step: "step"
        }
    }

    /// The loop with whose beginnings launches take effect, given that of the whole.
    @_noLocks @_noAllocation
    public func loop(in whole: Loop) -> Loop {
        switch self {
        case .loop: whole
        case .bar: Loop(length: 16)
        case .beat: Loop(length: 4)
        case .step: Loop(length: 1)
        }
    }
}

extension Document {
    /// Which steps queued launches take effect on.
    public var launchQuantum: LaunchQuantum { LaunchQuantum.allCases[Int(number(.launchQuantum))] }
}
