import { crc32, deflateSync } from 'node:zlib';
import type { PDFiumPage } from '@hyzyla/pdfium';
import type { DrawnPage } from './page.js';
import { type Matrix, times } from './rules.js';

/** Picture that a page shows. Lengths are in points from the lower left corner of the file's coordinates. */
export interface Picture {
  x: number;
  right: number;
  y: number;
  top: number;
  /** JPEG or PNG; null for one that is not carried. */
  bytes: Uint8Array | null;
  ending: 'jpg' | 'png';
  /** Whether it is not carried because it only decorates the page. */
  isDecoration: boolean;
  /** Whether it covers most of the page, as a scan does. */
  isPage: boolean;
}

type Content = Pick<Picture, 'bytes' | 'ending' | 'isDecoration'>;

type Page = Pick<DrawnPage, 'width' | 'height' | 'pieces'>;

/** Numbers of PDFium for kinds of objects and for bitmaps with red, green, blue and opacity. */
const [IMAGE, FORM] = [3, 5];
/** Forms in forms that are looked at; deeper ones are hostile. */
const DEEPEST = 8;
const MOST_PICTURES = 1_000;
/** Most pixels of a file that are decoded, and the longest edge that is carried of others than photos. */
const MOST_PIXELS = 300_000_000;
/** Most pixels of one picture that is decoded: a large page at 600 dots per inch. */
const MOST_PIXELS_OF_ONE = 80_000_000;
const LONGEST_EDGE = 2_400;
const WHITE = 0xffffffff;
/** Smaller pictures, in points, are bullets, lines and icons. */
const SMALLEST = 24;
/** Share of a page that a picture of the whole page covers. */
const WHOLE_PAGE = 0.8;
/** Share of a page that text covers if a picture of the whole page is its background; a scan may have a printed page number or fax header. */
const COVERED = 0.05;
/** Least number of pages on which a picture at one place belongs to the pages, as a logo does. */
const REPEATED = 3;

/** Functions of PDFium that its package does not declare. Arguments and results are numbers or addresses. */
interface Engine {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(address: number): void };
  [name: `_FPDF${string}`]: (...values: number[]) => number;
}

/** Returns whether a file may contain pictures; their dictionaries are never compressed. */
export const mayShowPictures = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/Image');

/**
 * Returns the pictures of each page; null if PDFium fails, as it does when its memory is used up.
 *
 * @param bytes file that pdf.js could open
 * @param drawsPages whether a page without text is drawn as one picture, unless it is one, so that OCR can read it
 */
export const readPictures = (
  bytes: Uint8Array,
  pages: readonly Page[],
  drawsPages: boolean,
): Promise<Picture[][] | null> => picturesIn(bytes, pages, drawsPages).catch(() => null);

/**
 * Returns the pictures of each page. Those that only decorate a page have no bytes: small ones, those behind text, and those that recur at one place.
 */
async function picturesIn(
  bytes: Uint8Array,
  pages: readonly Page[],
  drawsPages: boolean,
): Promise<Picture[][]> {
  // PDFium is large, so it is loaded only when needed.
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).indexOf('%PDF');
  try {
    const document = await library.loadDocument(bytes.subarray(Math.max(0, header)));
    try {
      const reader = new PictureReader(
        library['module'] as unknown as Engine,
        document['documentIdx'],
        drawsPages,
      );
      return withoutRepeated(pages.map((page, index) => reader.page(document.getPage(index), page)));
    } finally {
      document.destroy();
    }
  } finally {
    library.destroy();
  }
}

function withoutRepeated(pages: readonly Picture[][]): Picture[][] {
  const keyOf = ({ x, y, right, top, bytes }: Picture) =>
    `${[x, y, right, top].map(Math.round).join(' ')} ${bytes && crc32(bytes)}`;
  const counts = new Map<string, number>();
  const keys = pages.map((page) => page.map(keyOf));
  for (const key of keys.flatMap((ofPage) => [...new Set(ofPage)]))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const isRepeated = (page: number, at: number) => counts.get(keys[page]![at]!)! >= REPEATED;
  return pages.map((page, n) =>
    page.map((picture, at) =>
      picture.bytes !== null && isRepeated(n, at) ? { ...picture, ...DECORATION } : picture,
    ),
  );
}

