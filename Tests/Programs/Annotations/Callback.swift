import CLinux
import Glibc

/// A small process callback, as in the real-time modules. scripts/check-annotations compiles it once as it is, and once with each
/// of its faults, which the compiler must reject.
public struct FaultyCallback: ~Copyable {
    private var ring: SmallRing<Int>
    private var frame = 0

    public init() {
        ring = SmallRing(0)
    }

    @_noLocks @_noAllocation
    public mutating func process(_ frameCount: Int) {
        _ = clinux_monotonic_nanoseconds()
        ring.push(frame)
        advance(by: frameCount)
        #if ALLOCATES_AN_ARRAY
            _ = [frame].sorted()
        #elseif MAKES_AN_OBJECT
            _ = SharedCounter()
        #elseif MAKES_AN_EXISTENTIAL
            let name: any CustomStringConvertible = frame
            _ = name
        #elseif INITIALISES_A_GLOBAL
            _ = Table.all[frame]
        #elseif CALLS_THE_SYSTEM
            _ = getpid()
        #elseif CALLS_WHAT_IS_NOT_ANNOTATED
            Helper.unannotated()
        #endif
    }

    // Without annotations of its own: what it does counts as its caller's.
    private mutating func advance(by frameCount: Int) {
        frame += frameCount
        #if PRINTS
            print(frame)
        #elseif MAKES_A_STRING
            _ = String(frame)
        #endif
        Helper.annotated()
    }
}

/// A generic container in the same file.
private struct SmallRing<Element: BitwiseCopyable> {
    private var last: Element

    init(_ filler: Element) { last = filler }

    mutating func push(_ element: Element) {
        last = element
        #if ALLOCATES_IN_A_GENERIC
            last = [element, element].last!
        #endif
    }
}
