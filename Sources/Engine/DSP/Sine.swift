// sin(pi*x) for 0 <= x <= 1 is symmetric about 1/2, hence a smooth function of the parabola y = 4x(1-x), and a short
// polynomial in y reaches it everywhere. The coefficients are minimax (Remez exchange). With y = 4x(1-|x|) the sign comes
// along, so that -1 <= x <= 1 needs no case. No libm: the process callback may not call it, and every machine gets the
// same bits.

/// sin(pi*x) in each lane, for x from -1 to 1; error below 3e-7.
@_transparent
func sine(halfTurns x: Lanes) -> Lanes {
    let y = 4 * x * (1 - x.magnitude)
    let m = y.magnitude
    return y * (0.785_396_5 + m * (0.196_365_55 + m * (0.017_381_184 + m * 0.000_856_701_7)))
}

/// The sine of an angle in turns; error below 1e-12.
func sine(turns: Double) -> Double {
    let whole = Double(Int64(turns))
    var x = 2 * (turns - whole)
    if x > 1 { x -= 2 }
    if x < -1 { x += 2 }
    let y = 4 * x * (1 - abs(x))
    let m = abs(y)
    let high = 0.000_800_116_245_429_061 + m * (2.247_774_185_097_509_5e-05 + m * 4.489_523_352_339_889_4e-07)
    return y * (0.785_398_163_346_769_5 + m * (0.196_349_541_833_150_12 + m * (0.017_429_251_879_648_226 + m * high)))
}

/// The cosine of an angle in turns.
func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
