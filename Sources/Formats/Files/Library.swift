import Glibc
import Music
import PatternFormat
import SystemSupport

/// The performer's patterns: a directory with one JSON file each, to copy, share and version.
///
/// Nothing is cached, so that changes by other programs are seen; every call blocks on the disk. A pattern's name is
/// its file's, whatever name the file's content has. Names that differ only in Unicode composition (é as one
/// character or as e and an accent) are the same.
public struct Library: Sendable {
    /// The directory; created when the first pattern is saved.
    public let directory: String

    /// A library in a directory, which need not exist.
    public init(directory: String) {
        self.directory = directory
    }

    /// One file of the library.
    public struct Entry: Equatable, Sendable {
        /// The pattern's name.
        public let name: String
        /// When the file was written, in seconds since 1970-01-01 UTC; nil if even that cannot be read.
        public let modified: Int?
        /// The pattern, or why the file cannot be loaded.
        public let pattern: Result<Pattern, LibraryError>
    }

    /// All patterns sorted by name, including files that cannot be loaded, but not hidden files. Empty if there is no
    /// directory.
    public func list() throws(LibraryError) -> [Entry] {
        var entries: [Entry] = []
        for fileName in try fileNames() {
            guard let name = PatternName(fileName: fileName) else { continue }
            if let entry = entry(name) { entries.append(entry) }
        }
        return entries.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    /// Loads the pattern with a name, which it also gets.
    public func load(_ name: String) throws(LibraryError) -> Pattern {
        let name = try PatternName(name)
        let path = path(try existingFile(of: name))
        let content: FileContent
        do {
            content = try FileContent(of: path, limit: Library.readLimit)
        } catch {
            throw error.code == ENOENT ? .notFound(name: name.text) : .io(reason: error.description)
        }
        return try decode(content, name).get()
    }

    /// Writes a pattern under a name, replacing any that has it. It is on disk when this returns. A file that is not a
    /// pattern is kept under another name, as it may be one with a mistake in it: `Night Bus.json.bak`.
    ///
    /// The file's modification date is now; its creation date is that of the pattern, or of the first save.
    ///
    /// - Parameter now: The time, in seconds since 1970-01-01 UTC.
    public func save(_ pattern: Pattern, as name: String, at now: Int) throws(LibraryError) {
        let name = try PatternName(name)
        var pattern = pattern
        pattern.name = name.text
        var isMistaken = false
        do throws(LibraryError) {
            let created = try load(name.text).created
            pattern.created = pattern.created ?? created
        } catch .notAPattern {
            isMistaken = true
        } catch {}
        pattern.created = pattern.created ?? now
        pattern.modified = now
        let bytes = PatternFormat.fileBytes(of: PatternFormat.encode(pattern))
        try io { () throws(FileError) in try makeDirectories(directory) }
        let fileName = try file(of: name) ?? name.fileName
        try io { () throws(FileError) in
            let new = try PendingFile(at: path(fileName))
            try new.write(bytes)
            if isMistaken { try keep(fileName) }
            try new.commit()
        }
    }

    /// Renames a pattern; fails if the new name is taken.
    public func rename(_ name: String, to newName: String) throws(LibraryError) {
        let name = try PatternName(name)
        let newName = try PatternName(newName)
        let oldFile = try existingFile(of: name)
        if oldFile.utf8.elementsEqual(newName.fileName.utf8) { return }
        if let occupant = try file(of: newName), occupant != oldFile { throw .alreadyExists(name: newName.text) }
        do throws(FileError) {
            try renameWithoutReplacing(path(oldFile), path(newName.fileName))
            try flushDirectory(directory)
        } catch {
            switch error.code {
            case EEXIST: throw .alreadyExists(name: newName.text)
            case ENOENT: throw .notFound(name: name.text)
            default: throw .io(reason: error.description)
            }
        }
    }

    /// Removes a pattern.
    public func delete(_ name: String) throws(LibraryError) {
        let name = try PatternName(name)
        let path = path(try existingFile(of: name))
        guard unlink(path) == 0 else {
            let error = FileError("delete", path)
            throw error.code == ENOENT ? .notFound(name: name.text) : .io(reason: error.description)
        }
        try io { () throws(FileError) in try flushDirectory(directory) }
    }

    /// Copies the patterns of another library if this one has no directory yet. Unloadable ones are left out.
    public func begin(with other: Library) throws(LibraryError) {
        guard access(directory, F_OK) != 0 else { return }
        for entry in try other.list() {
            guard case .success(let pattern) = entry.pattern else { continue }
            try save(pattern, as: entry.name, at: pattern.modified ?? entry.modified ?? 0)
        }
    }

    // MARK: Files and names

    /// One byte more than is accepted, so that too large a file is noticed.
    private static let readLimit = PatternFormat.maximumSize + 1

    private func path(_ fileName: String) -> String { "\(directory)/\(fileName)" }

    private func fileNames() throws(LibraryError) -> [String] {
        do throws(FileError) {
            return try names(inDirectory: directory)
        } catch {
            if error.code == ENOENT { return [] }
            throw .io(reason: error.description)
        }
    }

    /// The file with a name, in any Unicode composition; nil if there is none.
    private func file(of name: PatternName) throws(LibraryError) -> String? {
        var status = stat()
        if lstat(path(name.fileName), &status) == 0 { return name.fileName }
        guard errno == ENOENT else { throw .io(reason: FileError("open", path(name.fileName)).description) }
        if name.text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        return try fileNames().first { PatternName(fileName: $0)?.text == name.text }
    }

    private func existingFile(of name: PatternName) throws(LibraryError) -> String {
        guard let file = try file(of: name) else { throw .notFound(name: name.text) }
        return file
    }

    /// A file as an entry, nil if it is gone.
    private func entry(_ name: PatternName) -> Entry? {
        do throws(FileError) {
            let content = try FileContent(of: path(name.fileName), limit: Library.readLimit)
            return Entry(name: name.text, modified: content.modified, pattern: decode(content, name))
        } catch {
            if error.code == ENOENT { return nil }
            return Entry(name: name.text, modified: nil, pattern: .failure(.io(reason: error.description)))
        }
    }

    private func decode(_ content: FileContent, _ name: PatternName) -> Result<Pattern, LibraryError> {
        do throws(PatternError) {
            var pattern = try PatternFormat.decode(content.bytes)
            pattern.name = name.text
            return .success(pattern)
        } catch {
            return .failure(.notAPattern(name: name.text, error))
        }
    }

    /// Gives a file a second name that no list shows. A name that would be too long for the system is shortened.
    private func keep(_ fileName: String) throws(FileError) {
        for number in 1... {
            let ending = "\(PatternName.fileExtension).bak\(number == 1 ? "" : "\(number)")"
            let stem = fileName.unicodeScalars.dropLast(PatternName.fileExtension.count)
            let other = String(stem).prefix(utf8Count: Int(NAME_MAX) - ending.utf8.count) + ending
            do throws(FileError) {
                return try renameWithoutReplacing(path(fileName), path(other))
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    private func io(_ work: () throws(FileError) -> Void) throws(LibraryError) {
        do {
            try work()
        } catch {
            throw .io(reason: error.description)
        }
    }
}

/// A name that is safe as a file name and fit to display.
struct PatternName {
    static let fileExtension = ".json"

    let text: String

    init(_ text: String) throws(LibraryError) {
        if let reason = text.fileNameObjection {
            throw .invalidName(name: text, reason: reason)
        }
        self.text = text
    }

    /// The name of the pattern in a file, nil for the name of another file.
    init?(fileName: String) {
        let scalars = fileName.unicodeScalars
        let suffix = PatternName.fileExtension.unicodeScalars
        guard scalars.count > suffix.count, scalars.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        text = String(scalars.dropLast(suffix.count))
        if !text.isFileName { return nil }
    }

    var fileName: String { text + PatternName.fileExtension }
}

extension String {
    /// As many of the first characters as fit into a number of bytes. Each is whole, unless the first one is longer.
    fileprivate func prefix(utf8Count limit: Int) -> String {
        var prefix = ""
        for character in self {
            if prefix.utf8.count + character.utf8.count > limit { break }
            prefix.append(character)
        }
        if !prefix.isEmpty { return prefix }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            if String(scalars).utf8.count + UTF8.width(scalar) > limit { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}

public enum LibraryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no pattern with this name.
    case notFound(name: String)
    /// The name is not allowed, with the reason.
    case invalidName(name: String, reason: String)
    case alreadyExists(name: String)
    /// The file does not hold a pattern.
    case notAPattern(name: String, PatternError)
    /// A file operation failed; the system's reason.
    case io(reason: String)

    /// The error in words.
    public var description: String {
        switch self {
        case .notFound(let name): "no pattern named \"\(name)\""
        case .invalidName(let name, let reason): "\"\(name)\" cannot be a pattern's name: \(reason)"
        case .alreadyExists(let name): "there is already a pattern named \"\(name)\""
        case .notAPattern(let name, let error): "the file \"\(name)\" is not a pattern: \(error)"
        case .io(let reason): reason
        }
    }
}
