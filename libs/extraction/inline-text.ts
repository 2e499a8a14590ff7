import { oneLine, withoutEnding, withoutQuery } from '#contracts/text.js';
import { escapeInline, escapeLineStart } from '#markdown/escape.js';
import { formulaMarkdown, type FormulaText } from './tex.js';
import { escapeShifted, loweredText, plainShifts, raisedText } from './raised.js';

/** Addresses outside the document. Other links lead to places in it or on its site, which Markdown cannot address. */
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)./i;

interface Part {
  words: boolean;
  value: string;
}

/** Returns whether an address can be a link's in a document. */
export const isWebAddress = (address: string): boolean => WEB_ADDRESS.test(address);

/** Collects a paragraph or cell as words, which are escaped, and pieces of Markdown such as images and links. */
export class InlineText {
  /** The text so far, and what each open element has added. */
  private scopes: Part[][] = [[]];

  text(value: string): void {
    const parts = this.scopes.at(-1)!;
    const last = parts.at(-1);
    if (last?.words) last.value += value;
    else if (value !== '') parts.push({ words: true, value });
  }

  markdown(value: string): void {
    this.scopes.at(-1)!.push({ words: false, value });
  }

  formula(formula: FormulaText): void {
    if (formula.tex === null) this.text(formula.plain);
    else this.markdown(formulaMarkdown(formula));
  }

  /** Adds a blank, unless the text is empty or ends with one. */
  blank(): void {
    const last = this.scopes.findLast((parts) => parts.length > 0)?.at(-1);
    if (last !== undefined && !/\s$/.test(last.value)) this.text(' ');
  }

  /** Begins an element. An `end…` method ends it, or does nothing if a paragraph ended within the element. */
  begin(): void {
    this.scopes.push([]);
  }

  end(): void {
    this.close((parts) => parts);
  }

  /** Ends an element and removes its text. @returns the removed text */
  endRemoved(): string {
    let removed = '';
    this.close((parts) => {
      removed = plainShifts(parts.map(({ value }) => value).join(''));
      return [];
    });
    return removed;
  }

  endRaised(): void {
    this.close((parts) => mapWords(parts, raisedText));
  }

  endLowered(): void {
    this.close((parts) => mapWords(parts, loweredText));
  }

  endStruck(): void {
    this.close((parts) => struck(parts));
  }

  /** Ends a link. A link to a place in the document becomes plain words. */
  endLink(address: string): void {
    if (/^tel:/i.test(address)) return this.endCall(address.slice('tel:'.length));
    if (address.startsWith('//')) return this.endLink(`https:${address}`);
    if (!isWebAddress(address)) return this.end();
    this.close((parts) => {
      const shown = parts.map(({ value }) => value).join('');
      if (isPicture(parts) && !isPictureAddress(address))
        return [{ words: false, value: `[${markdownOf(parts).trim()}](${linkTarget(address)})` }];
      // A link with its address as text remains text, and a small picture remains a picture.
      if (parts.some(({ words }) => !words) || shown.trim() === '' || isShown(address, shown)) return parts;
      const words = escapeShifted(shown.trim()).replace(/(?<!\\)[[\]]/g, '\\$&');
      return around(shown, { words: false, value: `[${words}](${linkTarget(address)})` });
    });
  }

  /** Ends a link to a telephone number, which documents cannot call. */
  private endCall(number: string): void {
    this.close((parts) => {
      const digits = (text: string) => text.replace(/\D/g, '');
      const shown = digits(parts.map(({ value }) => value).join(''));
      const isKnown = shown !== '' && digits(number).endsWith(shown.replace(/^0+/, ''));
      return isKnown ? parts : [...parts, { words: true, value: ` (${number.trim()})` }];
    });
  }

  /** Returns Markdown for the inside of a line. Line ends are line feeds. */
  take(): string {
    return markdownOf(this.takeParts());
  }

  /** Returns lines of Markdown, without empty ones. */
  takeLines(): string[] {
    return linesOf(this.take());
  }

  /** Returns paragraphs as lists of lines. An empty line separates two paragraphs. */
  takeParagraphs(): string[][] {
    return this.take()
      .split(/\n[^\S\n]*\n\s*/)
      .map(linesOf)
      .filter((lines) => lines.length > 0);
  }

