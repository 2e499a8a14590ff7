import { isCapitalized, oneLine, withoutEnding } from '#contracts/text.js';
import type { Piece, Platform } from '../contract/repurpose.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { sentencesIn, withoutNotes } from '#writing/sentences.js';
import { limitFindings } from './check.js';
import { limitsOf } from '../contract/platforms.js';
import { readProse } from '#writing/style/prose.js';
import { hasInnerCapital, placedWords, smallWords } from '#writing/style/terms.js';

/**
 * Returns the names and terms of an article as hashtags, most frequent first: words capitalized within its
 * sentences.
 */
export function frequentTerms(article: string): string[] {
  const prose = readProse(article);
  const small = smallWords(prose);
  const times = new Map<string, number>();
  for (const { word, isFirst, inHeading } of placedWords(prose)) {
    const bare = word.replace(/['’].*$/, '');
    const isTerm = hasInnerCapital(bare) || (isCapitalized(bare) && !isFirst && !inHeading);
    if (isTerm && /^[\p{L}]{3,50}$/u.test(bare) && !small.has(bare.toLowerCase()))
      times.set(bare, (times.get(bare) ?? 0) + 1);
  }
  return distinctTags([...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word));
}

/** Drops tags that repeat an earlier one, or a tag in the text: in other case, with a plural "s", "_" or accents. */
export function distinctTags(tags: string[], text = ''): string[] {
  const seen = new Set((text.match(/#[\p{L}\p{N}_]{2,50}/gu) ?? []).map((tag) => keyOf(tag.slice(1))));
  return tags.filter((tag) => {
    const isNew = !seen.has(keyOf(tag));
    seen.add(keyOf(tag));
    return isNew;
  });
}

const keyOf = (tag: string): string =>
  withoutEnding(
    tag
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\p{M}_]/gu, ''),
    's',
  );

type Composed = Omit<Piece, 'findings'>;

/**
 * The parts of an article to post or read aloud: its title, and the sentences of each section, without
 * markup.
 */
interface ArticleText {
  title: string;
  sections: string[][];
}

/**
 * Composes a piece from an article by rules alone (A14): complete sentences in their order, first sentences
 * of all sections before second ones, as many as the platform allows. Invents nothing and cuts no sentence.
 */
export function composePiece(article: string, platform: Platform): Composed {
  const text = parseArticle(article);
  const { hashtags: most, titleLength } = limitsOf[platform];
  const title = titleLength === 0 ? null : shortened(text.title, titleLength) || 'Untitled';
  const hashtags = frequentTerms(article).slice(0, most);
  const fits = (parts: string[]) => limitFindings({ platform, title, parts, hashtags }).length === 0;
  const picked = text.sections.map(() => 0);
  let parts: string[] = [];
  const longest = Math.max(0, ...text.sections.map((sentences) => sentences.length));
  for (let round = 1; round <= longest; round++)
    for (const [index, sentences] of text.sections.entries()) {
      if (sentences.length < round || picked[index] !== round - 1) continue;
      picked[index] = round;
      const more = arranged(platform, text, picked);
      if (fits(more)) parts = more;
      else picked[index] = round - 1;
    }
  return { platform, title, parts, hashtags };
}

/** Arranges the selected sentences as parts of a piece. */
function arranged(platform: Platform, { title, sections }: ArticleText, picked: number[]): string[] {
  const chosen = sections
    .map((sentences, index) => sentences.slice(0, picked[index]))
    .filter(({ length }) => length > 0);
  switch (platform) {
    case 'linkedin':
      return [[title, ...chosen.map((sentences) => sentences.join(' '))].filter(Boolean).join('\n\n')];
    case 'x_thread':
      return chosen.flat();
    default:
      return chosen.map((sentences) => sentences.join(' '));
  }
}

function parseArticle(article: string): ArticleText {
  const paragraphs = splitParagraphs(article);
  const headings = paragraphs.filter(({ kind }) => kind === 'heading');
  const title = plain(headings[0]?.text.replace(/^#+\s*/, '') ?? '');
  const sections: string[][] = [];
  let last = -1;
  for (const { text, start, paragraph } of sentencesIn(article, paragraphs)) {
    if (paragraph.kind === 'table' || paragraph.kind === 'quote') continue;
    const words = plain(text);
    const section = headings.filter((heading) => heading.start < start).length;
    if (words === '' || !/[.!?…][”"»’)]{0,2}$/u.test(words)) continue;
    if (section !== last) sections.push([]);
    last = section;
    sections.at(-1)!.push(words);
  }
  return { title, sections };
}

/** Removes markup: footnote marks, emphasis and images. Links and code keep their words. */
function plain(markdown: string): string {
  return oneLine(
    withoutNotes(markdown)
      .replace(/!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)/g, '')
      .replace(/\[([^\]\n]{1,500})\]\([^)\n]{0,2000}\)/g, '$1')
      .replace(/(\*\*|__)(?=\S)([^*_\n]{1,500})\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}*])[*_](?=\S)([^*_\n]{1,500})[*_](?![\p{L}\p{N}*])/gu, '$1')
      .replace(/`([^`\n]{1,500})`/g, '$1')
      .replace(/\\([!-/:-@[-`{-~])/g, '$1'),
  );
}

/** Shortens a title at a word boundary. */
function shortened(title: string, length: number): string {
  if (title.length <= length) return title;
  return title
    .slice(0, length + 1)
    .replace(/\s+\S*$/u, '')
    .slice(0, length)
    .replace(/[\s,;:–—-]+$/u, '');
}
