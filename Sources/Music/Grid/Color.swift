/// An 8-bit sRGB colour.
public struct Color: Hashable, Sendable {
    /// `0xRRGGBB`.
    public let rgb: UInt32

    /// The colour `0xRRGGBB`; bits above are ignored.
    public init(_ rgb: UInt32) {
        self.rgb = rgb & 0xff_ffff
    }

    /// A colour from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        rgb = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public var red: UInt8 { UInt8(rgb >> 16) }
    public var green: UInt8 { UInt8(rgb >> 8 & 0xff) }
    public var blue: UInt8 { UInt8(rgb & 0xff) }

    public static let white = Color(0xffffff)
    /// The grid's background.
    public static let background = Color(0x0a0a0a)

    /// This colour drawn over another: `round(self*alpha + under*(1 - alpha))` per channel, halves rounded up, as
    /// browsers blend sRGB.
    public func over(_ under: Color, alpha: Alpha) -> Color {
        func mix(_ shift: UInt32) -> UInt32 {
            let sum = (rgb >> shift & 0xff) * alpha.part + (under.rgb >> shift & 0xff) * (alpha.whole - alpha.part)
            return ((2 * sum + alpha.whole) / (2 * alpha.whole)) << shift
        }
        return Color(mix(16) | mix(8) | mix(0))
    }

    /// A colour from hue in degrees (any number; it wraps) and saturation and lightness from 0 to 1, as CSS `hsl()`.
    public init(hue: Double, saturation: Double, lightness: Double) {
        var hue = hue.truncatingRemainder(dividingBy: 360)
        if hue < 0 { hue += 360 }
        let reach = saturation * min(lightness, 1 - lightness)
        // The formula of CSS Color Module Level 4, section 7.1.
        func channel(_ offset: Double) -> UInt8 {
            let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            return UInt8(((lightness - reach * max(-1, min(place - 3, 9 - place, 1))) * 255).rounded())
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4))
    }
}

/// How much of a colour covers what is under it, as an exact fraction.
///
/// A fraction and not a `Double`, so that a blend that falls exactly between two 8-bit values always rounds up: 0.15 and
/// 0.85 have no exact `Double`.
public struct Alpha: Hashable, Sendable {
    /// The covering part, 0 to ``whole``.
    public let part: UInt32
    /// The whole that ``part`` is a part of, at least 1.
    public let whole: UInt32

    /// The fraction part/whole.
    ///
    /// - Parameters:
    ///   - part: 0 to `whole`.
    ///   - whole: 1 to 1 000 000.
    public init(_ part: Int, of whole: Int) {
        precondition((1...1_000_000).contains(whole) && (0...whole).contains(part), "no alpha: \(part)/\(whole)")
        self.part = UInt32(part)
        self.whole = UInt32(whole)
    }

    /// This many hundredths, 0 to 100.
    public static func percent(_ hundredths: Int) -> Alpha { Alpha(hundredths, of: 100) }
}
