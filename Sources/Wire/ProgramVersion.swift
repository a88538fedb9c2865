/// The version of the programs of this package, as in the changelog.
public enum ProgramVersion {
    /// The version of this one.
    public static let current = "0.1.0"
}
