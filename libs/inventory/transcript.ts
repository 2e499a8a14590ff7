import { oneLine, withoutByteOrderMark } from '#contracts/text.js';
import type { PieceList } from './piece.js';

const TAG = /<[^<>]{0,200}>|\{\\[^{}]{0,100}\}/g;
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

/**
 * Lists the pieces of a transcript (SubRip or WebVTT): the lines of captions, speakers, and words outside captions, such as notes. Numbers of
 * captions, times, styles and regions are not listed.
 */
export function listTranscript(text: string, list: PieceList): void {
  let before = '';
  let speaker = '';
  let caption = 0;
  for (const lines of blocksOf(text)) {
    const timed = lines.findIndex((line) => line.includes('-->'));
    if (timed < 0 && /^(?:STYLE|REGION)\b/.test(lines[0]!)) continue;
    if (timed >= 0) caption += 1;
    const place =
      timed >= 0 ? `caption ${caption}` : caption === 0 ? 'header' : `words after caption ${caption}`;
    for (const [index, line] of lines.entries()) {
      if (line.includes('-->') || /^\s*\d+\s*$/.test(line)) continue;
      const newSpeaker = /^<v(?:\.[^\s>]{1,100})? ([^>]{1,200})>/.exec(line)?.[1]?.trim() ?? speaker;
      if (newSpeaker !== speaker) list.add({ place: `${place}, speaker`, text: newSpeaker });
      speaker = newSpeaker;
      const words = shownText(index === 0 && timed < 0 ? line.replace(/^(?:NOTE|WEBVTT)\b/, '') : line);
      const isAgain = timed >= 0 && words === before;
      before = words;
      list.add({ place, text: words, ...(isAgain ? { again: 'captions that roll repeat lines' } : {}) });
    }
  }
}

function blocksOf(text: string): string[][] {
  return withoutByteOrderMark(text)
    .split(/(?:\r{0,2}\n|\r)[ \t]*(?:\r{0,2}\n|\r)/)
    .map((block) => block.split(/\r{0,2}\n|\r/).filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0);
}

const shownText = (line: string): string =>
  oneLine(
    line
      .replace(TAG, '')
      .replace(/&(amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g, (_, name: string) => ENTITIES[name]!),
  );
