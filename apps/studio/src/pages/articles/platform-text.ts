import { lengthOn, limitsOf } from '#article/contract/platforms.js';

/** Platform for which an article is rewritten. */
export type Platform = keyof typeof limitsOf;
export const PLATFORMS = Object.keys(limitsOf) as Platform[];

export const isPlatform = (name: string): name is Platform => name in limitsOf;

/** A figure with the platform's limit. */
export interface Measure {
  name: 'characters' | 'words' | 'parts' | 'heading';
  is: number;
  most: number;
}

const BETWEEN_POSTS = /\n\n---\n\n/;
const SCENE = /^\*\*Scene \d+\*\*\n\n/m;
const TITLE = /^(?:Subject: |# )(.*)\n\n/;

/** Splits a downloaded text into its title and its parts: posts, scenes, or one text. */
export function splitPiece(platform: Platform, text: string): { title: string | null; parts: string[] } {
  const title = TITLE.exec(text)?.[1] ?? null;
  const body = text.replace(TITLE, '').trimEnd();
  if (platform === 'x_thread') return { title, parts: body.split(BETWEEN_POSTS) };
  if (platform !== 'video_script') return { title, parts: [body] };
  const parts = body.split(SCENE).map((part) => part.trim());
  return { title, parts: parts.filter((part) => part !== '') };
}

/** Returns the length of a part with its limit; null for newsletters, because their parts are not separated. */
export function lengthOf(platform: Platform, part: string): Measure | null {
  if (platform === 'newsletter') return null;
  return { name: 'characters', is: lengthOn(platform, part), most: limitsOf[platform].partLength };
}

/** Returns the figures of a whole text with the limits of its platform (A14). */
export function measuresOf(platform: Platform, title: string | null, parts: readonly string[]): Measure[] {
  const limits = limitsOf[platform];
  const words = parts.reduce((sum, part) => sum + (part.match(/\S+/g)?.length ?? 0), 0);
  return [
    ...(title === null ? [] : [{ name: 'heading' as const, is: title.length, most: limits.titleLength }]),
    { name: 'words', is: words, most: limits.words },
    ...(limits.parts > 1 && platform !== 'newsletter'
      ? [{ name: 'parts' as const, is: parts.length, most: limits.parts }]
      : []),
  ];
}
