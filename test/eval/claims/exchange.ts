import type { CitedPassage } from '#writing/citations.js';
import { datesIn, clockTimesIn } from '#writing/claims/calendar.js';
import { figuresIn } from '#writing/claims/figures.js';
import { namesIn, wordUseIn } from '#writing/claims/names.js';
import { sentencesIn } from '#writing/sentences.js';

/** Returns whole numbers below `n`, the same ones for the same seed. */
export function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A sentence of a passage in which one item, or the roles of two, were exchanged. */
export interface Exchanged {
  kind: 'figure' | 'date' | 'name' | 'roles';
  passage: CitedPassage;
  /** The sentence of the passage, and what became of it. */
  before: string;
  sentence: string;
}

const NAMES =
  'Abelard Brankovic Castellan Dunmore Eskildsen Fairweather Grabowiec Hollander Ingersoll Jaworek Kettering Lachmann Merriweather Nordqvist Oberlin Pennington Quarles Rademaker Sandoval Thornbury Ulvestad Vandermeer Wetherby Yarmolinsky Zuckermann'.split(
    ' ',
  );
const MONTHS: Record<string, string> = {
  en: 'January February April June July August September October November December',
  de: 'Januar Februar April Juni Juli August September Oktober November Dezember',
  pl: 'stycznia lutego kwietnia czerwca lipca sierpnia września października listopada grudnia',
};

/**
 * Exchanges one figure, date or name of sentences of passages by a random one, or two names or figures of a sentence with
 * each other. Knows no source and no rule of the product but how items are found.
 *
 * @param language of the passages
 */
export function exchange(
  passages: CitedPassage[],
  language: string,
  random: (n: number) => number,
): Exchanged[] {
  const use = wordUseIn(passages.map(({ text }) => text).join('\n'));
  return passages.flatMap((passage) =>
    sentencesIn(passage.text)
      .map(({ text }) => text.replace(/\s+/g, ' '))
      .flatMap((before) => {
        const made = (kind: Exchanged['kind'], sentence: string): Exchanged[] =>
          sentence === before ? [] : [{ kind, passage, before, sentence }];
        return [
          ...made('figure', withOtherFigure(before, language, random)),
          ...made('date', withOtherDate(before, language, random)),
          ...made('name', withOtherName(before, namesIn(before, language, use), random)),
          ...made('roles', withNamesExchanged(before, namesIn(before, language, use))),
          ...made('roles', withFiguresExchanged(before, language)),
        ];
      }),
  );
}

const splice = (text: string, at: number, end: number, words: string): string =>
  text.slice(0, at) + words + text.slice(end);

function withOtherFigure(text: string, language: string, random: (n: number) => number): string {
  const dates = datesIn(text);
  const clocks = clockTimesIn(text);
  const figures = figuresIn(text, language).filter(
    ({ isSpelled, at, end }) =>
      !isSpelled && ![...dates, ...clocks].some((one) => at < one.end && end > one.at),
  );
  const figure = figures[random(figures.length)];
  if (!figure) return text;
  const other = figure.text.replace(/\d/g, (digit, at: number) =>
    String(at === 0 ? 1 + random(9) : figure.text.length === 1 ? random(10) : random(10) || digit),
  );
  return other === figure.text ? text : splice(text, figure.at, figure.at + figure.text.length, other);
}

function withOtherDate(text: string, language: string, random: (n: number) => number): string {
  const clocks = clockTimesIn(text).filter((clock) => /^\d+:\d+$/.test(clock.text));
  const clock = clocks[random(2 * clocks.length)];
  if (clock) return splice(text, clock.at, clock.end, `${random(24)}:${10 + random(50)}`);
  const dates = datesIn(text).filter(({ year, month }) => year !== undefined || month !== undefined);
  const date = dates[random(dates.length)];
  if (!date) return text;
  const months = MONTHS[language]!.split(' ');
  const words = random(2)
    ? date.text.replace(/\d{4}/, (year) => String(Number(year) - 1 - random(60)))
    : date.text.replace(/\p{L}{3,}/u, () => months[random(months.length)]!);
  return splice(text, date.at, date.at + date.text.length, words);
}

function withOtherName(text: string, names: string[], random: (n: number) => number): string {
  const words = names.flatMap((name) => name.split(' '));
  const name = words[random(words.length)];
  return name ? text.replace(name, NAMES[random(NAMES.length)]!) : text;
}

function withNamesExchanged(text: string, names: string[]): string {
  const [first, second] = [names[0], names.at(-1)];
  if (!first || !second || first === second) return text;
  return text.replace(first, '\u0000').replace(second, first).replace('\u0000', second);
}

function withFiguresExchanged(text: string, language: string): string {
  const [first, ...others] = figuresIn(text, language).filter(({ isSpelled }) => !isSpelled);
  const second = others.find((figure) => figure.text !== first?.text);
  if (!first || !second) return text;
  const changed = splice(text, second.at, second.at + second.text.length, first.text);
  return splice(changed, first.at, first.at + first.text.length, second.text);
}
