import type { Platform } from '#contracts/kinds/article/repurpose.js';

/** What a platform takes; lengths as the platform itself counts them. */
export interface PlatformLimits {
  /** Parts of a piece: posts of a thread, scenes of a video. */
  parts: number;
  /** The length of one part with all that is published with it: hashtags in the last, the number in a thread. */
  partLength: number;
  /** Words of all parts together: a minute of speech, a letter that is read to its end. */
  words: number;
  hashtags: number;
  /** The length of the title; 0 where there is none. */
  titleLength: number;
}

export const limitsOf: Record<Platform, PlatformLimits> = {
  linkedin: { parts: 1, partLength: 3_000, words: 500, hashtags: 5, titleLength: 0 },
  x_thread: { parts: 25, partLength: 280, words: 1_000, hashtags: 2, titleLength: 0 },
  newsletter: { parts: 12, partLength: 1_500, words: 600, hashtags: 0, titleLength: 60 },
  video_script: { parts: 8, partLength: 400, words: 150, hashtags: 3, titleLength: 100 },
};

const X_ADDRESS = /\bhttps?:\/\/\S{1,2000}/gi;
/** What X counts any address as. */
const X_ADDRESS_LENGTH = 23;
const X_LIGHT: readonly (readonly [number, number])[] = [
  [0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/** The length of a text as a platform counts it. X: addresses as 23, letters of Latin and its neighbours as 1, others and emoji as 2. */
export function lengthOn(platform: Platform, text: string): number {
  if (platform !== 'x_thread') return text.length;
  const addresses = text.match(X_ADDRESS)?.length ?? 0;
  const rest = text.normalize('NFC').replace(X_ADDRESS, '');
  let length = addresses * X_ADDRESS_LENGTH;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(rest)) {
    if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment) && segment.length > 1) length += 2;
    else for (const char of segment) length += weight(char.codePointAt(0)!);
  }
  return length;
}

const weight = (point: number): number =>
  X_LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
