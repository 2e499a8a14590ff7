import { escapeInline, escapeLineStart } from '#markdown/escape.js';

/** The words of a paragraph or a cell as they come, with pieces of markdown (images) among them. Only words are escaped. */
export class InlineText {
  private parts: { words: boolean; value: string }[] = [];

  text(value: string): void {
    const last = this.parts.at(-1);
    if (last?.words) last.value += value;
    else if (value !== '') this.parts.push({ words: true, value });
  }

  markdown(value: string): void {
    this.parts.push({ words: false, value });
  }

  /** A blank, unless there is one already or nothing to part. */
  blank(): void {
    const last = this.parts.at(-1);
    if (last !== undefined && !/\s$/.test(last.value)) this.text(' ');
  }

  /** As markdown for the inside of a line; line ends are line feeds. */
  take(): string {
    const markdown = this.parts.map(({ words, value }) => (words ? escapeInline(value) : value)).join('');
    this.parts = [];
    return markdown;
  }

  /** As lines of markdown; lines without words are dropped. */
  takeLines(): string[] {
    return this.take()
      .split('\n')
      .map((line) => escapeLineStart(line.trim()))
      .filter((line) => line !== '');
  }

  /** As it came, for a fence. */
  takePlain(): string {
    const plain = this.parts.map(({ value }) => value).join('');
    this.parts = [];
    return plain;
  }
}

/** An image by its reference; the words say what it shows. */
export function imageMarkdown(ref: string, alt: string): string {
  const words = escapeInline(alt.replace(/\s+/g, ' ').trim()).replaceAll(']', '\\]');
  const target = ref.replace(/[\\<>\n\r]|&(?=#?\w+;)/g, encodeURIComponent);
  return `![${words}](${/[\s()]/.test(target) ? `<${target}>` : target})`;
}

/** Text in a fence that it cannot close. */
export function fenceLines(text: string, language: string): string[] {
  const longest = Math.max(2, ...(text.match(/^\s*`{3,}/gm) ?? []).map((run) => run.trim().length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...text.split('\n'), fence];
}
