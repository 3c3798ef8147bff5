"""Decodes images to arrays of bytes with Pillow."""
import io

import numpy as np

from .files import library

MODES = {1: "L", 3: "RGB", 4: "RGBA"}


def layouts(wanted):
    """Returns the images that fit this sample shape: (mode of Pillow, height and width, True if channels come
    first)."""
    if len(wanted) == 2:
        return [("L", wanted, False)]
    found = [(MODES[wanted[2]], wanted[:2], False)] if len(wanted) == 3 and wanted[2] in MODES else []
    return found + ([(MODES[wanted[0]], wanted[1:], True)] if len(wanted) == 3 and wanted[0] in MODES else [])


def decode(data, wanted, place):
    """Returns bytes 0 to 255 of the shape `wanted`: [height, width], with 1, 3 or 4 channels last or first. Without
    `wanted`, the image keeps its own layout."""
    image_of = library("PIL.Image", "pillow", "an image in data=")
    try:
        image = image_of.open(io.BytesIO(data))
        if wanted is None:
            return np.asarray(image)
        possible = layouts(wanted)
        if not possible:
            raise ValueError(f"{place} is an image, expected an array of the shape {wanted}; transform= makes it of "
                             "the image")
        fitting = [each for each in possible if each[1] == (image.height, image.width)]
        if not fitting:
            raise ValueError(f"{place} is an image of {image.height} x {image.width} pixels (height, width), expected "
                             f"{possible[0][1][0]} x {possible[0][1][1]}; transform= may resize it")
        mode, _, first = fitting[0]
        pixels = np.asarray(image.convert(mode))
    except (OSError, SyntaxError) as error:  # raised by Pillow for a damaged file
        raise ValueError(f"{place} cannot be read as an image: {str(error).splitlines()[0]}") from None
    return (np.moveaxis(pixels, 2, 0) if first and pixels.ndim == 3 else pixels).reshape(wanted)
