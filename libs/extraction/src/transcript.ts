import { escapeText } from '#markdown/escape.js';
import { ExtractionError } from './errors.js';

/** What was said from a moment of a recording on. */
interface Cue {
  /** Seconds. */
  start: number;
  text: string;
}

const TIMES = /^\s{0,20}(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)[,.]\d{1,3}\s{1,20}-->\s/;
/** A line is looked at to here for times. */
const TIMES_LENGTH = 200;
const SPEAKER = /^<v(?:\.[^\s>]{1,100})? ([^>]{1,200})>/;
const TAG = /<\/?(?:[a-z]{1,10}(?:[\s.][^<>]{0,200})?|\d[\d:.]{1,20})>|\{\\[a-z]{1,3}\d{0,3}\}/gi;
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
/** Seconds that stand under one heading. */
const SECTION = 60;

/**
 * The transcript of a recording (A14) from SubRip (`.srt`) or WebVTT (`.vtt`), as markdown: a heading with the time, `## 00:12:03`, about
 * every minute, so that the headings above a passage tell when it was said. Words that rolling captions repeat stand once. Linear.
 *
 * @throws ExtractionError when it holds no cue
 */
export function transcriptText(source: string, fileName: string): string {
  const cues = cuesOf(source);
  if (cues.length === 0)
    throw new ExtractionError(
      `${fileName} holds no captions: lines such as 00:01:02,000 --> 00:01:04,500 with words below them`,
    );
  const sections: Cue[] = [];
  for (const { start, text } of cues) {
    const last = sections.at(-1);
    if (last && start >= last.start && start < last.start + SECTION) last.text += ` ${text}`;
    else sections.push({ start, text });
  }
  return `${sections.map(({ start, text }) => `## ${clock(start)}\n\n${escapeText(text)}`).join('\n\n')}\n`;
}

function cuesOf(source: string): Cue[] {
  const cues: Cue[] = [];
  let start: number | null = null;
  let before = '';
  let speaker = '';
  for (const line of source.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const times = line.includes('-->') ? TIMES.exec(line.slice(0, TIMES_LENGTH)) : null;
    if (times) start = Number(times[1] ?? 0) * 3_600 + Number(times[2]) * 60 + Number(times[3]);
    // What stands outside of a cue is a number, a name, a note or a style.
    else if (line.trim() === '') start = null;
    else if (start !== null) {
      const said = SPEAKER.exec(line)?.[1]?.trim() ?? '';
      const words = plain(line);
      if (words === '' || words === before) continue;
      before = words;
      cues.push({ start, text: said !== '' && said !== speaker ? `${said}: ${words}` : words });
      if (said !== '') speaker = said;
    }
  }
  return cues;
}

const plain = (line: string): string =>
  line
    .replace(TAG, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();

function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
