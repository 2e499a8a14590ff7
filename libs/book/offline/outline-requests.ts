import type { OutlinedChapter } from '../graph/ports.js';
import type { OutlineOperation } from '../outline/operations.js';

/** Requests as operations. `cannot` contains requests that the rules did not understand, in the author's words. */
interface ReadRequests {
  operations: OutlineOperation[];
  cannot: string[];
}

/** Characters of a request that the rules read. */
const LONGEST = 500;
const MAX_REQUESTS = 50;

const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ');
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth'.split(
    ' ',
  );

/**
 * Reads ordinary requests for changes of an outline without a model: remove, move, swap, merge, rename and add
 * chapters, named by number, ordinal or title.
 */
export function readOutlineRequests(feedback: string, chapters: OutlinedChapter[]): ReadRequests {
  const read: ReadRequests = { operations: [], cannot: [] };
  for (const request of requestsIn(feedback)) {
    const operations = operationsOf(request, chapters);
    if (operations) read.operations.push(...operations);
    else read.cannot.push(`"${request}" was not understood.`);
  }
  return read;
}

function requestsIn(feedback: string): string[] {
  return feedback
    .split(
      /\n|(?<=[.;!])\s+|,? (?:and then|then) (?=(?:please )?(?:remove|delete|drop|move|swap|merge|rename|add)\b)/i,
    )
    .flatMap((line) =>
      line
        .slice(0, LONGEST)
        .split(/,? and (?=(?:remove|delete|drop|move|swap|merge|rename|add|insert|combine) )/i),
    )
    .map((line) => tidy(line))
    .filter((line) => line !== '')
    .slice(0, MAX_REQUESTS);
}

function tidy(line: string): string {
  return line
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.;!?]$/, '')
    .replace(/^[-*•] /, '')
    .replace(/^(?:and|then|also|next|finally),? /i, '')
    .replace(
      /^(?:please|(?:could|can) (?:you|we)(?: please)?|i (?:would like|want) (?:you )?to|let us|let's|we should) /i,
      '',
    )
    .replace(/,? please$/i, '')
    .replace(WISH, 'add ');
}

/** Wishes for a new chapter: `the book needs a chapter on …`. */
const WISH =
  /^(?:there should be|there must be|(?:the book|it) (?:also )?needs|(?:we|i) (?:also )?(?:need|want)|i would like) (?=(?:a|an|another|one) (?:\w{1,10} )?chapter )/i;

type Reader = (groups: string[], chapters: OutlinedChapter[]) => OutlineOperation[] | null;

