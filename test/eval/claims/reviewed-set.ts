import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CitedPassage } from '#writing/citations.js';

const FOLDER = join(process.cwd(), 'test/fixtures/claims');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as T;

interface Source {
  id: string;
  title: string;
  author: string;
  date: string;
  language: string;
  passages: { label: string; heading_path: string[]; text: string }[];
}

interface Sentence {
  source: string;
  language: string;
  sentence: string;
  /** What is wrong with a dishonest sentence; absent for an honest one. */
  wrong?: string;
}

/** Ten invented sources in three languages, cut into passages. Their author knew no rule of the product. */
export const sources: Source[] = readdirSync(join(FOLDER, 'sources'))
  .sort()
  .map((file) => read<Source>(`sources/${file}`));

/** 200 honest and 60 dishonest sentences about the sources. The set is frozen: no rule is added for a sentence of it. */
export const sentences: Sentence[] = [
  ...read<Sentence[]>('honest.json'),
  ...read<Sentence[]>('dishonest.json'),
];

/** 100 short sentences from passages, each honest and with exchanged roles, or cause and effect. */
export const rolePairs: { source: string; label: string; honest: string; exchanged: string }[] =
  read('roles.json');

/** Returns the passages of a source. */
export const passagesOf = ({ id, title, author, date, passages }: Source): CitedPassage[] =>
  passages.map((passage) => ({
    ...passage,
    source_id: id,
    source_title: title,
    author,
    date,
    span: { start: 0, end: passage.text.length },
  }));

/** A text of sentences about one source in one language, in an order that tells nothing. */
export interface Draft {
  name: string;
  source: Source;
  sentences: Sentence[];
  text: string;
}

/** Returns the drafts in which the sentences are reviewed: one for each source and language. */
export function drafts(): Draft[] {
  return sources.flatMap((source) =>
    [...new Set(sentences.map(({ language }) => language))].flatMap((language) => {
      const own = sentences.filter((one) => one.source === source.id && one.language === language);
      if (own.length === 0) return [];
      const shuffled = own.toSorted((a, b) => mixed(a.sentence) - mixed(b.sentence));
      const text = `${shuffled.map(({ sentence }) => sentence).join('\n\n')}\n`;
      return [{ name: `${source.id}-${language}`, source, sentences: shuffled, text }];
    }),
  );
}

/** Returns a number that orders sentences without regard to their meaning. */
function mixed(text: string): number {
  let state = 7;
  for (const letter of text) state = (Math.imul(state, 31) + letter.codePointAt(0)!) >>> 0;
  return state;
}
