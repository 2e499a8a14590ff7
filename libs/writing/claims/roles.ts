import { folded } from './known-words.js';
import { nameWords, type WordUse } from './names.js';
import { ARTICLE, AUXILIARY, IS, ROLE_WORDS } from './role-words.js';

/** A person to whom a sentence gives the role or the deed of another one. */
export interface Swap {
  name: string;
  other: string;
}

/** The people of a passage as far as its sentences say plainly who is what and who did what. */
export interface People {
  names: ReadonlySet<string>;
  /** Names beside each role, by the beginning of its word. */
  roles: ReadonlyMap<string, string[][]>;
  /** How often each role is named, with or without a name beside it. */
  mentions: ReadonlyMap<string, number>;
  sentences: Deed[][];
  /** Pairs of names that stand together and so are one person. */
  full: ReadonlySet<string>;
}

/** `Roe seconded`: a name and the verb behind it. */
interface Deed {
  name: string;
  verb: string;
  /** Names behind the verb. */
  after: string[];
}

interface Word {
  text: string;
  at: number;
  end: number;
  isName: boolean;
  role: string | null;
}

const patterns = new Map(
  Object.entries(ROLE_WORDS).map(
    ([language, words]) => [language, new RegExp(`^(${words})\\p{L}{0,4}$`, 'iu')] as const,
  ),
);
/** Returns whether the words for roles of a language are known. */
export const hasRoles = (language: string | null): language is string => patterns.has(language ?? '');

const BETWEEN_IS = new RegExp(`^ (?:${IS})(?: (?:${ARTICLE}))?(?: \\p{Ll}{2,12}){0,2} $`, 'iu');
const BETWEEN_COMMA = new RegExp(`^,(?: (?:${ARTICLE}|l['’]))?(?: \\p{Ll}{2,12})? $`, 'iu');
const ROLE_IS = new RegExp(`^ (?:${IS}) $`, 'iu');

function wordsOf(sentence: string, names: ReadonlySet<string>, language: string): Word[] {
  const role = patterns.get(language);
  return Array.from(sentence.matchAll(/\p{L}+(?:-\p{L}+)*/gu), ({ 0: text, index: at }) => ({
    text,
    at,
    end: at + text.length,
    isName: names.has(text),
    role: role?.exec(text)?.[1]?.toLowerCase() ?? null,
  }));
}

/** Returns the names that a sentence gives to each role. */
function rolesIn(sentence: string, words: Word[]): { role: string; names: string[] }[] {
  return words.flatMap(({ role, at, end, isName }, i) => {
    if (role === null || isName) return [];
    const behind = runFrom(words, i + 1, 1);
    const before = runFrom(words, i - 1, -1);
    const gapBehind = behind[0] ? sentence.slice(end, behind[0].at) : '';
    const last = before.at(-1);
    const gapBefore = last ? sentence.slice(last.end, at) : '';
    const near = nearestBefore(words, i);
    const gap = near.at(-1) ? sentence.slice(near.at(-1)!.end, at) : gapBefore;
    // In `Deborah Finch, production manager, Northgate Press` the second name is that of the firm.
    const isApposition = gapBehind === ', ' && near.length > 0 && BETWEEN_COMMA.test(gap);
    if (
      behind.length > 0 &&
      !isApposition &&
      (gapBehind === ' ' || gapBehind === ', ' || ROLE_IS.test(gapBehind))
    )
      return [{ role, names: behind.map(({ text }) => text) }];
    if (near.length > 0 && (BETWEEN_IS.test(gap) || BETWEEN_COMMA.test(gap)))
      return [{ role, names: near.map(({ text }) => text) }];
    return [];
  });
}

/** Returns the names in a row that begin beside a word; behind a form of `to be` in the next place but one. */
function runFrom(words: Word[], from: number, step: 1 | -1): Word[] {
  const start =
    step === 1 && words[from] && !words[from].isName && ROLE_IS.test(` ${words[from].text} `)
      ? from + 1
      : from;
  const run: Word[] = [];
  for (let i = start; words[i]?.isName; i += step) run.push(words[i] as Word);
  return step === 1 ? run : run.reverse();
}

