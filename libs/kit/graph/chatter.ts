import { withoutOuterFence } from '#markdown/fences.js';
import { fenceStart } from '#markdown/lines.js';

/** Maximum length of a chat model's remark before or after the requested text, in characters. */
const MAX_REMARK = 300;

/**
 * Removes a chat model's remarks around the requested text, by their form in any language: one before and after a
 * Markdown fence that contains the text, and a first line that ends with a colon, before a heading.
 */
export function withoutChatter(text: string): string {
  const answer = withoutFence(text.trim());
  const { line, rest } = firstLine(answer);
  return isAnnouncement(line) && isHeading(rest) ? rest : answer;
}

/** As {@link withoutChatter}, for a text that begins with a heading: removes any line before it that cites nothing. */
export function withoutOpening(text: string): string {
  const answer = withoutChatter(text);
  const { line, rest } = firstLine(answer);
  const isRemark = line.length <= MAX_REMARK && !isHeading(line) && !line.includes('[^');
  return isRemark && isHeading(rest) ? rest : answer;
}

/** As {@link withoutChatter}, for the continuation of a text: removes a first line that announces a paragraph. */
export function withoutAnnouncement(text: string): string {
  const answer = withoutChatter(text);
  const { line, rest } = firstLine(answer);
  return isAnnouncement(line) && /^[\p{L}\p{N}]/u.test(rest) ? rest : answer;
}

const isHeading = (text: string): boolean => /^#{1,6}[ \t]/.test(text);
const isAnnouncement = (line: string): boolean => line.length <= MAX_REMARK && /[:：]$/.test(line);

/** Returns the first line of a text, and what follows it. */
function firstLine(text: string): { line: string; rest: string } {
  const end = text.indexOf('\n');
  if (end < 0) return { line: text, rest: '' };
  return { line: text.slice(0, end).trim(), rest: text.slice(end).trim() };
}

/** Returns the content of a Markdown fence that has nothing but remarks around it; else the text. */
function withoutFence(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^(?:markdown|md)$/i.test(fenceStart(line)?.info ?? ''));
  if (first < 0) return text;
  const last = lines.findLastIndex((line) => fenceStart(line) !== null);
  const around = [...lines.slice(0, first), ...lines.slice(last + 1)].join('\n').trim();
  return around.length > MAX_REMARK
    ? text
    : withoutOuterFence(lines.slice(first, last + 1).join('\n')).trim();
}
