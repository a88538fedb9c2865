import Glibc

/// Standard input, output and error.
public enum StandardDescriptors {
    /// Opens those that this process was started without (`<&- >&- 2>&-`), so that no file, socket or event queue gets
    /// their numbers, and with them what is meant for a terminal. Call it before anything else opens a descriptor.
    ///
    /// They are opened for the opposite of their use: reading or writing still fails with EBADF, and is reported.
    public static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one, as those below it are open.
            _ = Glibc.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