const FEW_WORDS = 5;

/** Returns the names in a row that end a few words before a word. */
function nearestBefore(words: Word[], i: number): Word[] {
  for (let at = i - 1; at >= Math.max(0, i - FEW_WORDS); at--)
    if (words[at]?.isName) return runFrom(words, at, -1);
  return [];
}

/** Returns the verbs directly behind names, with the names behind them. */
function deedsIn(sentence: string, words: Word[]): Deed[] {
  return words.flatMap(({ isName, text, end }, i): Deed[] => {
    const verb = words[i + 1];
    if (!isName || !verb || sentence.slice(end, verb.at) !== ' ') return [];
    if (!/^\p{Ll}{4,}$/u.test(verb.text) || AUXILIARY.test(verb.text)) return [];
    const isPassive = /^ (?:by|von|przez|par|por)(?!\p{L})/u.test(sentence.slice(verb.end));
    if (isPassive) return [];
    const after = words.slice(i + 2).flatMap((word) => (word.isName ? [word.text] : []));
    return [{ name: text, verb: stemOf(verb.text), after }];
  });
}

const stemOf = (verb: string): string => folded(verb).slice(0, Math.max(4, verb.length - 2));

/** Reads who is what and who did what in a passage. Linear. */
export function peopleIn(sentences: string[], language: string, use: WordUse): People {
  const names = new Set(sentences.flatMap((sentence) => nameWords(sentence, language, use)));
  const roles = new Map<string, string[][]>();
  const mentions = new Map<string, number>();
  const full = new Set<string>();
  const deeds = sentences.map((sentence) => {
    const words = wordsOf(sentence, names, language);
    for (const { role, isName } of words)
      if (role !== null && !isName) mentions.set(role, (mentions.get(role) ?? 0) + 1);
    for (const { role, names: own } of rolesIn(sentence, words))
      roles.set(role, [...(roles.get(role) ?? []), own]);
    words.forEach((word, i) => {
      const next = words[i + 1];
      if (word.isName && next?.isName && next.at - word.end <= 2) full.add(pairOf(word.text, next.text));
    });
    return deedsIn(sentence, words);
  });
  return { names, roles, mentions, sentences: deeds, full };
}

const pairOf = (a: string, b: string): string => [a, b].sort().join(' ');

/** Returns the first person in a sentence to whom it gives what the passage says of another one; null if there is none. */
export function swapIn(sentence: string, people: People, language: string): Swap | null {
  const words = wordsOf(sentence, people.names, language);
  const isSame = (a: string, b: string) => a === b || people.full.has(pairOf(a, b));
  for (const { role, names } of rolesIn(sentence, words)) {
    const known = people.roles.get(role) ?? [];
    const isOne = known.length > 0 && known.length === people.mentions.get(role);
    const others = known.flat();
    const isOther = names.every((name) => !others.some((other) => isSame(name, other)));
    const isOnePerson = others.every((other) =>
      others.every((one) => isSame(one, other) || areOneRun(known, one, other)),
    );
    if (isOne && isOther && isOnePerson)
      return { name: names.join(' '), other: (known[0] as string[]).join(' ') };
  }
  for (const { name, verb, after } of deedsIn(sentence, words))
    for (const other of after) {
      if (isSame(name, other)) continue;
      const deeds = people.sentences.flat().filter((deed) => deed.verb === verb);
      const isReversed =
        deeds.length > 0 &&
        deeds.every((deed) => isSame(deed.name, other) && deed.after.some((one) => isSame(one, name)));
      if (isReversed) return { name, other };
    }
  return null;
}

const areOneRun = (runs: string[][], a: string, b: string): boolean =>
  runs.some((run) => run.includes(a) && run.includes(b));
