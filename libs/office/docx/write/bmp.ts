/** Pixels of a bitmap, row by row from the top. */
interface Bitmap {
  width: number;
  height: number;
  /** Bytes per pixel: red, green, blue and, with 4, alpha. */
  channels: 3 | 4;
  data: Uint8Array;
}

/** Compression methods of a bitmap. */
const [RGB, RLE8, RLE4, BITFIELDS, ALPHA_BITFIELDS] = [0, 1, 2, 3, 6];
const FILE_HEADER = 14;

interface Header {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: number;
  compression: number;
  /** Masks of red, green, blue and alpha. */
  masks: number[];
  /** Red, green and blue of each colour, if pixels are numbers of colours. */
  palette: number[][];
  /** Position of the pixels. */
  offset: number;
}

export const isBmp = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x42 && bytes[1] === 0x4d && bytes.length > 26;

/** Returns whether a bitmap only wraps a JPEG or PNG, a form meant for printers. */
export const isBmpWrapper = (bytes: Uint8Array): boolean =>
  bytes.length > FILE_HEADER + 40 && [4, 5].includes(viewOf(bytes).getUint32(30, true));

/** Returns width and height of a bitmap in pixels. */
export function bmpSize(bytes: Uint8Array): { width: number; height: number } {
  const view = viewOf(bytes);
  const isOld = view.getUint32(FILE_HEADER, true) === 12;
  return isOld
    ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
    : { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/**
 * Decodes a bitmap of Windows or OS/2 with 1 to 32 bits a pixel, also with run-length encoding; the image library
 * reads none. Check the size first.
 *
 * @returns null for a damaged file
 */
export function readBmp(bytes: Uint8Array): Bitmap | null {
  try {
    const header = headerOf(bytes);
    if (header.compression === RLE8 || header.compression === RLE4)
      return indexed(header, runs(bytes, header));
    if (![RGB, BITFIELDS, ALPHA_BITFIELDS].includes(header.compression)) return null;
    return header.bits <= 8 ? indexed(header, packed(bytes, header)) : direct(bytes, header);
  } catch (error) {
    // The position is outside of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function headerOf(bytes: Uint8Array): Header {
  const view = viewOf(bytes);
  const size = view.getUint32(FILE_HEADER, true);
  const isOld = size === 12;
  const bits = view.getUint16(isOld ? 24 : 28, true);
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits)) throw new RangeError('bits per pixel');
  const compression = isOld ? RGB : view.getUint32(30, true);
  const hasMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS;
  const hasAlpha = compression === ALPHA_BITFIELDS || (hasMasks && size >= 56);
  const isShort = bits === 16;
  const masks = hasMasks
    ? [54, 58, 62].map((at) => view.getUint32(at, true))
    : isShort
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff];
  // A header of 40 bytes is followed by the masks, a larger one contains them.
  const start = FILE_HEADER + size + (hasMasks && size === 40 ? (hasAlpha ? 16 : 12) : 0);
  const offset = view.getUint32(10, true);
  const colours = (isOld ? 0 : view.getUint32(46, true)) || 2 ** Math.min(bits, 8);
  const step = isOld ? 3 : 4;
  const count = bits > 8 ? 0 : Math.min(colours, 256, Math.floor((offset - start) / step));
  const palette = Array.from({ length: count }, (_, index) =>
    [2, 1, 0].map((part) => view.getUint8(start + index * step + part)),
  );
  return {
    ...bmpSize(bytes),
    isTopDown: !isOld && view.getInt32(22, true) < 0,
    bits,
    compression,
    masks: [...masks, hasAlpha ? view.getUint32(66, true) : 0],
    palette,
    offset,
  };
}

/** Returns the row in the file, which mostly begins at the bottom, of a row of the picture. */
const rowInFile = ({ height, isTopDown }: Header, row: number) => (isTopDown ? row : height - 1 - row);
/** Returns the bytes of a row, which ends at a multiple of four bytes. */
const strideOf = ({ width, bits }: Header) => Math.ceil((width * bits) / 32) * 4;

/** Returns the numbers of the colours of all pixels. */
function packed(bytes: Uint8Array, header: Header): Uint8Array {
  const { width, height, bits, offset } = header;
  const view = viewOf(bytes);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const start = offset + rowInFile(header, row) * strideOf(header);
    for (let column = 0; column < width; column++) {
      const bit = column * bits;
      const byte = view.getUint8(start + (bit >> 3));
      pixels[row * width + column] = (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
    }
  }
  return pixels;
}

/** Decodes runs of equal pixels into the numbers of the colours of all pixels; skipped ones are 0. */
function runs(bytes: Uint8Array, header: Header): Uint8Array {
  const { width, height, compression, offset } = header;
  const view = viewOf(bytes);
  const pixels = new Uint8Array(width * height);
  let [at, column, row] = [offset, 0, 0];
  const put = (colour: number): void => {
    if (column < width && row < height) pixels[rowInFile(header, row) * width + column] = colour;
    column += 1;
  };
  const nibble = (byte: number, index: number) => (index % 2 === 0 ? byte >> 4 : byte & 15);
  while (row < height) {
    const [count, value] = [view.getUint8(at), view.getUint8(at + 1)];
    at += 2;
    if (count > 0) for (let i = 0; i < count; i++) put(compression === RLE8 ? value : nibble(value, i));
    else if (value === 0) [column, row] = [0, row + 1];
    else if (value === 1) break;
    else if (value === 2) {
      column += view.getUint8(at);
      row += view.getUint8(at + 1);
      at += 2;
    } else {
      for (let i = 0; i < value; i++)
        put(compression === RLE8 ? view.getUint8(at + i) : nibble(view.getUint8(at + (i >> 1)), i));
      const length = compression === RLE8 ? value : Math.ceil(value / 2);
      at += length + (length % 2);
    }
  }
  return pixels;
}

function indexed({ width, height, palette }: Header, pixels: Uint8Array): Bitmap {
  const data = new Uint8Array(pixels.length * 3);
  for (let i = 0; i < pixels.length; i++) data.set(palette[pixels[i]!] ?? [0, 0, 0], i * 3);
  return { width, height, channels: 3, data };
}

function direct(bytes: Uint8Array, header: Header): Bitmap {
  const { width, height, bits, offset, masks } = header;
  const view = viewOf(bytes);
  const parts = masks.filter((mask, index) => index < 3 || mask !== 0).map(partOf);
  const channels = parts.length === 4 ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    let at = offset + rowInFile(header, row) * strideOf(header);
    for (let column = 0; column < width; column++, at += bits / 8) {
      const pixel =
        bits === 16
          ? view.getUint16(at, true)
          : bits === 24
            ? view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
            : view.getUint32(at, true);
      const to = (row * width + column) * channels;
      for (let part = 0; part < channels; part++) data[to + part] = parts[part]!(pixel);
    }
  }
  return { width, height, channels, data };
}

/** Returns a function that reads one part of a pixel, from 0 to 255. */
function partOf(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = (mask >>> shift) >>> 0;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / most);
}
