import Glibc

/// What tells a file from every other, whatever its name; never equal when there is no file.
package struct FileIdentity {
    private let numbers: (device: dev_t, inode: ino_t)?

    package init(_ path: String) {
        var status = stat()
        numbers = stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    package init(_ descriptor: Int32) {
        var status = stat()
        numbers = fstat(descriptor, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        guard let left = left.numbers, let right = right.numbers else { return false }
        return left == right
    }
}
