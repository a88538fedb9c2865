import Grid
import SurfaceTestSupport

/// A wall of lights that receives its picture by DDP.
actor LightsReceiver {
    private static let headerSize = 10
    private static let pushFlag: UInt8 = 1

    private let peer: DatagramPeer
    private var channels = [UInt8](repeating: 0, count: 3 * Frame.columns * Frame.rows)
    /// The lights' colours: red, green and blue of each, row by row.
    private(set) var picture: [UInt8] = []
    /// How many pictures arrived.
    private(set) var count = 0

    init() throws { peer = try DatagramPeer() }

    /// The port where it receives pictures.
    nonisolated var port: UInt16 { peer.port }

    /// Receives until cancelled.
    func listen() async {
        while let bytes = await peer.receive()?.bytes {
            guard bytes.count >= Self.headerSize else { continue }
            let offset = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
            let data = bytes[Self.headerSize...]
            guard offset + data.count <= channels.count else { continue }
            channels.replaceSubrange(offset..<offset + data.count, with: data)
            if bytes[0] & Self.pushFlag != 0 { (picture, count) = (channels, count + 1) }
        }
    }

    /// A frame as shown by lights that are as bright as the grid's cells.
    static func channels(of frame: Frame) -> [UInt8] {
        frame.cells.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 0xff), UInt8($0 & 0xff)] }
    }
}
