import { singleSpaced } from '#contracts/text.js';
import type { Finding } from '#contracts/findings.js';
import type { Piece } from '../contract/repurpose.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { finding } from '#writing/findings.js';
import { withoutNotes } from '#writing/sentences.js';
import { countWords } from '#writing/words.js';
import { lengthOn, limitsOf } from '../contract/platforms.js';

type Unchecked = Omit<Piece, 'findings'>;

const error = (rule: string, message: string): Finding =>
  finding('', [], { rule, severity: 'error', message });

/** Returns the violations of the platform's limits; empty if the piece can be published (A14). */
export function limitFindings(piece: Unchecked): Finding[] {
  const { platform, title, parts, hashtags } = piece;
  const limits = limitsOf[platform];
  const words = parts.reduce((sum, part) => sum + countWords(part), 0);
  const found: Finding[] = [];
  const tell = (rule: string, is: number, most: number, what: string) => {
    if (is > most) found.push(error(rule, `${what}: ${is}, at most ${most} on ${platform}.`));
  };
  if (parts.length === 0 || parts.some((part) => part.trim() === ''))
    found.push(error('empty_part', 'A part is empty.'));
  tell('too_many_parts', parts.length, limits.parts, 'Parts');
  publishedParts(piece).forEach((part, index) =>
    tell('part_too_long', lengthOn(platform, part), limits.partLength, `Characters of part ${index + 1}`),
  );
  tell('too_many_words', words, limits.words, 'Words');
  tell('too_many_hashtags', hashtags.length, limits.hashtags, 'Hashtags');
  tell('title_too_long', title?.length ?? 0, limits.titleLength, 'Characters of the title');
  if (limits.titleLength > 0 && !title?.trim()) found.push(error('no_title', 'It has no title.'));
  if (hashtags.some((tag) => !/^[\p{L}\p{N}_]{2,50}$/u.test(tag) || /^\p{N}+$/u.test(tag)))
    found.push(
      error(
        'no_hashtag',
        'A hashtag must consist of letters and digits, without spaces, and not only of digits.',
      ),
    );
  const inText = parts.join(' ').match(/(?<![\p{L}\p{N}&/])#[\p{L}_][\p{L}\p{N}_]*/gu)?.length ?? 0;
  tell('too_many_hashtags', hashtags.length + inText, limits.hashtags, 'Hashtags');
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/**
 * Returns the tokens of a piece that the approved article lacks: figures, dates, names, quotations,
 * addresses, code (A14).
 */
export function factFindings({ title, parts }: Pick<Piece, 'title' | 'parts'>, article: string): Finding[] {
  const text = withoutNotes(article);
  const known = new Set(tokensOf(text).map(({ kind, key }) => `${kind} ${key}`));
  const small = singleSpaced(text.toLowerCase());
  const found = new Map<string, Finding>();
  for (const part of [title ?? '', ...parts])
    for (const { kind, key, text: words } of tokensOf(part)) {
      // A piece may shorten a quotation, and in the article a name may start a sentence.
      const isThere =
        known.has(`${kind} ${key}`) ||
        (['quote', 'name'].includes(kind) && small.includes(singleSpaced(words.toLowerCase())));
      if (!isThere)
        found.set(`${kind} ${key}`, error('not_in_article', `The article does not say "${words}".`));
    }
  return [...found.values()];
}

const tokensOf = (text: string) =>
  hardTokens(text).filter(({ kind, uncertain }) => kind !== 'negation' && !uncertain);

/** Returns the parts of a piece as published: numbered in a thread, with hashtags after the last part. */
export function publishedParts({
  platform,
  parts,
  hashtags,
}: Pick<Piece, 'platform' | 'parts' | 'hashtags'>): string[] {
  const tags = hashtags.map((tag) => `#${tag}`).join(' ');
  return parts.map((part, index) => {
    const numbered =
      platform === 'x_thread' && parts.length > 1 ? `${index + 1}/${parts.length} ${part}` : part;
    if (tags === '' || index < parts.length - 1 || platform === 'video_script') return numbered;
    return `${numbered}${platform === 'linkedin' ? '\n\n' : ' '}${tags}`;
  });
}

/** Renders a piece as a text to copy from, with separate posts of a thread and scenes of a video. */
export function renderPiece(piece: Piece): string {
  const { platform, title, hashtags } = piece;
  const parts = publishedParts(piece);
  const tags =
    platform === 'video_script' && hashtags.length > 0 ? [hashtags.map((tag) => `#${tag}`).join(' ')] : [];
  const body =
    platform === 'video_script' ? parts.map((part, index) => `**Scene ${index + 1}**\n\n${part}`) : parts;
  const head = title === null ? [] : [platform === 'newsletter' ? `Subject: ${title}` : `# ${title}`];
  return `${[...head, ...body, ...tags].join(platform === 'x_thread' ? '\n\n---\n\n' : '\n\n')}\n`;
}