  /** Returns the text unescaped, for a code fence. */
  takePlain(): string {
    return plainShifts(
      this.takeParts()
        .map(({ value }) => value)
        .join(''),
    );
  }

  private takeParts(): Part[] {
    const parts = this.scopes.flat();
    this.scopes = [[]];
    return parts;
  }

  private close(change: (parts: Part[]) => Part[]): void {
    if (this.scopes.length === 1) return;
    const parts = change(this.scopes.pop()!);
    for (const { words, value } of parts) {
      if (words) this.text(value);
      else this.markdown(value);
    }
  }
}

/** Pictures that pages show small and link to in full. */
const PICTURE_ENDING = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|tiff?)$/i;
const isPictureAddress = (address: string): boolean => PICTURE_ENDING.test(withoutQuery(address));

const isPicture = (parts: readonly Part[]): boolean =>
  parts.some(({ words }) => !words) &&
  parts.every(({ words, value }) => (words ? value.trim() === '' : /^!\[[^\n]*\)$/.test(value)));

const linesOf = (markdown: string): string[] =>
  markdown
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .filter((line) => line !== '');

/** Returns the lines of a paragraph with hard line breaks between them. */
export const withBreaks = (lines: readonly string[]): string[] =>
  lines.map((line, index) => (index < lines.length - 1 ? `${line}\\` : line));

const mapWords = (parts: Part[], change: (text: string) => string): Part[] =>
  parts.map(({ words, value }) => ({ words, value: words ? change(value) : value }));

/** Removes the line ends that `withBreaks` has added. An escaped backslash stays. */
export const withoutBreaks = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    let backslashes = 0;
    while (line.at(-1 - backslashes) === '\\') backslashes++;
    return backslashes % 2 === 1 ? line.slice(0, -1) : line;
  });

/** Keeps dollar signs next to a formula from being read as part of it. Linear: looks at the last piece only. */
const markdownOf = (parts: Part[]): string => {
  const pieces: string[] = [];
  for (const { words, value } of parts) {
    const next = words ? escapeShifted(value) : value;
    const last = pieces.at(-1) ?? '';
    if (!last.endsWith('$') || !next.startsWith('$')) pieces.push(next);
    else if (words) pieces.push(`\\${next}`);
    else if (last.endsWith('$$')) pieces.push(` ${next}`);
    else pieces.push(`${pieces.pop()!.slice(0, -1)}\\$`, next);
  }
  return pieces.join('');
};

/** Puts marks around words but inside the blanks at both ends: next to a blank a mark is not recognized. */
function struck(parts: Part[]): Part[] {
  const text = markdownOf(parts);
  if (text.trim() === '' || text.includes('\n')) return parts;
  return around(text, { words: false, value: `~~${text.trim()}~~` });
}

function around(text: string, inner: Part): Part[] {
  const blanks = (value: string) => ({ words: true, value });
  return [
    blanks(text.slice(0, text.length - text.trimStart().length)),
    inner,
    blanks(text.slice(text.trimEnd().length)),
  ].filter(({ value }) => value !== '');
}

const isShown = (address: string, text: string) =>
  [address, address.replace(/^(?:https?:\/\/|mailto:)/, '')].some(
    (shown) => withoutEnding(shown, '/') === withoutEnding(text.trim(), '/'),
  );

function linkTarget(address: string): string {
  const target = address.trim().replace(/[\\<>\n\r]|&(?=#?\w+;)/g, encodeURIComponent);
  return /[\s()]/.test(target) ? `<${target}>` : target;
}

/** Returns an image as Markdown. @param alt description of the image */
export function imageMarkdown(ref: string, alt: string): string {
  const words = escapeInline(oneLine(alt)).replaceAll(']', '\\]');
  return `![${words}](${linkTarget(ref)})`;
}

/** Returns text in a code fence that the text cannot close. */
export function fenceLines(text: string, language: string): string[] {
  const longest = Math.max(2, ...(text.match(/^\s*`{3,}/gm) ?? []).map((run) => run.trim().length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...text.split('\n'), fence];
}
