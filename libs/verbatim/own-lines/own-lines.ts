import { isDigits } from '#contracts/text.js';
import type { SourceState } from '../match/state.js';
import { quotesLine, type Sections } from './section.js';
import { Names, wordsOf } from './names.js';
import { COMMON_HEADINGS, type Counted, EMPTY_FILE, VOCABULARIES, type Vocabulary } from './vocabulary.js';
import { occursIn } from '../source/occurs.js';

/** A markdown escape, such as `\_` in the name of a file. */
export const ESCAPE = /\\([!-/:-@[-`{-~]|$)/g;
/** Destinations of links and images, which are not words; they may contain pairs of parentheses. */
const DESTINATION = /\]\((?:[^()\n]|\([^()\n]{0,500}\)){0,500}\)/g;
const TIME = /(?<![\d:-])(?:\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(?::\d{2})?)(?![:-]?\d)/g;
/** Number of a heading, such as `4.1`; without decimals, which may be a quantity, where the heading quotes a line. */
const NUMBERING = /^\d{1,4}(?:\.\d{1,4}){0,8}[.)]?\s/;
const PLAIN_NUMBERING = /^\d{1,3}[.)]\s/;

/** Words that are no part of a permitted line; null if the line is permitted. */
type Refused = string[] | null;

/**
 * Judges lines that the manuscript adds to its sources by their form. Permitted are introductions, captions of pictures,
 * and headings that quote a line below them or consist of names.
 */
export class OwnLines {
  private readonly names = new Names();
  private readonly hasEmptyFile: boolean;

  constructor(
    readonly sections: Pick<Sections, 'quotes' | 'hasTime' | 'counts' | 'hasContent'>,
    states: readonly SourceState[],
    fileNames: readonly string[],
  ) {
    this.hasEmptyFile = states.some(({ source }) => source.lines.every((line) => line.trim() === ''));
    for (const heading of COMMON_HEADINGS) this.names.add(heading);
    for (const name of fileNames) this.names.addFile(name);
    for (const { source } of states)
      for (const { kind, text } of source.readings[0]!.scanned ?? [])
        if (kind === 'heading' || kind === 'setext') {
          this.names.add(text);
          this.names.add(text.replace(NUMBERING, ''));
        }
  }

  /**
   * Judges a heading: an unbroken run of words from one line below it, or names of files and folders, headings of the
   * sources, headings of any document and kinds of material.
   */
  heading(text: string, line: number): Refused {
    if (this.sections.quotes(text.replace(PLAIN_NUMBERING, ''), line)) return null;
    // The name of a file may begin with a year, which looks like a number of the heading.
    const refused = this.refusedWords(text, line, false);
    return refused && this.refusedWords(text.replace(NUMBERING, ''), line, false);
  }

  /** Judges prose: an introduction, which ends in a colon and only names material, or the caption of a picture. */
  prose(text: string, line: number): Refused {
    const shown = text.replace(DESTINATION, ']').trim();
    if (this.hasEmptyFile && EMPTY_FILE.has(wordsOf(shown).join(' '))) return null;
    const isIntroduction = /:[*_]{0,3}$/.test(shown);
    const refused = this.refusedWords(shown, line, true);
    return isIntroduction || shown.startsWith('![') ? refused : (refused ?? []);
  }

  private refusedWords(text: string, line: number, withVerbs: boolean): Refused {
    const shown = text
      .replace(ESCAPE, '$1')
      .replace(TIME, (time) => (this.sections.hasTime(time, line) ? ' ' : time));
    const words = wordsOf(shown);
    const [best] = VOCABULARIES.map((vocabulary) =>
      this.unknownWords(words, line, vocabulary, withVerbs),
    ).sort((a, b) => a.length - b.length);
    return best!.length === 0 ? null : best!;
  }

  private unknownWords(
    words: readonly string[],
    line: number,
    vocabulary: Vocabulary,
    withVerbs: boolean,
  ): string[] {
    const unknown: string[] = [];
    const numbers: string[] = [];
    const kinds = new Set<Counted>();
    let names = 0;
    for (let at = 0; at < words.length;) {
      const word = words[at]!;
      const length = this.names.lengthAt(words, at);
      const kind = vocabulary.kinds.get(word);
      if (kind !== undefined) kinds.add(kind);
      const isKnown = kind !== undefined || length > 0;
      if (isKnown) names += Number(length > 1 || kind === undefined);
      else if (isDigits(word) || vocabulary.numbers.has(word)) numbers.push(word);
      else if (!isEmptyWord(word, vocabulary, withVerbs)) unknown.push(word);
      at += Math.max(1, length);
      if (vocabulary.numbered.has(word) && /^(?:\d{1,4}|[ivxlc]{1,6}|[a-z])$/.test(words[at] ?? '')) at++;
    }
    const isTrue = (number: string) => {
      const value = vocabulary.numbers.get(number) ?? Number(number);
      return value === names || [...kinds].some((kind) => this.sections.counts(kind, line).has(value));
    };
    return [...unknown, ...numbers.filter((number) => !isTrue(number))];
  }
}

const isEmptyWord = (word: string, vocabulary: Vocabulary, withVerbs: boolean): boolean =>
  vocabulary.function.has(word) || (withVerbs && vocabulary.presenting.has(word));

/**
 * Returns the words of a document's title that nothing supports; null if the title is permitted: an unbroken run of words
 * from a line, or names of files and folders, headings of any document and kinds of material.
 *
 * @param line the source line that the title quotes; null if it quotes none
 */
export function refusedTitleWords(title: string, line: string | null, fileNames: string[]): string[] | null {
  const quoted = line ?? '';
  const below = {
    quotes: (text: string) => quotesLine(text, quoted),
    hasTime: (time: string) => occursIn(time, quoted),
    counts: () => new Set<number>(),
    hasContent: () => true,
  };
  return new OwnLines(below, [], fileNames).heading(title, 0);
}
