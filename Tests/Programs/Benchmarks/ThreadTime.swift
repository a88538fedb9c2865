// Whichever of the two modules the compiler meets first provides `timespec`.
import CJack
import Glibc

/// Processor time of the calling thread in seconds.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
