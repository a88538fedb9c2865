import Glibc

/// Times in the names of databases: `session-copy-20261128-153000.db`, in UTC.
package enum DatedName {
    private static let format = "%Y%m%d-%H%M%S"
    private static let suffix = ".db"

    /// A name that no file in a directory has, nor the log of a database with it.
    ///
    /// - Parameter seconds: Since 1970.
    package static func free(_ prefix: String, at seconds: Int, in directory: String) throws(FileError) -> String {
        let date = text(seconds)
        for number in 1...999 {
            let name = prefix + date + (number == 1 ? "" : "-\(number)") + suffix
            if ["", "-wal"].allSatisfy({ access("\(directory)/\(name)\($0)", F_OK) != 0 }) { return name }
        }
        throw FileError("create", "\(directory)/\(prefix)\(date)\(suffix)", code: EEXIST)
    }

    /// The time in a name, in seconds since 1970; nil for other names.
    package static func seconds(of name: String, _ prefix: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).prefix(15)
        guard digits.count == 15, digits.dropFirst(8).first == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int32? {
            Int32(String(decoding: digits.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return timegm(&parts)
    }

    private static func text(_ seconds: Int) -> String {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, format, &parts)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
