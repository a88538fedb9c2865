import Foundation
import Grid

/// How colours look to an eye with normal vision, or to one that lacks a kind of cone (Machado, Oliveira and Fernandes,
/// IEEE TVCG 2009, full severity), and how different two colours are.
enum Eye: CaseIterable {
    case normal
    case protanope
    case deuteranope
    case tritanope

    private var matrix: [[Double]] {
        switch self {
        case .normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        case .protanope:
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        case .deuteranope:
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        case .tritanope:
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
        }
    }

    struct Lab {
        let lightness, a, b: Double
    }

    /// A colour as this eye sees it, in CIE L*a*b* (D65).
    func look(at color: Color) -> Lab {
        let light = [16, 8, 0].map { shift in Eye.linear(Double(color.rgb >> UInt32(shift) & 0xff) / 255) }
        let rgb = matrix.map { row -> Double in
            let seen = row[0] * light[0] + row[1] * light[1] + row[2] * light[2]
            return min(max(seen, 0), 1)
        }
        func share(_ red: Double, _ green: Double, _ blue: Double) -> Double {
            Eye.root(red * rgb[0] + green * rgb[1] + blue * rgb[2])
        }
        // Each divided by the white point's.
        let x = share(0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047)
        let y = share(0.2126729, 0.7151522, 0.0721750)
        let z = share(0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883)
        return Lab(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
    }

    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func root(_ value: Double) -> Double {
        value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
    }

    /// CIEDE2000 between two colours as this eye sees them.
    func difference(_ one: Color, _ other: Color) -> Double { Eye.difference(look(at: one), look(at: other)) }

    /// CIEDE2000 for the eye to which two colours look most alike.
    static func leastDifference(_ one: Color, _ other: Color) -> Double {
        allCases.map { $0.difference(one, other) }.min()!
    }

    /// Sharma, Wu and Dalal 2005.
    static func difference(_ one: Lab, _ other: Lab) -> Double {
        let meanChroma = (hypot(one.a, one.b) + hypot(other.a, other.b)) / 2
        let stretch = 1 + 0.5 * (1 - saturation(meanChroma))
        let (a1, a2) = (stretch * one.a, stretch * other.a)
        let (c1, c2) = (hypot(a1, one.b), hypot(a2, other.b))
        let (h1, h2) = (hue(a1, one.b), hue(a2, other.b))
        let isGrey = c1 * c2 == 0
        let turn = isGrey ? 0 : (h2 - h1 + 540).truncatingRemainder(dividingBy: 360) - 180
        let lightness = (one.lightness + other.lightness) / 2
        let chroma = (c1 + c2) / 2
        let mean = isGrey ? h1 + h2 : (h1 + turn / 2 + 360).truncatingRemainder(dividingBy: 360)

        var t: Double = 1
        t -= 0.17 * cos(radians(mean - 30))
        t += 0.24 * cos(radians(2 * mean))
        t += 0.32 * cos(radians(3 * mean + 6))
        t -= 0.20 * cos(radians(4 * mean - 63))
        let offset = (lightness - 50) * (lightness - 50)
        let x = (other.lightness - one.lightness) / (1 + 0.015 * offset / sqrt(20 + offset))
        let y = (c2 - c1) / (1 + 0.045 * chroma)
        let z = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
        let bend = (mean - 275) / 25
        let rotation = -sin(radians(60 * exp(-bend * bend))) * 2 * saturation(chroma)
        return sqrt(x * x + y * y + z * z + rotation * y * z)
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    private static func hue(_ a: Double, _ b: Double) -> Double {
        (atan2(b, a) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
    }

    private static func saturation(_ chroma: Double) -> Double {
        let power = pow(chroma, 7)
        return sqrt(power / (power + pow(25, 7)))
    }
}
