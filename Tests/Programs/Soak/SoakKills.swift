/// When the daemon is killed in the middle of everything: in the first third, so that what lives on is long enough to judge its
/// memory.
struct SoakKills {
    let wanted: Int
    var count = 0

    /// Whether it is time for the next one.
    ///
    /// - Parameters:
    ///   - time: How long everyone has played.
    ///   - duration: How long they will have in the end.
    func areDue(after time: Duration, of duration: Duration) -> Bool {
        count < wanted && time > duration * (count + 1) / (3 * wanted)
    }
}
