import Glibc
import SystemSupport

/// A folder in memory that exists as long as this value; flushing its files takes no time.
final class ScratchFolder {
    let path: String

    init() {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/pixelboop-fuzz-XXXXXX".utf8CString)
        require(mkdtemp(&template) != nil, "there is no room for a folder in \(parent)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        replace(with: [:])
        rmdir(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// All files and what is in them.
    var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in names { files[name] = self[name] }
        return files
    }

    private var names: [String] {
        ((try? SystemSupport.names(inDirectory: path)) ?? []).filter { $0 != "." && $0 != ".." }
    }

    /// The content of a file; nil if there is none.
    subscript(name: String) -> [UInt8]? { try? FileContent(of: file(name), limit: 1 << 30).bytes }

    /// Leaves only these files.
    func replace(with files: [String: [UInt8]]) {
        for name in names { unlink(file(name)) }
        for (name, bytes) in files {
            let descriptor = open(file(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            require((try? writeAll(bytes, to: descriptor, of: name)) != nil, "\(name) cannot be written")
            close(descriptor)
        }
    }
}
