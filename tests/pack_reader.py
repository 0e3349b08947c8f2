#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of Terrane packs, written from formats/pack.md alone and sharing nothing with the C code.

    tests/pack_reader.py [--holes] PACK

Walks all tiles of the pack, finds each again by its name, decodes every layer, checks every rule and hash of the text,
and prints one line of JSON with what it found; content_sha256 is computed from the decoded layers. A pack that breaks
a rule gives a message on stderr and exit code 3. --holes leaves out the rules about the order of blobs and the hash of
the file, for test packs of many gigabytes that have holes.
"""

import hashlib
import json
import math
import struct
import sys
import zlib

MAGIC = b"\x89TRN\r\n\x1a\n"
HEADER_BYTES = 1024
SMALL_BYTES = 4096
SMALL_COUNT = 65536
SLOTS = {
    0: b"\x00\x01\x01\x20\x00\x00\x00\x00height\x00\x00",
    1: b"\x01\x02\x03\x08\x00\x00\x00\x00normal\x00\x00",
    2: b"\x02\x02\x03\x08\x00\x00\x00\x00color\x00\x00\x00",
}
HEIGHT = 0


class BadPack(Exception):
    pass


def demand(condition, what):
    if not condition:
        raise BadPack(what)


def morton(x, y):
    code = 0
    for bit in range(24):
        code |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1
    return code


def unmorton(code):
    x = y = 0
    for bit in range(24):
        x |= (code >> 2 * bit & 1) << bit
        y |= (code >> 2 * bit + 1 & 1) << bit
    return x, y


def key_of(face, level, x, y):
    return level << 51 | face << 48 | morton(x, y)


def round_up(value, step):
    return (value + step - 1) // step * step


# ---- Layers (sections 5.5 and 5.6) ----


def inflate(stream, size):
    """A zlib stream of exactly size bytes, with nothing after it."""
    inflater = zlib.decompressobj()
    data = inflater.decompress(stream, size + 1)
    demand(len(data) == size and inflater.eof and not inflater.unused_data, "a zlib stream of the wrong length")
    return data


def decode_height(blob, side):
    """The heights, row by row."""
    demand(len(blob) >= 8, "a height blob is cut short")
    predictor, planes, zero = struct.unpack_from("<BBH", blob)
    demand(predictor == 1 and planes <= 4 and zero == 0, "a height blob of an unknown form")
    count = side * side
    if planes == 0:
        demand(len(blob) == 8, "a constant height blob of the wrong length")
        return list(struct.unpack_from("<i", blob, 4)) * count
    data = inflate(blob[4:], planes * count)
    demand(any(data[(planes - 1) * count :]), "the highest byte plane is all zero")
    heights = [0] * count
    at = 0
    for row in range(side):
        for column in range(side):
            folded = 0
            for plane in range(planes):
                folded |= data[plane * count + at] << 8 * plane
            residual = -(folded + 1) // 2 if folded & 1 else folded // 2
            if row == 0:
                guess = heights[at - 1] if column else 0
            elif column == 0:
                guess = heights[at - side]
            else:
                w, n, nw = heights[at - 1], heights[at - side], heights[at - side - 1]
                guess = w + n - nw
                if row > 1 and column > 1:
                    ww, nn = heights[at - 2], heights[at - 2 * side]
                    guess = (2 * guess + (2 * w - ww) + (2 * n - nn) + 2) // 4
            sample = guess + residual & 0xFFFFFFFF
            heights[at] = sample - (1 << 32) if sample >> 31 else sample
            at += 1
    demand(min(heights) < max(heights), "a constant tile that is not in its short form")
    return heights


def png_chunks(blob):
    demand(blob[:8] == b"\x89PNG\r\n\x1a\n", "a picture that is no PNG file")
    at = 8
    while at < len(blob):
        demand(len(blob) - at >= 12, "a PNG file is cut short")
        size = int.from_bytes(blob[at : at + 4], "big")
        demand(size <= len(blob) - at - 12, "a PNG chunk is cut short")
        kind, data = blob[at + 4 : at + 8], blob[at + 8 : at + 8 + size]
        crc = int.from_bytes(blob[at + 8 + size : at + 12 + size], "big")
        demand(crc == zlib.crc32(kind + data), "a PNG chunk's CRC is wrong")
        yield kind, data
        at += 12 + size


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def decode_png(blob, side, bits, srgb):
    """The samples as bytes, row by row, 16 bits big-endian."""
    chunks = list(png_chunks(blob))
    kinds = [kind for kind, data in chunks]
    color = [b"sRGB"] if srgb else []
    idat_count = kinds.count(b"IDAT")
    demand(idat_count > 0 and kinds == [b"IHDR"] + color + [b"IDAT"] * idat_count + [b"IEND"], "odd PNG chunks")
    demand(chunks[0][1] == struct.pack(">IIBBBBB", side, side, bits, 2, 0, 0, 0), "a PNG of another size or type")
    demand(not srgb or chunks[1][1] == b"\x00", "an sRGB chunk of another intent")
    step = 3 * bits // 8
    width = side * step
    data = inflate(b"".join(data for kind, data in chunks if kind == b"IDAT"), side * (width + 1))
    above = bytearray(width)
    rows = []
    for row in range(side):
        method = data[row * (width + 1)]
        line = bytearray(data[row * (width + 1) + 1 : (row + 1) * (width + 1)])
        demand(method <= 4, "an unknown PNG filter")
        for k in range(width if method else 0):
            a = line[k - step] if k >= step else 0
            if method == 1:
                line[k] = line[k] + a & 255
            elif method == 2:
                line[k] = line[k] + above[k] & 255
            elif method == 3:
                line[k] = line[k] + (a + above[k]) // 2 & 255
            else:
                line[k] = line[k] + paeth(a, above[k], above[k - step] if k >= step else 0) & 255
        rows.append(line)
        above = line
    return b"".join(rows)


# ---- The file (sections 3, 4 and 6) ----


class Record:
    def __init__(self, data, layer_count):
        self.flags, self.low, self.high, self.sub_low, self.sub_high, self.error = struct.unpack_from("<IiiiiI", data)
        demand(self.flags <= 3, "unknown flags of a record")
        self.present = bool(self.flags & 1)
        self.below = bool(self.flags & 2)
        self.blobs = [struct.unpack_from("<QII32s", data, 24 + 48 * k) for k in range(layer_count)]
        empty = not any(data[24 : 24 + 48 * layer_count])
        demand(self.present or (empty and (self.low, self.high, self.error) == (0, 0, 0)), "an absent tile has content")
        demand(self.flags or (self.sub_low, self.sub_high) == (0, 0), "an absent tile has content")


class Page:
    """One index page, checked by itself."""

    def __init__(self, pack, number, root):
        data = pack.read(pack.index_offset + number * pack.page_bytes, pack.page_bytes)
        magic, crc, face, level, levels, zero, x, y, finger, tiles = struct.unpack_from("<4sIBBBBII8sI", data)
        demand(magic == b"TRPG" and crc == zlib.crc32(data[8:]), "page %d is damaged" % number)
        demand((face, level, x, y) == root and zero == 0, "page %d stands in the wrong place" % number)
        demand(finger == pack.fingerprint[:8], "page %d belongs to another pack" % number)
        group = pack.group_of(level)
        demand(pack.group_first(group) == level and levels == pack.group_levels(group), "page %d: levels" % number)
        size = pack.record_bytes
        self.number, self.root, self.levels = number, root, levels
        self.records = [Record(data[32 + k * size : 32 + (k + 1) * size], pack.layer_count) for k in range(85)]
        self.children = struct.unpack_from("<256I", data, 32 + 85 * size)
        demand(not any(data[1056 + 85 * size :]), "page %d has bytes after its end" % number)
        demand(tiles == sum(record.present for record in self.records), "page %d counts its tiles wrongly" % number)
        deepest = min(levels, pack.max_level - level + 1)
        used = (4**deepest - 1) // 3
        demand(not any(record.flags for record in self.records[used:]), "page %d has tiles too deep" % number)
        slots = 4**levels if level + levels <= pack.max_level else 0
        demand(not any(self.children[slots:]), "page %d has child pages too deep" % number)
        demand(all(c == 0 or number + 1 < c <= pack.page_count for c in self.children), "page %d: children" % number)
        demand(self.records[0].flags, "page %d has no tile" % number)

    def check_subtrees(self, pack, child_ranges):
        """child_ranges: the range of the root of each child page, by slot."""
        ranges = dict(child_ranges)
        for depth in range(self.levels - 1, -1, -1):
            above = {}
            for code in range(4**depth):
                record = self.records[(4**depth - 1) // 3 + code]
                under = [ranges[4 * code + k] for k in range(4) if 4 * code + k in ranges]
                demand(record.below == bool(under), "page %d: a tile is wrong about tiles below it" % self.number)
                if record.present:
                    demand(record.low <= record.high, "page %d: an empty range" % self.number)
                    under.append((record.low, record.high))
                if under:
                    wanted = (min(low for low, high in under), max(high for low, high in under))
                    demand((record.sub_low, record.sub_high) == wanted, "page %d: a subtree's range" % self.number)
                    above[code] = wanted
            ranges = above
        return ranges[0]


class Pack:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.size = self.file.seek(0, 2)
        demand(self.size >= HEADER_BYTES, "too short for a pack")
        self.cache = {}
        self.header = self.read(0, HEADER_BYTES)
        self.read_header()
        self.read_metadata()

    def read(self, offset, size):
        demand(0 <= offset <= self.size and size <= self.size - offset, "bytes outside the file")
        self.file.seek(offset)
        return self.file.read(size)

    def field(self, form, offset):
        values = struct.unpack_from("<" + form, self.header, offset)
        return values[0] if len(values) == 1 else values

    def read_header(self):
        demand(self.header[:8] == MAGIC, "not a pack")
        demand(self.field("HH", 8) == (1, 0) and self.field("I", 12) == HEADER_BYTES, "another version")
        demand(self.field("I", 1020) == zlib.crc32(self.header[:1020]), "the header is damaged")
        demand(self.field("Q", 16) == self.size, "the file has another size than its header says")
        self.metadata_offset, self.metadata_size, self.metadata_crc = self.field("QII", 24)
        self.data_offset, self.data_size, self.index_offset = self.field("QQQ", 40)
        self.page_bytes, self.page_count = self.field("II", 64)
        page_levels, self.root_levels, depth, self.max_level = self.field("BBBB", 72)
        self.depth = None if depth == 255 else depth
        self.layer_count, log2_n, mapping, frames = self.field("BBBB", 76)
        demand(page_levels == 4 and 1 <= self.root_levels <= 4 and mapping == 1 and frames == 0, "odd header")
        demand(5 <= log2_n <= 9 and 1 <= self.layer_count <= 8, "odd header")
        self.intervals = 1 << log2_n
        self.radius_m = self.field("Q", 80) / 65536
        self.height_exponent, self.flags = self.field("bB", 88)
        self.wide_normals = self.field("I", 92)
        self.low, self.high = self.field("ii", 96)
        self.share, self.share_count = self.field("II", 104)
        self.fingerprint, self.body_sha256, self.content_sha256 = self.field("32s32s32s", 128)
        self.roots = self.field("6I", 224)
        slots = [self.header[256 + 16 * k : 272 + 16 * k] for k in range(8)]
        self.layers = [slot[0] for slot in slots[: self.layer_count]]
        demand(self.layers == sorted(set(self.layers)), "layers out of order")
        demand(all(SLOTS.get(slot[0]) == slot for slot in slots[: self.layer_count]), "an unknown layer")
        self.tiles = self.field("25Q", 384)
        self.record_bytes = 24 + 48 * self.layer_count
        for first, last in ((90, 92), (120, 128), (248, 256), (256 + 16 * self.layer_count, 384), (584, 1020)):
            demand(not any(self.header[first:last]), "reserved bytes of the header are not zero")
        demand(self.flags <= 1 and 1 <= self.share <= self.share_count, "odd share")
        demand(self.flags == 0 or self.share_count == 1, "odd share")
        demand(self.field("II", 112) == (SMALL_BYTES, SMALL_COUNT), "another rule of sharing")
        self.check_header()

    def check_header(self):
        demand(self.page_bytes == round_up(32 + 85 * self.record_bytes + 1024, 512), "page size")
        demand(self.index_offset + self.page_bytes * self.page_count == self.size, "index size")
        demand(self.metadata_offset == HEADER_BYTES and 2 <= self.metadata_size <= 8 << 20, "metadata")
        for level in range(25):
            spacing_m = math.pi / 2 * self.radius_m / (self.intervals << level)
            demand((self.wide_normals >> level & 1) == (spacing_m > 1000), "levels with 16-bit normals")
        depth = -1
        while depth < 24 and self.tiles[depth + 1] == 6 * 4 ** (depth + 1):
            depth += 1
        demand(self.depth == (depth if depth >= 0 else None), "full depth")
        demand(self.max_level == max([k for k in range(25) if self.tiles[k]], default=0), "greatest level")

    def read_metadata(self):
        text = self.read(self.metadata_offset, self.metadata_size)
        demand(zlib.crc32(text) == self.metadata_crc, "the metadata are damaged")
        demand(hashlib.sha256(text).digest() == self.fingerprint, "the fingerprint is not that of the metadata")
        self.metadata = json.loads(text.decode("utf-8"))
        again = json.dumps(self.metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        demand(again.encode("utf-8") == text, "the metadata are not in canonical form")

    # Section 6.1.
    def group_of(self, level):
        return 0 if level < self.root_levels else 1 + (level - self.root_levels) // 4

    def group_first(self, group):
        return 0 if group == 0 else self.root_levels + 4 * (group - 1)

    def group_levels(self, group):
        return 4 if group else self.root_levels

    def page(self, number, root):
        if number not in self.cache:
            if len(self.cache) > 200:
                self.cache.clear()
            self.cache[number] = Page(self, number, root)
        demand(self.cache[number].root == root, "page %d stands in the wrong place" % number)
        return self.cache[number]

    def find(self, face, level, x, y):
        """The node's record, None where there is neither a tile nor one below (section 6.4)."""
        if level > self.max_level:
            return None
        group, here = self.group_of(level), 0

        def root(h):
            up = level - self.group_first(h)
            return face, self.group_first(h), x >> up, y >> up

        if self.depth is not None:
            here = min(group, self.group_of(self.depth))
            _, first, rx, ry = root(here)
            number = sum(6 * 4 ** self.group_first(j) for j in range(here)) + face * 4**first + morton(rx, ry)
        elif self.roots[face]:
            number = self.roots[face] - 1
        else:
            return None
        page = self.page(number, root(here))
        while here < group:
            here += 1
            _, first, cx, cy = root(here)
            mask = (1 << self.group_levels(here - 1)) - 1
            child = page.children[morton(cx & mask, cy & mask)]
            if child == 0:
                return None
            page = self.page(child - 1, root(here))
        depth = level - page.root[1]
        mask = (1 << depth) - 1
        record = page.records[(4**depth - 1) // 3 + morton(x & mask, y & mask)]
        return record if record.flags else None

    def group_pages(self):
        """Numbers and roots of the pages of each group, read as section 6.5 says."""
        roots = [(number, face) for face, number in enumerate(self.roots) if number]
        demand([number for number, face in roots] == list(range(1, len(roots) + 1)), "root pages out of order")
        pages = [(number - 1, (face, 0, 0, 0)) for number, face in roots]
        groups = [pages]
        count = len(pages)
        while pages:
            below = []
            for number, root in pages:
                page = self.page(number, root)
                for slot, child in enumerate(page.children):
                    if child:
                        demand(child == count + 1, "pages out of order")
                        count += 1
                        x, y = unmorton(slot)
                        face, level, rx, ry = root
                        below.append((child - 1, (face, level + page.levels, rx << page.levels | x, ry << page.levels | y)))
            pages = below
            groups.append(below)
        demand(count == self.page_count, "pages that nothing points to")
        return groups

    def check_ranges(self, groups):
        """From the deepest pages up."""
        ranges = {}
        for pages in reversed(groups):
            for number, root in pages:
                page = self.page(number, root)
                below = {slot: ranges[child - 1] for slot, child in enumerate(page.children) if child}
                ranges[number] = page.check_subtrees(self, below)
        tops = [ranges[number] for number, root in groups[0]]
        wanted = (min(low for low, high in tops), max(high for low, high in tops)) if tops else (0, 0)
        demand((self.low, self.high) == wanted, "the planet's height range")

    def walk(self, groups):
        """Names and records of all tiles in canonical order."""
        for level in range(self.max_level + 1):
            for number, (face, first, rx, ry) in groups[self.group_of(level)] if self.page_count else []:
                depth = level - first
                page = self.page(number, (face, first, rx, ry))
                for code in range(4**depth):
                    record = page.records[(4**depth - 1) // 3 + code]
                    if record.present:
                        x, y = unmorton(code)
                        yield (face, level, rx << depth | x, ry << depth | y), record


class Checker:
    def __init__(self, pack, holes):
        self.pack, self.holes = pack, holes
        self.unused = pack.data_offset
        self.window = {}  # bytes -> (offset, leaf hash, form), in order of entering
        self.content = hashlib.sha256()
        self.decoded = 0

    def blob_bytes(self, offset, size, crc):
        pack = self.pack
        demand(1 <= size <= 16 << 20 and offset >= pack.data_offset, "a blob outside the data")
        demand(offset - pack.data_offset <= pack.data_size - size, "a blob outside the data")
        data = pack.read(offset, size)
        demand(zlib.crc32(data) == crc, "a blob is damaged")
        return data

    def check_place(self, offset, data, leaf, form):
        """Section 5.3; false when the blob is one from before."""
        small = self.window.get(data)
        if small:
            demand(small == (offset, leaf, form), "a small blob is not shared with its equal, or differs from it")
            return False
        demand(self.holes or offset == self.unused, "a blob stands in the wrong place")
        self.unused = offset + len(data)
        if len(data) <= SMALL_BYTES:
            if len(self.window) == SMALL_COUNT:
                del self.window[next(iter(self.window))]
            self.window[data] = (offset, leaf, form)
        return True

    def check_layer(self, node, layer, record, blob):
        pack, side = self.pack, self.pack.intervals + 1
        offset, size, crc, leaf = blob
        data = self.blob_bytes(offset, size, crc)
        wide = layer == 1 and pack.wide_normals >> node[1] & 1
        form = (record.low, record.high) if layer == HEIGHT else 16 if wide else 8
        if not self.check_place(offset, data, leaf, form):
            return
        if layer == HEIGHT:
            heights = decode_height(data, side)
            demand((min(heights), max(heights)) == (record.low, record.high), "heights outside the record's range")
            samples = struct.pack("<%di" % len(heights), *heights)
        else:
            samples = decode_png(data, side, form, layer == 2)
        self.decoded += 1
        demand(hashlib.sha256(samples).digest() == leaf, "a layer's hash is wrong")

    def run(self):
        pack = self.pack
        groups = pack.group_pages()
        pack.check_ranges(groups)
        counts = [0] * 25
        last = -1
        for node, record in pack.walk(groups):
            counts[node[1]] += 1
            key = key_of(*node)
            demand(key > last, "tiles out of order")
            last = key
            found = pack.find(*node)
            demand(found and found.present and found.blobs == record.blobs, "a tile is not found by its name")
            for layer, blob in zip(pack.layers, record.blobs):
                try:
                    self.check_layer(node, layer, record, blob)
                except BadPack as trouble:
                    raise BadPack("tile %d/%d/%d/%d, layer %d: %s" % (node + (layer, trouble)))
                self.content.update(struct.pack("<QBI", key, layer, pack.intervals) + blob[3])
        demand(tuple(counts) == pack.tiles, "numbers of tiles")
        demand(self.content.digest() == pack.content_sha256, "content_sha256")
        if not self.holes:
            self.check_file()
        return sum(counts)

    def check_file(self):
        """What lies between the parts, and the hash of it all."""
        pack = self.pack
        demand(self.unused == pack.data_offset + pack.data_size, "blobs that nothing points to")
        metadata_end = HEADER_BYTES + pack.metadata_size
        demand(pack.data_offset == round_up(metadata_end, 512), "the data's place")
        demand(pack.index_offset == round_up(self.unused, 4096), "the index's place")
        for first, last in ((metadata_end, pack.data_offset), (self.unused, pack.index_offset)):
            demand(not any(pack.read(first, last - first)), "bytes between the parts are not zero")
        body = hashlib.sha256()
        for at in range(HEADER_BYTES, pack.size, 1 << 20):
            body.update(pack.read(at, min(1 << 20, pack.size - at)))
        demand(body.digest() == pack.body_sha256, "the file's hash is wrong")


def main(arguments):
    holes = "--holes" in arguments
    paths = [argument for argument in arguments if argument != "--holes"]
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        pack = Pack(paths[0])
        checker = Checker(pack, holes)
        tiles = checker.run()
    except (BadPack, ValueError, OSError, zlib.error) as trouble:
        print("%s: %s" % (paths[0], trouble), file=sys.stderr)
        return 3
    print(
        json.dumps(
            {
                "tiles": tiles,
                "tiles_per_level": list(pack.tiles[: pack.max_level + 1]),
                "full_depth": pack.depth,
                "layers": pack.layers,
                "decoded": checker.decoded,
                "content_sha256": checker.content.hexdigest(),
                "fingerprint": pack.fingerprint.hex(),
                "file_bytes": pack.size,
                "complete": bool(pack.flags & 1),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
