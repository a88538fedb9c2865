/// What a track's low-frequency oscillator moves.
public enum LFOTarget: String, Named {
    case filter
    case pan
    /// The loudness, from -6 to 0 dB.
    case level
    /// The pitch of everything that has one: noise, metal and samples stay as they are.
    case pitch
}

/// How a low-frequency oscillator moves in a cycle.
public enum LFOShape: String, Named {
    /// Up and down in straight lines, rising through its middle at the cycle's start.
    case triangle
    /// In a straight line from one random value to the next, a cycle apart.
    case random
}

/// How loud the notes of keys are.
public enum Dynamics: String, Named {
    /// Normal or accented.
    case two
    /// By velocity, without steps.
    case full
}
