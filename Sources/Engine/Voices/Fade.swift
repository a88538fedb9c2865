/// How anything ends that is cut off: in a straight line that is over well within 5 ms.
enum Fade {
    /// Length of a fade.
    static let seconds = 0.004
}