class PictureReader {
  private count = 0;
  private pixels = 0;

  constructor(
    private readonly engine: Engine,
    private readonly document: number,
    private readonly drawsPages: boolean,
  ) {}

  page(page: PDFiumPage, { width, height, pieces }: Page): Picture[] {
    const handle = page['pageIdx'];
    const found: Picture[] = [];
    const covered = pieces.reduce((sum, piece) => sum + piece.width * piece.size, 0);
    const objects = this.call('_FPDFPage_CountObjects', handle);
    for (let at = 0; at < objects; at++)
      this.object(this.call('_FPDFPage_GetObject', handle, at), [1, 0, 0, 1, 0, 0], (image, matrix) => {
        const box = boxOf(matrix);
        const [wide, high] = [box.right - box.x, box.top - box.y];
        const isPage = wide * high > width * height * WHOLE_PAGE;
        const isBehind = isPage && covered > width * height * COVERED;
        const isSmall = Math.min(wide, high) < SMALLEST;
        const isLeft = this.count++ < MOST_PICTURES;
        const content =
          isBehind || isSmall ? DECORATION : isLeft ? this.content(image, matrix, handle) : NONE;
        found.push({ ...box, ...content, isPage });
      });
    const isDrawn = this.drawsPages && pieces.length === 0 && objects > 0;
    const whole = isDrawn && !(found.length === 1 && found[0]!.isPage) ? this.drawPage(handle) : null;
    this.call('_FPDF_ClosePage', handle);
    return whole === null ? found : [{ x: 0, right: width, y: 0, top: height, ...whole, isPage: true }];
  }

  /** Draws a page as a picture; null for a page of one colour. */
  private drawPage(page: number): Content | null {
    const sizes = [this.call('_FPDF_GetPageWidthF', page), this.call('_FPDF_GetPageHeightF', page)];
    const scale = LONGEST_EDGE / Math.max(...sizes);
    const [width, height] = sizes.map((size) => Math.ceil(size * scale)) as [number, number];
    this.pixels += width * height;
    if (this.pixels > MOST_PIXELS) return NONE;
    const bitmap = this.call('_FPDFBitmap_Create', width, height, 0);
    this.call('_FPDFBitmap_FillRect', bitmap, 0, 0, width, height, WHITE);
    this.call('_FPDF_RenderPageBitmap', bitmap, page, 0, 0, width, height, 0, 0);
    const from = this.call('_FPDFBitmap_GetBuffer', bitmap);
    const pixels = new Uint32Array(this.engine.HEAPU8.buffer, from, width * height);
    const isPlain = pixels.every((pixel) => pixel === pixels[0]);
    const bytes = isPlain ? null : this.png(bitmap);
    this.call('_FPDFBitmap_Destroy', bitmap);
    return bytes === null ? null : { bytes, ending: 'png', isDecoration: false };
  }

  private object(
    object: number,
    outer: Matrix,
    add: (image: number, matrix: Matrix) => void,
    depth = 0,
  ): void {
    const kind = this.call('_FPDFPageObj_GetType', object);
    if ((kind !== IMAGE && kind !== FORM) || depth > DEEPEST) return;
    const matrix = times(outer, this.matrixOf(object));
    if (kind === IMAGE) return add(object, matrix);
    const objects = this.call('_FPDFFormObj_CountObjects', object);
    for (let at = 0; at < objects; at++)
      this.object(this.call('_FPDFFormObj_GetObject', object, at), matrix, add, depth + 1);
  }

