import FoundationEssentials
import Glibc
import NIOCore

extension IOError {
    /// The system's own words for what went wrong.
    var reasonInWords: String { String(cString: strerror(errnoCode)) }
}
