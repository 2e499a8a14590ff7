import type { Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { OutlinedChapter } from '../graph/ports.js';
import type { OutlineOperation } from '../outline/operations.js';
import { chapterNamed, chaptersNamed, placeAfter } from './requests/chapters.js';
import { english } from './requests/english.js';
import { german } from './requests/german.js';
import { compileLanguage, type RequestName, type RequestPatterns } from './requests/language.js';
import { polish } from './requests/polish.js';

/** Requests as operations. `cannot` contains requests that the rules did not understand, in the author's words. */
interface ReadRequests {
  operations: OutlineOperation[];
  cannot: Detail[];
}

/** Characters of a request that the rules read. */
const LONGEST = 500;
const MAX_REQUESTS = 50;

const SPOKEN = [english, german, polish];
const LANGUAGES = SPOKEN.map(compileLanguage);
/**
 * Nouns for a chapter. A number with a full stop before one of them is an ordinal, as in `das 3. Kapitel`, unless it
 * follows one, as in `Lösche Kapitel 2. Kapitel 5 …`.
 */
const NOUNS = SPOKEN.map(({ chapter }) => chapter).join('|');
const NUMBERED = `(?:${NOUNS}) [\\d ,–-]*(?:(?:and|und|i|oraz|to|bis|do|with|mit|z) )?\\d{1,3}\\.\\s+`;
const SENTENCE_END = new RegExp(`(?<=[.;!?])\\s+(?:(?<=${NUMBERED})|(?!(?:${NOUNS})(?!\\p{L})))`, 'iu');
const BULLET = new RegExp(`^(?:[-*•] |\\d{1,2}[.)] (?!(?:${NOUNS})(?!\\p{L})))`, 'iu');
const NEXT_VERB = new RegExp(
  `,? (?:and then|and|then|und dann|und|dann|i|oraz|a potem|potem) (?=(?:(?:please|bitte|proszę) )?(?:${SPOKEN.map(({ verbs }) => verbs).join('|')}) )`,
  'iu',
);
const CONJUNCTION = /,? (?:and|und|i|oraz) |, /giu;

/**
 * Reads ordinary requests for changes of an outline without a model, in English, German and Polish: remove, move, swap,
 * merge, split, rename and add chapters, named by number, ordinal or title.
 */
export function readOutlineRequests(feedback: string, chapters: OutlinedChapter[]): ReadRequests {
  const read: ReadRequests = { operations: [], cannot: [] };
  for (const request of requestsIn(feedback)) {
    const operations = operationsOf(request, chapters) ?? operationsOfBoth(request, chapters);
    if (operations) read.operations.push(...operations);
    else read.cannot.push(phrase('outline.not_understood', { request }));
  }
  return read;
}

function requestsIn(feedback: string): string[] {
  return feedback
    .split('\n')
    .flatMap((line) => line.trim().replace(BULLET, '').split(SENTENCE_END))
    .flatMap((sentence) => sentence.replace(/\s+/g, ' ').trim().slice(0, LONGEST).split(NEXT_VERB))
    .map((request) => request.replace(/[.;!?]$/, '').trim())
    .filter((request) => request !== '')
    .slice(0, MAX_REQUESTS);
}

/** Reads two requests of a sentence that no verb separates: `Kapitel 1 löschen und Kapitel 2 ans Ende verschieben`. */
function operationsOfBoth(request: string, chapters: OutlinedChapter[]): OutlineOperation[] | null {
  for (const { index, 0: conjunction } of request.matchAll(CONJUNCTION)) {
    const one = operationsOf(request.slice(0, index), chapters);
    const other = one && operationsOf(request.slice(index + conjunction.length), chapters);
    if (other) return [...one, ...other];
  }
  return null;
}

function operationsOf(request: string, chapters: OutlinedChapter[]): OutlineOperation[] | null {
  for (const language of LANGUAGES) {
    const bare = withoutCourtesy(request).replace(language.opening, '').replace(language.closing, '');
    for (const text of new Set([bare, request]))
      for (const [name, form] of language.forms) {
        const groups = form.exec(text)?.groups;
        const operations = groups && READERS[name](groups, { chapters, language });
        if (operations) return operations;
      }
  }
  return null;
}

/** Drops "please" within a request; a quoted title is kept as it is. */
const withoutCourtesy = (request: string): string =>
  /["“”„«»]/u.test(request) ? request : request.replace(/ (?:please|bitte|proszę)(?= )/giu, '');

interface Known {
  chapters: OutlinedChapter[];
  language: RequestPatterns;
}
type Groups = Record<string, string | undefined>;
type Reader = (groups: Groups, known: Known) => OutlineOperation[] | null;

const reason = '';
const MAX_TITLE = 300;

const READERS: Record<RequestName, Reader> = {
  remove: ({ what = '' }, known) =>
    chaptersNamed(what, known)?.map((chapter) => ({ op: 'remove', chapter, reason })) ?? null,

  swap({ what = '', other }, known) {
    const both =
      other === undefined
        ? chaptersNamed(what, known)
        : [chapterNamed(what, known), chapterNamed(other, known)];
    const [a, b] = (both ?? []).filter((number) => number !== null).sort((x, y) => x - y);
    if (both?.length !== 2 || a === undefined || b === undefined || a === b) return null;
    if (b === a + 1) return [{ op: 'move', chapter: b, after: a - 1, reason }];
    return [
      { op: 'move', chapter: a, after: b, reason },
      { op: 'move', chapter: b, after: a - 1, reason },
    ];
  },

  merge({ what = '', title }, known) {
    const chapters = chaptersNamed(what, known);
    if (!chapters || chapters.length < 2) return null;
    return [{ op: 'merge', chapters, ...(title === undefined ? {} : { title: titleFrom(title) }), reason }];
  },

  split({ what = '', title, second }, known) {
    const chapter = chapterNamed(what, known);
    if (chapter === null) return null;
    const titles =
      title === undefined || second === undefined ? {} : { titles: [title, second].map(titleFrom) };
    return [{ op: 'split', chapter, ...titles, reason }];
  },

  rename({ what = '', title = '' }, known) {
    const chapter = chapterNamed(what, known);
    return chapter === null ? null : [{ op: 'rename', chapter, title: titleFrom(title), reason }];
  },

  move({ what = '', place, first, last, after: other }, known) {
    const chapter = chapterNamed(what, known);
    if (chapter === null) return null;
    const edge = first !== undefined ? 0 : last !== undefined ? known.chapters.length : null;
    const after =
      edge ?? (other === undefined ? placeAfter(place ?? '', chapter, known) : chapterNamed(other, known));
    return after === null ? null : [{ op: 'move', chapter, after, reason }];
  },

  add({ what, title, place, opening, ending }, known) {
    const edge = opening === undefined ? known.chapters.length : 0;
    const after = place === undefined ? edge : placeAfter(place, null, known);
    const name = title ?? opening ?? ending ?? what;
    const shown = title ?? (name === undefined ? null : subjectOf(name, known.language));
    return after === null || shown === null ? null : [{ op: 'add', after, title: titleFrom(shown), reason }];
  },
};

const titleFrom = (text: string): string => text.trim().slice(0, MAX_TITLE);

/** Returns the title of a new chapter; null for words that name an existing one or add a condition. */
function subjectOf(words: string, { titleOf, conditions, numbers }: RequestPatterns): string | null {
  const quoted = /^["“„«»](.+)["”“«»]$/u.exec(words)?.[1];
  if (quoted !== undefined) return titleOf(quoted);
  const isNumber = /^\d/.test(words) || numbers.includes(words.split(' ')[0]!.toLowerCase());
  return isNumber || conditions.test(words) ? null : titleOf(words);
}
