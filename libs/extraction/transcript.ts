import { oneLine, withoutByteOrderMark } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { escapeText } from '#markdown/escape.js';
import { ExtractionError } from './errors.js';
import { leftOutMark } from './left-out.js';

/** Text spoken from a certain time of a recording. */
interface Cue {
  /** Start time in seconds. */
  start: number;
  text: string;
}

const TIMES = /^\s{0,20}(?:(\d{1,4}):)?(\d{1,3}):([0-5]?\d)(?:[,.]\d{1,3})?\s{0,20}-->/;
/** Number of characters of a line that are searched for times. */
const TIMES_LENGTH = 200;
const SPEAKER = /^<v(?:\.[^\s>]{1,100})? ([^>]{1,200})>/;
const TAG = /<\/?(?:[a-z]{1,10}(?:[\s.][^<>]{0,200})?|\d[\d:.]{1,20})>|\{\\[^{}]{1,100}\}/gi;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  '#39': "'",
};
/** Length of a section in seconds. */
const SECTION = 60;

/**
 * Converts a transcript (A14) from SubRip (`.srt`) or WebVTT (`.vtt`) to Markdown: a heading with the time,
 * `## 00:12:03`, about every minute, so that the heading above a passage shows when it was said. Words
 * repeated by rolling captions appear once. Comments name notes and other words outside of the captions. Linear.
 *
 * @throws ExtractionError if the transcript does not contain cues
 */
export function transcriptText(source: string, fileName: string): string {
  const { cues, omitted } = readTranscript(source);
  if (cues.length === 0) throw new ExtractionError(phrase('unreadable.captions', { name: fileName }));
  const sections: Cue[] = [];
  for (const { start, text } of cues) {
    const last = sections.at(-1);
    if (last && start >= last.start && start < last.start + SECTION) last.text += ` ${text}`;
    else sections.push({ start, text });
  }
  const shown = sections.map(({ start, text }) => `## ${clock(start)}\n\n${escapeText(text)}`);
  return `${[...shown, ...omitted.map(({ what, words }) => leftOutMark(what, words))].join('\n\n')}\n`;
}

/** Words outside of captions. */
interface Omitted {
  what: 'note' | 'header' | 'name of a caption' | 'words outside captions';
  words: string;
}

function readTranscript(source: string): { cues: Cue[]; omitted: Omitted[] } {
  const cues: Cue[] = [];
  const omitted: Omitted[] = [];
  let outside: Omitted['what'] | 'style' = 'header';
  let start: number | null = null;
  let before = '';
  let speaker = '';
  const lines = withoutByteOrderMark(source).split(/\r{0,2}\n|\r/);
  const isWebVtt = lines[0]!.startsWith('WEBVTT');
  if (!isWebVtt) outside = 'words outside captions';
  for (const [index, line] of lines.entries()) {
    const times = timesOf(line);
    if (times) start = Number(times[1] ?? 0) * 3_600 + Number(times[2]) * 60 + Number(times[3]);
    else if (isWebVtt && line === '') {
      start = null;
      outside = 'words outside captions';
    } else if (start !== null && !(isNumber(line) && timesOf(lines[index + 1] ?? ''))) {
      const named = SPEAKER.exec(line)?.[1]?.trim() ?? '';
      const words = plain(line);
      if (words === '' || words === before) continue;
      before = words;
      cues.push({ start, text: named !== '' && named !== speaker ? `${named}: ${words}` : words });
      if (named !== '') speaker = named;
    } else if (start === null && !isNumber(line)) {
      // Outside of cues, WebVTT has a header, notes, styles and names of cues; SubRip has numbers only.
      const isName = timesOf(lines[index + 1] ?? '') !== null;
      outside = isName ? 'name of a caption' : (OUTSIDE.get(/^[A-Z]+/.exec(line)?.[0] ?? '') ?? outside);
      const words = plain(line.replace(/^(?:NOTE|WEBVTT)\b/, ''));
      if (outside !== 'style' && words !== '') omitted.push({ what: outside, words });
    }
  }
  return { cues, omitted };
}

/** Words that begin the blocks of WebVTT outside of cues. */
const OUTSIDE = new Map<string, Omitted['what'] | 'style'>([
  ['NOTE', 'note'],
  ['STYLE', 'style'],
  ['REGION', 'style'],
]);

const timesOf = (line: string) => (line.includes('-->') ? TIMES.exec(line.slice(0, TIMES_LENGTH)) : null);
const isNumber = (line: string) => /^\s{0,20}\d{1,9}\s{0,20}$/.test(line);

const plain = (line: string): string =>
  oneLine(
    line
      .replace(TAG, '')
      .replace(/&(amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g, (_, name: string) => ENTITIES[name]!),
  );

function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
