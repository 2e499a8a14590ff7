/** Largest difference of a colour, of 255, that equal pixels may have: letters have other edges in each release of Chromium. */
const SAME_COLOUR = 64;
/** Largest difference of heights and widths, in pixels. */
const SAME_SIZE = 2;

/** Returns the pixels of a PNG. */
async function pixelsOf(base64: string): Promise<ImageData> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, picture.width, picture.height);
}

/** Returns the share of pixels in which two PNGs differ; 1 if their sizes do. */
export async function differenceOf(expected: string, actual: string): Promise<number> {
  const [one, other] = await Promise.all([pixelsOf(expected), pixelsOf(actual)]);
  const isOtherSize = (side: 'width' | 'height') => Math.abs(one[side] - other[side]) > SAME_SIZE;
  if (isOtherSize('width') || isOtherSize('height')) return 1;
  const width = Math.min(one.width, other.width);
  const height = Math.min(one.height, other.height);
  let different = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (picture: ImageData, colour: number) => picture.data[(y * picture.width + x) * 4 + colour]!;
      if ([0, 1, 2].some((colour) => Math.abs(at(one, colour) - at(other, colour)) > SAME_COLOUR))
        different++;
    }
  return different / (width * height);
}
