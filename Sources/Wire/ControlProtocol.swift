/// The numbers that both ends of the control socket agree on.
public enum ControlProtocol {
    /// Version of the protocol, not of the program: additions keep it, a breaking change raises it.
    public static let version = 1
    /// Bytes that a line may have, its newline not counted: the fullest instrument is one.
    public static let maximumLineLength = 2_097_152
    /// Calls that a batch may hold.
    public static let maximumBatchLength = 1000
    /// Bytes of replies that may pile up for a client before it is disconnected.
    public static let maximumUnread = 4_194_304
    /// Frames per second that a subscriber may ask for.
    public static let frameRates = 1...240
    /// Frames per second that a subscriber gets unless it asks for another rate.
    public static let defaultFrameRate = 60
}

/// The version of the programs of this package, as in the changelog.
public enum ProgramVersion {
    /// The version of this one.
    public static let current = "0.1.0"
}
