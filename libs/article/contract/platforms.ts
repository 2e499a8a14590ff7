import type { Platform } from './repurpose.js';

/** Limits of a platform, with lengths as the platform counts them. */
interface PlatformLimits {
  /** Maximum number of parts: posts of a thread, scenes of a video. */
  parts: number;
  /** Maximum length of a part including its additions: hashtags in the last part, the number in a thread. */
  partLength: number;
  /** Maximum number of words of all parts: a minute of speech, a letter that people read to the end. */
  words: number;
  hashtags: number;
  /** Maximum length of the title; 0 for platforms without titles. */
  titleLength: number;
}

export const limitsOf: Record<Platform, PlatformLimits> = {
  linkedin: { parts: 1, partLength: 3_000, words: 500, hashtags: 5, titleLength: 0 },
  x_thread: { parts: 25, partLength: 280, words: 1_000, hashtags: 2, titleLength: 0 },
  newsletter: { parts: 12, partLength: 1_500, words: 600, hashtags: 0, titleLength: 60 },
  video_script: { parts: 8, partLength: 400, words: 150, hashtags: 3, titleLength: 100 },
};

/** Letters of other scripts after an address start the next word. */
const X_ADDRESS = /\bhttps?:\/\/[\x21-\x7e\u00c0-\u024f\u0400-\u04ff]{1,2000}/gi;
/** Addresses without a protocol: a two-letter ending counts only after two names, or before a path. */
const X_BARE_ADDRESS =
  /(?<![\w@.-])(?:(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|int|info|biz|app|dev|blog|shop|store|online|site|tech|cloud|news|page|live|xyz|tv|co)|(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2}|[a-z0-9-]{1,63}\.[a-z]{2}(?=\/))(?![\w-])(?:\/[\x21-\x7e\u00c0-\u024f\u0400-\u04ff]{0,2000})?/gi;
/** Length that X counts for any address. */
const X_ADDRESS_LENGTH = 23;
const X_LIGHT: readonly (readonly [number, number])[] = [
  [0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/**
 * Returns the length of a text as a platform counts it. On X, addresses count 23, Latin and similar letters
 * 1, other letters and emoji 2.
 */
export function lengthOn(platform: Platform, text: string): number {
  if (platform !== 'x_thread') return text.length;
  let length = 0;
  const counted = (address: string) => {
    length += X_ADDRESS_LENGTH;
    return behindAddress(address);
  };
  const rest = text.normalize('NFC').replace(X_ADDRESS, counted).replace(X_BARE_ADDRESS, counted);
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(rest)) {
    if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment) && segment.length > 1) length += 2;
    else for (const char of segment) length += weight(char.codePointAt(0)!);
  }
  return length;
}

/** Returns the marks after an address that end a sentence or close a bracket. */
function behindAddress(address: string): string {
  let end = address.length;
  while (end > 0 && !/[\p{L}\p{N}/=#&_~-]/u.test(address[end - 1]!)) end--;
  return address.slice(end);
}

const weight = (point: number): number =>
  X_LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
