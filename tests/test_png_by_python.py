#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads PNG files with Python's standard library alone: a decoder that is neither libpng nor ours.

    test_png_by_python.py              the test: our picture encoder's files hold the samples that went in
    test_png_by_python.py FILE.png...  checks files, one line each; exit code 1 if any is bad

Import it for read_png(), which accepts non-interlaced grey, grey with alpha, RGB and RGBA of 8 or 16 bits, and refuses
everything that the PNG specification forbids in them.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


class BadPng(Exception):
    pass


def demand(condition, why):
    if not condition:
        raise BadPng(why)


def read_chunks(data):
    """The chunks as (type, bytes), up to IEND, which must be the end of the file."""
    demand(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG signature")
    chunks, at = [], 8
    while not chunks or chunks[-1][0] != b"IEND":
        demand(at + 12 <= len(data), "cut short")
        (size,) = struct.unpack(">I", data[at : at + 4])
        demand(at + 12 + size <= len(data), "cut short")
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        (crc,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
        demand(crc == zlib.crc32(name + body), "wrong CRC of %r" % name)
        chunks.append((name, body))
        at += 12 + size
    demand(at == len(data), "bytes after IEND")
    return chunks


def paeth(west, north, northwest):
    p = west + north - northwest
    a, b, c = abs(p - west), abs(p - north), abs(p - northwest)
    return west if a <= b and a <= c else north if b <= c else northwest


def unfilter_row(kind, row, above, pixel_bytes):
    """Undoes one row's filter in place."""
    demand(kind <= 4, "unknown filter %d" % kind)
    for k in range(len(row)):
        west = row[k - pixel_bytes] if k >= pixel_bytes else 0
        north = above[k]
        if kind == 1:
            row[k] = (row[k] + west) & 255
        elif kind == 2:
            row[k] = (row[k] + north) & 255
        elif kind == 3:
            row[k] = (row[k] + (west + north) // 2) & 255
        elif kind == 4:
            northwest = above[k - pixel_bytes] if k >= pixel_bytes else 0
            row[k] = (row[k] + paeth(west, north, northwest)) & 255


def read_png(data):
    """Returns width, height, channels, bits, samples (rows from the top, 16 bits big-endian) and the chunks."""
    chunks = read_chunks(data)
    names = [name for name, _ in chunks]
    demand(names[0] == b"IHDR" and len(chunks[0][1]) == 13, "no IHDR first")
    width, height, bits, color, method, filters, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    demand(width > 0 and height > 0, "no pixels")
    demand(color in CHANNELS and bits in (8, 16), "colour type %d of %d bits" % (color, bits))
    demand((method, filters, interlace) == (0, 0, 0), "methods or interlace")
    for name in names[1:]:
        demand(name[0] & 32 or name in (b"IDAT", b"IEND"), "critical chunk %r" % name)
    first, last = names.index(b"IDAT"), len(names) - 1 - names[::-1].index(b"IDAT")
    demand(set(names[first : last + 1]) == {b"IDAT"}, "IDAT chunks are not in a row")

    inflater = zlib.decompressobj()
    filtered = inflater.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    demand(inflater.eof and not inflater.unused_data, "image data do not end where they should")
    pixel_bytes = CHANNELS[color] * bits // 8
    row_bytes = width * pixel_bytes
    demand(len(filtered) == height * (1 + row_bytes), "image data of another size")
    samples, above = bytearray(), bytearray(row_bytes)
    for y in range(height):
        at = y * (1 + row_bytes)
        row = bytearray(filtered[at + 1 : at + 1 + row_bytes])
        unfilter_row(filtered[at], row, above, pixel_bytes)
        samples += row
        above = row
    return width, height, CHANNELS[color], bits, bytes(samples), chunks


def check_files(paths):
    bad = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                width, height, channels, bits, _, chunks = read_png(file.read())
            print("%s: %d x %d, %d x %d bits, %s" % (path, width, height, channels, bits,
                                                     b" ".join(name for name, _ in chunks).decode("ascii")))
        except (BadPng, OSError, ValueError, zlib.error) as trouble:
            print("%s: bad: %s" % (path, trouble))
            bad = 1
    return bad


def our_files_hold_their_samples(folder):
    names = sorted(name for name in os.listdir(folder) if name.endswith(".png"))
    demand(len(names) >= 20, "only %d pictures were written" % len(names))
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            width, height, channels, _, samples, chunks = read_png(file.read())
        with open(os.path.join(folder, name[:-4] + ".raw"), "rb") as file:
            demand(file.read() == samples, "%s holds other samples" % name)
        demand(width == height and channels == 3, "%s has another shape" % name)
        kinds = [kind for kind, _ in chunks if kind != b"sRGB"]
        demand(kinds == [b"IHDR", b"IDAT", b"IEND"], "%s has other chunks" % name)


def damage_is_noticed(folder):
    with open(os.path.join(folder, "0.png"), "rb") as file:
        data = file.read()
    read_png(data)
    for at in range(len(data)):
        for bent in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            try:
                read_png(bent)
            except (BadPng, ValueError, zlib.error):
                continue
            raise BadPng("damage at byte %d is not noticed" % at)


def main():
    if len(sys.argv) > 1:
        return check_files(sys.argv[1:])
    program = os.path.join(os.environ.get("BUILD", "build/release"), "tests", "test_picture_codec")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "write", folder], check=True)
        for test in (our_files_hold_their_samples, damage_is_noticed):
            try:
                test(folder)
                print("ok " + test.__name__)
            except (BadPng, ValueError, zlib.error) as trouble:
                print("%s\nFAILED %s" % (trouble, test.__name__))
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
