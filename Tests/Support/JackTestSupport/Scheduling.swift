import CJack
import Foundation

/// Whether threads of this process may have real-time scheduling.
enum Scheduling {
    static let isRealtimePermitted = canScheduleRealtime()

    /// Requests it for a thread that ends at once.
    private static func canScheduleRealtime() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var parameters = sched_param(sched_priority: 10)
        pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
        pthread_attr_setschedparam(&attributes, &parameters)
        var thread = pthread_t()
        guard pthread_create(&thread, &attributes, { _ in nil }, nil) == 0 else { return false }
        pthread_join(thread, nil)
        return true
    }
}
