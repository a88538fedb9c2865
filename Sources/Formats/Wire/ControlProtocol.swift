import CVersion

/// Constants shared by both ends of the control socket.
public enum ControlProtocol {
    /// Version of the protocol, not of the program: additions keep it, breaking changes raise it.
    public static let version = 1
    /// Maximum bytes of a line without its newline: enough for the fullest instrument.
    public static let maximumLineLength = 2_097_152
    /// Maximum calls in a batch.
    public static let maximumBatchLength = 1000
    /// Bytes of unread replies beyond which a client is disconnected.
    public static let maximumUnread = 4_194_304
    /// Frames per second that a subscriber may ask for.
    public static let frameRates = 1...240
    /// Frames per second for subscribers that do not ask for a rate.
    public static let defaultFrameRate = 60
}

/// The version of the programs of this package.
public enum ProgramVersion {
    /// That of a release, as in the changelog, or of what leads to it: `0.2.0~git20261128.0123abcd`, with the date and hash of
    /// the last commit, and `0.2.0~dev` if it was built without a name.
    public static let current = String(cString: pixelboop_version)
}
