import fc from 'fast-check';
import sharp from 'sharp';
import { prepareAssets } from './assets.js';
import { bmpSize, readBmp } from './bmp.js';

interface Form {
  bits: number;
  /** Size of the header after the file header. */
  header?: number;
  compression?: number;
  masks?: number[];
  palette?: number[][];
  isTopDown?: boolean;
}

/** Creates a bitmap from rows of pixel bytes, top row first. */
function bmp(width: number, rows: number[][], { bits, header = 40, ...more }: Form): Buffer {
  const { compression = 0, masks = [], palette = [], isTopDown = false } = more;
  const isOld = header === 12;
  const colours = palette.flatMap(([red = 0, green = 0, blue = 0]) => [
    blue,
    green,
    red,
    ...(isOld ? [] : [0]),
  ]);
  const ordered = isTopDown ? rows : [...rows].reverse();
  const isRuns = compression === 1 || compression === 2;
  const pad = (row: number[]) => [
    ...row,
    ...new Array<number>(isRuns ? 0 : (4 - (row.length % 4)) % 4).fill(0),
  ];
  const pixels = Buffer.from((isRuns ? rows : ordered).flatMap(pad));
  const info = Buffer.alloc(header + (header === 40 ? masks.length * 4 : 0));
  info.writeUInt32LE(header, 0);
  if (isOld) {
    [width, rows.length, 1, bits].forEach((value, index) => info.writeUInt16LE(value, 4 + index * 2));
  } else {
    info.writeInt32LE(width, 4);
    info.writeInt32LE(isTopDown ? -rows.length : rows.length, 8);
    info.writeUInt16LE(1, 12);
    info.writeUInt16LE(bits, 14);
    info.writeUInt32LE(compression, 16);
    info.writeUInt32LE(palette.length, 32);
    masks.forEach((mask, index) => info.writeUInt32LE(mask, 40 + index * 4));
  }
  const file = Buffer.alloc(14);
  file.write('BM');
  file.writeUInt32LE(14 + info.length + colours.length, 10);
  return Buffer.concat([file, info, Buffer.from(colours), pixels]);
}

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const pixelsOf = (bytes: Uint8Array) => {
  const { data, channels, width } = readBmp(bytes)!;
  const pixels = Array.from({ length: data.length / channels }, (_, i) => [
    ...data.slice(i * channels, (i + 1) * channels),
  ]);
  return Array.from({ length: pixels.length / width }, (_, row) =>
    pixels.slice(row * width, (row + 1) * width),
  );
};
const palette = [RED, BLUE];
const PICTURE = [
  [RED, BLUE, BLUE],
  [BLUE, RED, RED],
];

