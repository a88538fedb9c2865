/// Which of a note's starts within its step it is, and of how many.
struct Ratchet: BitwiseCopyable {
    /// From 0.
    var index = 0
    /// 1 to 8.
    var count = 1
    /// From one start to the next.
    var partSeconds = 0.0

    /// How long this start lasts of a note that lasts some time: until shortly before the next one, the last as long as is left.
    func seconds(of whole: Double) -> Double {
        if count == 1 { return whole }
        let least = 0.9 * partSeconds
        return index + 1 < count ? min(whole, least) : max(whole - Double(index) * partSeconds, least)
    }
}
