/// Which of a note's starts within its step it is, and of how many.
struct Ratchet: BitwiseCopyable {
    /// From 0.
    var index = 0
    /// 1 to 8.
    var count = 1

    /// How long this start lasts of a note that lasts some time: until shortly before the next one, the last as long as is left.
    func seconds(of whole: Double, stepSeconds: Double) -> Double {
        if count == 1 { return whole }
        let part = stepSeconds / Double(count)
        return index + 1 < count ? min(whole, 0.9 * part) : max(whole - Double(index) * part, 0.9 * part)
    }
}