describe('readBmp', () => {
  const forms: [string, Buffer][] = [
    ['1 bit', bmp(3, [[0b01100000], [0b10000000]], { bits: 1, palette })],
    ['1 bit of OS/2', bmp(3, [[0b01100000], [0b10000000]], { bits: 1, palette, header: 12 })],
    [
      '4 bits',
      bmp(
        3,
        [
          [0x01, 0x10],
          [0x10, 0x00],
        ],
        { bits: 4, palette },
      ),
    ],
    [
      '8 bits',
      bmp(
        3,
        [
          [0, 1, 1],
          [1, 0, 0],
        ],
        { bits: 8, palette },
      ),
    ],
    [
      '8 bits from the top',
      bmp(
        3,
        [
          [0, 1, 1],
          [1, 0, 0],
        ],
        { bits: 8, palette, isTopDown: true },
      ),
    ],
    [
      '8 bits in runs',
      bmp(
        3,
        [
          [1, 1, 2, 0, 0, 0],
          [0, 3, 0, 1, 1, 0, 0, 1],
        ],
        { bits: 8, palette, compression: 1 },
      ),
    ],
    [
      '4 bits in runs',
      bmp(
        3,
        [
          [1, 0x10, 2, 0x00, 0, 0],
          [0, 3, 0x01, 0x10, 0, 1],
        ],
        { bits: 4, palette, compression: 2 },
      ),
    ],
    [
      '16 bits',
      bmp(
        3,
        [
          [0, 0x7c, 0x1f, 0, 0x1f, 0],
          [0x1f, 0, 0, 0x7c, 0, 0x7c],
        ],
        { bits: 16 },
      ),
    ],
    [
      '16 bits with masks',
      bmp(
        3,
        [
          [0, 0xf8, 0x1f, 0, 0x1f, 0],
          [0x1f, 0, 0, 0xf8, 0, 0xf8],
        ],
        { bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f] },
      ),
    ],
    [
      '24 bits',
      bmp(
        3,
        [
          [0, 0, 255, 255, 0, 0, 255, 0, 0],
          [255, 0, 0, 0, 0, 255, 0, 0, 255],
        ],
        { bits: 24 },
      ),
    ],
    [
      '32 bits',
      bmp(
        3,
        [
          [0, 0, 255, 9, 255, 0, 0, 9, 255, 0, 0, 9],
          [255, 0, 0, 9, 0, 0, 255, 9, 0, 0, 255, 9],
        ],
        { bits: 32 },
      ),
    ],
  ];
  it.each(forms)('D24 reads a bitmap with %s', (_, bytes) => {
    expect(bmpSize(bytes)).toEqual({ width: 3, height: 2 });
    expect(pixelsOf(bytes)).toEqual(PICTURE);
  });

  it('D24 reads transparency from the masks of a large header', () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const bytes = bmp(1, [[0, 0, 255, 128]], { bits: 32, header: 108, compression: 3, masks });
    expect(pixelsOf(bytes)).toEqual([[[255, 0, 0, 128]]]);
  });

  it('D24 returns null for a truncated bitmap, and terminates for any bytes', () => {
    for (const [, bytes] of forms.slice(0, 4)) expect(readBmp(bytes.subarray(0, -6))).toBeNull();
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.nat(60), fc.nat(255), ([, bytes], at, value) => {
        const changed = Buffer.from(bytes);
        // The caller checks the size.
        if (at < 18 || at > 25) changed[at % changed.length] = value;
        expect(() => readBmp(changed)).not.toThrow();
      }),
    );
  });

  it('D24 shows a bitmap as the same picture', async () => {
    const bytes = forms[9]![1];
    const asset = (await prepareAssets(['a.bmp'], () => Promise.resolve(bytes))).get('a.bmp');
    if (asset === undefined || 'missing' in asset) throw new Error('the picture is missing');
    expect(asset).toMatchObject({ extension: 'png', width: 3, height: 2 });
    const raw = await sharp(asset.bytes).raw().toBuffer();
    expect([...raw]).toEqual(PICTURE.flat(2));
  });
});

describe('damaged images', () => {
  const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * 7_919) % 251));
  const image = () => sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });
  const prepared = async (bytes: Uint8Array) =>
    (await prepareAssets(['a'], () => Promise.resolve(bytes))).get('a')!;

  it('D24 omits a truncated picture, and repairs one that only lacks its end', async () => {
    const png = await image().png().toBuffer();
    const jpeg = await image().jpeg().toBuffer();
    for (const cut of [
      png.subarray(0, png.length / 2),
      png.subarray(0, 33),
      jpeg.subarray(0, jpeg.length / 2),
    ])
      expect(await prepared(cut)).toEqual({ missing: 'unreadable' });
    const broken = Buffer.from(png);
    broken[200]! ^= 0xff;
    expect(await prepared(broken)).toEqual({ missing: 'unreadable' });
    expect(await prepared(png.subarray(0, -12))).toMatchObject({ extension: 'png', width: 64, height: 48 });
    expect(await prepared(jpeg.subarray(0, -2))).toMatchObject({ extension: 'jpeg', width: 64, height: 48 });
    expect(await prepared(png)).toMatchObject({ bytes: png });
  });

  it('D24 does not report a picture as damaged if its format is not read', async () => {
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(40)]);
    expect(await prepared(heic)).toEqual({ missing: 'other_format' });
    expect(await prepared(Buffer.from('no image'))).toEqual({ missing: 'unreadable' });
  });
});
