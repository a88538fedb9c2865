import Music

/// The colours of play/stop, which also show whether recording is armed.
public enum PlayColor {
    public static func color(isPlaying: Bool, isRecording: Bool, in mode: ColorMode) -> Color {
        let isSafe = mode == .safe
        return switch (isPlaying, isRecording) {
        case (false, false): Color(isSafe ? 0xb0ffb0 : 0x44ff44)
        case (true, false): Color(isSafe ? 0xd02020 : 0xff4444)
        case (false, true): Color(isSafe ? 0xd8a000 : 0xff8800)
        case (true, true): Color(isSafe ? 0x7040ff : 0xff0088)
        }
    }

    /// Whether a colour of play/stop, in whatever mode, shows that recording is armed.
    public static func isArmed(_ color: Color) -> Bool {
        ColorMode.allCases.contains { mode in
            [false, true].contains { color == PlayColor.color(isPlaying: $0, isRecording: true, in: mode) }
        }
    }
}
