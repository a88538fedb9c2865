import PixelBoopClient
import SurfaceKit

/// Prints the colour of a cell whenever the picture changes.
actor Lamp: Surface {
    let interest = Interest()

    func received(_ event: ClientEvent) {
        if case .frame(let picture) = event { print(picture.frame[4, 7]) }
    }
}
