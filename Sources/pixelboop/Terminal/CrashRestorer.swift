import FoundationEssentials
import Glibc
import Synchronization

/// Gives the terminal back when the process crashes.
///
/// A signal handler cannot be handed anything, so what it needs is behind a global; it is made ready beforehand, because
/// in a handler nothing may be allocated or locked.
enum CrashRestorer {
    /// Takes what other threads write while the process dies.
    private static let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    /// Makes ready what a crash will send, and listens for crashes.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - bytes: What gives it back its screen.
    ///   - settings: Its modes as they were.
    static func arm(descriptor: Int32, bytes: String, settings: termios) {
        let utf8 = Array(bytes.utf8)
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
        _ = copy.initialize(from: utf8)
        let recipe = UnsafeMutablePointer<Recipe>.allocate(capacity: 1)
        recipe.initialize(
            to: Recipe(descriptor: descriptor, nowhere: nowhere, bytes: UnsafeBufferPointer(copy), settings: settings))
        // A former recipe is not freed, as a handler might be reading it: suspending is rare, and a recipe is small.
        armedRecipe.store(UInt(bitPattern: recipe), ordering: .releasing)
        for crash in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(crash, &action, nil)
        }
    }

    /// The terminal has been given back.
    static func disarm() {
        armedRecipe.store(0, ordering: .releasing)
    }
}

/// What gives a terminal back.
private struct Recipe {
    let descriptor: Int32
    /// A descriptor of /dev/null.
    let nowhere: Int32
    let bytes: UnsafeBufferPointer<UInt8>
    var settings: termios
}

/// The address of the recipe in force, 0 for none.
private let armedRecipe = Atomic<UInt>(0)

/// Runs inside a crash: only what signal-safety(7) allows. The signal's default action, back in place by `SA_RESETHAND`,
/// then ends the process as if there were no handler.
private let restoreAndDie: @convention(c) (Int32) -> Void = { signal in
    if let recipe = UnsafeMutablePointer<Recipe>(bitPattern: armedRecipe.exchange(0, ordering: .acquiring)) {
        // Another thread may be drawing. What it has begun to write comes first, as the kernel lets in one writer at a time;
        // what it has yet to write must not come after.
        let terminal = dup(recipe.pointee.descriptor)
        dup2(recipe.pointee.nowhere, recipe.pointee.descriptor)
        _ = write(terminal, recipe.pointee.bytes.baseAddress, recipe.pointee.bytes.count)
        _ = tcsetattr(terminal, TCSANOW, &recipe.pointee.settings)
    }
    raise(signal)
}