const FORMS: [RegExp, Reader][] = [
  [/^(?:remove|delete|drop|cut|get rid of|take out|leave out) (.+)$/i, ([what = ''], of) => remove(what, of)],
  [
    /^(?:swap|switch|exchange) the (first|last) two(?: chapters)?$/i,
    ([which = ''], of) => {
      const later = which.toLowerCase() === 'first' ? 2 : of.length;
      return swap(String(later - 1), String(later), of);
    },
  ],
  [/^(?:swap|switch|exchange) (.+?) (?:and|with|for) (.+)$/i, ([a = '', b = ''], of) => swap(a, b, of)],
  [
    /^(?:merge|combine|join|unite) (.+?)(?: into (?:one|a single)(?: chapter)?)?(?:,? (?:called|named|titled|as|into|under the title) ["“„]?([^"”“]+)["”“]?)?$/i,
    ([what = '', title = ''], of) => merge(what, title, of),
  ],
  [
    /^(?:rename|retitle|call|title) (.+?) (?:to|as|into|:) ?["“„]?([^"”“]+)["”“]?$/i,
    ([what = '', title = ''], of) => rename(what, title, of),
  ],
  [/^call (.+?) ["“„]([^"”“]+)["”“]$/i, ([what = '', title = ''], of) => rename(what, title, of)],
  [
    /^(?:change|set) the (?:title|name) of (.+?) to ["“„]?([^"”“]+)["”“]?$/i,
    ([what = '', title = ''], of) => rename(what, title, of),
  ],
  [
    /^(?:move|put|place|shift) (.+?) (before|after|in front of|behind|to (?:the )?(?:end|beginning|start|front|top)|(?:to be|as) (?:the )?(?:first|last))(?: (.+))?$/i,
    ([what = '', where = '', other = ''], of) => move(what, where, other, of),
  ],
  [
    /^(?:i would like|i want)? ?(.+?) (?:to|should|must) (?:come|go|be) (first|last|before|after)(?: (.+))?$/i,
    ([what = '', where = '', other = ''], of) => move(what, where, other, of),
  ],
  [
    /^make (.+?) (?:the )?(first|last)(?: chapter| one)?$/i,
    ([what = '', where = ''], of) => move(what, where, '', of),
  ],
  [
    /^(?:add|insert|include|write|create) (?:(?:a |an |one )?(?:new |another |final |last |first |opening )?chapter )(?:about |on |called |named |titled |for |with the title )?(.+?)(?: (before|after|between|at the (?:end|beginning|start)|as the (?:first|last)(?: chapter)?)(?: (.+))?)?$/i,
    ([what = '', where = '', other = ''], of) => add(what, where, other, of),
  ],
  [/^add ["“„]([^"”“]+)["”“]$/i, ([what = ''], of) => add(what, '', '', of)],
];

function operationsOf(request: string, chapters: OutlinedChapter[]): OutlineOperation[] | null {
  for (const [form, read] of FORMS) {
    const match = form.exec(request);
    const operations = match && read(match.slice(1), chapters);
    if (operations) return operations;
  }
  return null;
}

/** Finds the chapter that words name (a number, an ordinal, "the last chapter" or a title), or returns null. */
function chapterNamed(words: string, chapters: OutlinedChapter[]): number | null {
  const text = words.trim().replace(/^["“„]|["”“]$/gu, '');
  const byTitle = chapters.find(({ title }) => title.toLowerCase() === text.toLowerCase());
  if (byTitle) return byTitle.number;
  const bare = text
    .toLowerCase()
    .replace(/^(?:the |my )/, '')
    .replace(/^chapters? (?:number |no\. ?|#)?/, '')
    .replace(/ (?:chapter|one)$/, '')
    .replace(/^["“„]|["”“]$/gu, '')
    .replace(/^#/, '');
  if (bare === 'last' || bare === 'final') return chapters.at(-1)?.number ?? null;
  const spelled = Math.max(NUMBERS.indexOf(bare), ORDINALS.indexOf(bare)) + 1;
  const number = /^\d{1,3}(?:st|nd|rd|th)?$/.test(bare) ? Number.parseInt(bare, 10) : spelled;
  if (number > 0) return number;
  const named = chapters.find(({ title }) => title.toLowerCase() === bare);
  return (named ?? aboutSubject(bare, chapters))?.number ?? null;
}

/** Finds the one chapter whose title has the words of `the chapter on storms` or `the one about the keepers`. */
function aboutSubject(words: string, chapters: OutlinedChapter[]): OutlinedChapter | undefined {
  const subject = /^(?:chapter |one )?(?:on|about) (?:the )?(.{3,80})$/.exec(words)?.[1];
  if (subject === undefined) return undefined;
  const found = chapters.filter(({ title }) => ` ${title.toLowerCase()} `.includes(` ${subject} `));
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the chapters of a list such as "2, 3 and 4"; null if any of them is unknown. */
function chaptersNamed(words: string, chapters: OutlinedChapter[]): number[] | null {
  const whole = chapterNamed(words, chapters);
  if (whole !== null) return [whole];
  const range = /^(?:the )?chapters? (\d{1,3}) ?(?:-|–|to|through) ?(\d{1,3})$/i.exec(words);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    return from < to && to - from < 20 ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : null;
  }
  const named = words.split(/,? and |, ?| with /i).map((part) => chapterNamed(part, chapters));
  return named.length > 1 && named.every((number) => number !== null) ? (named as number[]) : null;
}

const reason = '';

function remove(what: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  return chaptersNamed(what, of)?.map((chapter) => ({ op: 'remove', chapter, reason })) ?? null;
}

function swap(one: string, other: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  const named = [chapterNamed(one, of), chapterNamed(other, of)];
  const [a, b] = named.filter((number) => number !== null).sort((x, y) => x - y);
  if (a === undefined || b === undefined || a === b) return null;
  if (b === a + 1) return [{ op: 'move', chapter: b, after: a - 1, reason }];
  return [
    { op: 'move', chapter: a, after: b, reason },
    { op: 'move', chapter: b, after: a - 1, reason },
  ];
}

function merge(what: string, title: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  const chapters = chaptersNamed(what, of);
  if (!chapters || chapters.length < 2) return null;
  const name = title.trim().slice(0, 300);
  return [{ op: 'merge', chapters, ...(name === '' ? {} : { title: name }), reason }];
}

function rename(what: string, title: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  const chapter = chapterNamed(what, of);
  return chapter === null ? null : [{ op: 'rename', chapter, title: title.trim().slice(0, 300), reason }];
}

function move(what: string, where: string, other: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  const chapter = chapterNamed(what, of);
  const after = chapter === null ? null : placeOf(where.toLowerCase(), other, of);
  return chapter === null || after === null ? null : [{ op: 'move', chapter, after, reason }];
}

function add(what: string, where: string, other: string, of: OutlinedChapter[]): OutlineOperation[] | null {
  const after = where === '' ? of.length : placeOf(where.toLowerCase(), other, of);
  const name = what.trim().replace(/^["“„]|["”“]$/gu, '');
  if (after === null || name === '') return null;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`.slice(0, 300);
  return [{ op: 'add', after, title, reason }];
}

/** Returns the number of the chapter before a place; 0 for the beginning, null if the place is unknown. */
function placeOf(where: string, other: string, of: OutlinedChapter[]): number | null {
  if (/first|beginning|start|front$|top/.test(where) && other === '') return 0;
  if (/last|end$/.test(where) && other === '') return of.length;
  const between = where === 'between' ? other.split(/ and /i) : [other];
  const number = chapterNamed(between[0] ?? '', of);
  if (number === null) return null;
  return /^(?:before|in front of)/.test(where) ? number - 1 : number;
}
