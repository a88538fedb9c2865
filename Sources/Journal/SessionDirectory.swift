/// The file operations of the session's storage; tests simulate failures and power cuts between any two.
protocol SessionDirectory {
    /// Ensures that the directory exists and is locked by this process.
    func claim() throws(StorageFailure)
    /// The files in the directory, in no order.
    func names() throws(StorageFailure) -> [String]
    /// A file's content, nil if there is no such file.
    func content(of name: String) throws(StorageFailure) -> [UInt8]?
    /// Creates or empties a file, to append to it.
    func create(_ name: String) throws(StorageFailure) -> any SessionFile
    /// Opens a file to append to.
    ///
    /// - Returns: Nil if the file is not this many bytes long.
    func open(_ name: String, length: UInt64) throws(StorageFailure) -> (any SessionFile)?
    /// Renames a file, replacing any with the new name.
    func rename(_ name: String, to newName: String) throws(StorageFailure)
    /// Adds a hard link, whose name must be free.
    func link(_ name: String, to newName: String) throws(StorageFailure)
    func remove(_ name: String) throws(StorageFailure)
    /// Returns when the names of all files would survive a power cut; any thread may call it.
    var flushNames: DiskStep { get }
    /// Bytes that this process may still write; nil if unknown.
    var freeSpace: UInt64? { get }
}

/// A file that is being appended to; one thread may append while another flushes.
protocol SessionFile: Sendable {
    /// Appends bytes; after an error some of them may be in the file.
    func append(_ bytes: [UInt8]) throws(StorageFailure)
    /// Truncates the file to a length in bytes; the next append goes there.
    func truncate(to length: UInt64) throws(StorageFailure)
    /// Returns when everything appended before would survive a power cut, in a file that is still where it was created.
    func flush() throws(StorageFailure)
}
