import FoundationEssentials
import Glibc
import Synchronization

/// Restores the terminal when the process crashes.
///
/// A signal handler gets no context and must not allocate or lock, so what it needs is prepared in a global.
enum CrashRestorer {
    /// Receives what other threads still write while the process ends.
    private static let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    /// Prepares the sequences to send on a crash, and installs the signal handlers.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - bytes: The sequences that restore its screen.
    ///   - settings: Its original modes.
    static func arm(descriptor: Int32, bytes: String, settings: termios) {
        let utf8 = Array(bytes.utf8)
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
        _ = copy.initialize(from: utf8)
        let recipe = UnsafeMutablePointer<Recipe>.allocate(capacity: 1)
        recipe.initialize(
            to: Recipe(descriptor: descriptor, nowhere: nowhere, bytes: UnsafeBufferPointer(copy), settings: settings))
        // The previous recipe is leaked, as a handler might be reading it: suspending is rare, and a recipe is small.
        armedRecipe.store(UInt(bitPattern: recipe), ordering: .releasing)
        for crash in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(crash, &action, nil)
        }
    }

    /// Called when the terminal has been restored.
    static func disarm() {
        armedRecipe.store(0, ordering: .releasing)
    }
}

/// What is needed to restore a terminal.
private struct Recipe {
    let descriptor: Int32
    /// A descriptor of /dev/null.
    let nowhere: Int32
    let bytes: UnsafeBufferPointer<UInt8>
    var settings: termios
}

/// The address of the current recipe, 0 for none.
private let armedRecipe = Atomic<UInt>(0)

/// Runs during a crash: only what signal-safety(7) allows. The signal's default action, restored by `SA_RESETHAND`,
/// then ends the process as if there were no handler.
private let restoreAndDie: @convention(c) (Int32) -> Void = { signal in
    if let recipe = UnsafeMutablePointer<Recipe>(bitPattern: armedRecipe.exchange(0, ordering: .acquiring)) {
        // Another thread may be drawing. The kernel admits one writer at a time, so a write that has begun ends first;
        // later writes must not follow.
        let terminal = dup(recipe.pointee.descriptor)
        dup2(recipe.pointee.nowhere, recipe.pointee.descriptor)
        _ = write(terminal, recipe.pointee.bytes.baseAddress, recipe.pointee.bytes.count)
        _ = tcsetattr(terminal, TCSANOW, &recipe.pointee.settings)
    }
    raise(signal)
}
