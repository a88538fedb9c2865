import CSndFile
import Glibc

/// Opens a sound file with libsndfile, on a descriptor of libsndfile's own.
///
/// Of a file that it refuses, libsndfile 1.2 closes the descriptor that it was given, even if it was told not to. Closed once
/// more by us, the same number could by then be another thread's file.
///
/// - Parameter mode: `SFM_READ` or `SFM_WRITE`.
func openSound(_ descriptor: Int32, _ mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
    sf_open_fd(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(mode), &info, Int32(SF_TRUE))
}