  /** Returns a photo as it is in the file, and any other picture as it is shown. */
  private content(image: number, matrix: Matrix, page: number): Content {
    // The metadata are read only of pictures that may be decoded, because they need much memory, too.
    const [width = 0, height = 0] = this.structure(8, (at) =>
      this.call('_FPDFImageObj_GetImagePixelSize', image, at, at + 4),
    );
    if (width * height === 0 || width * height > MOST_PIXELS_OF_ONE) return NONE;
    const [, , , , bits] = this.structure(28, (at) =>
      this.call('_FPDFImageObj_GetImageMetadata', image, page, at),
    );
    const [a, b, c, d] = matrix;
    const turns = this.call('_FPDFPage_GetRotation', page);
    const isUpright = turns === 0 && a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < (a + d) * 0.01;
    if (isUpright && (bits === 8 || bits === 24) && this.filterOf(image) === 'DCTDecode')
      return {
        bytes: this.written((at, most) => this.call('_FPDFImageObj_GetImageDataRaw', image, at, most)),
        ending: 'jpg',
        isDecoration: false,
      };
    this.pixels += width * height;
    if (this.pixels > MOST_PIXELS) return NONE;
    const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
    const [across, down] = [
      (width * scale) / (Math.hypot(a, b) || 1),
      (height * scale) / (Math.hypot(c, d) || 1),
    ];
    const [cos, sin] = [
      [1, 0],
      [0, -1],
      [-1, 0],
      [0, 1],
    ][turns] as [number, number];
    const [p, q, r, s] = times(
      [cos, sin, -sin, cos, 0, 0],
      [a * across, b * across, c * down, d * down, 0, 0],
    );
    this.call('_FPDFImageObj_SetMatrix', image, p, q, r, s, 0, 0);
    const bitmap = this.call('_FPDFImageObj_GetRenderedBitmap', this.document, page, image);
    if (bitmap === 0) return NONE;
    const bytes = this.png(bitmap);
    this.call('_FPDFBitmap_Destroy', bitmap);
    return { bytes, ending: 'png', isDecoration: false };
  }

  /** Returns a bitmap of PDFium, which has blue, green, red and opacity, as PNG. */
  private png(bitmap: number): Uint8Array {
    const [width, height, stride, from] = ['Width', 'Height', 'Stride', 'Buffer'].map((what) =>
      this.call(`_FPDFBitmap_Get${what}`, bitmap),
    ) as [number, number, number, number];
    const rows = Buffer.alloc((width * 4 + 1) * height);
    const source = this.engine.HEAPU8;
    for (let y = 0, to = 0; y < height; y++) {
      to++;
      for (let x = 0, at = from + y * stride; x < width; x++, at += 4, to += 4) {
        rows[to] = source[at + 2]!;
        rows[to + 1] = source[at + 1]!;
        rows[to + 2] = source[at]!;
        rows[to + 3] = source[at + 3]!;
      }
    }
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, 6], 8);
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      pngChunk('IHDR', head),
      pngChunk('IDAT', deflateSync(rows)),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
  }

  private matrixOf(object: number): Matrix {
    const words = this.structure(24, (at) => this.call('_FPDFPageObj_GetMatrix', object, at));
    return [...new Float32Array(Uint32Array.from(words).buffer)] as unknown as Matrix;
  }

  /** Returns the name of the last filter of an image, which encodes the picture itself. */
  private filterOf(image: number): string {
    const filters = this.call('_FPDFImageObj_GetImageFilterCount', image);
    if (filters !== 1) return '';
    return Buffer.from(
      this.written((at, most) => this.call('_FPDFImageObj_GetImageFilter', image, 0, at, most)),
    )
      .toString('latin1')
      .replace('\0', '');
  }

  /** Returns the words of a structure that PDFium writes. @param size in bytes */
  private structure(size: number, write: (address: number) => number): number[] {
    const address = this.engine.wasmExports.malloc(size);
    write(address);
    const words = new Uint32Array(this.engine.HEAPU8.slice(address, address + size).buffer);
    this.engine.wasmExports.free(address);
    return [...words];
  }

  private written(write: (address: number, most: number) => number): Uint8Array {
    const size = write(0, 0);
    const address = this.engine.wasmExports.malloc(size);
    write(address, size);
    const bytes = this.engine.HEAPU8.slice(address, address + size);
    this.engine.wasmExports.free(address);
    return bytes;
  }

  private call(name: `_FPDF${string}`, ...values: number[]): number {
    return this.engine[name]!(...values);
  }
}

const NONE: Content = { bytes: null, ending: 'png', isDecoration: false };
const DECORATION: Content = { ...NONE, isDecoration: true };

function boxOf([a, b, c, d, e, f]: Matrix): Omit<Picture, keyof Content | 'isPage'> {
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  return { x: Math.min(...xs!), right: Math.max(...xs!), y: Math.min(...ys!), top: Math.max(...ys!) };
}

function pngChunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
