import { isObject } from '#contracts/lenient.js';
import { parseRepaired } from './repaired-json.js';

/** Marks with which models begin a call in their text. A server that does not know its model's form leaves the call in the text. */
const MARKS = ['<tool_call>', '[TOOL_CALLS]'] as const;
const END = '</tool_call>';
const FENCE = '```';

interface WrittenCall {
  name: string;
  args: Record<string, unknown>;
}

/**
 * Returns the calls of tools that a model wrote as text, and the text before them. They follow a mark, or are the whole
 * text.
 *
 * @param names of the tools that the model may call
 * @returns null if the text contains no calls, or a mark without a valid call
 */
export function writtenCalls(
  text: string,
  names: ReadonlySet<string>,
): { text: string; calls: WrittenCall[] } | null {
  const at = firstMark(text);
  const written = at < 0 ? [withoutFence(text.trim())] : partsOf(text.slice(at));
  if (at < 0 && !/^\s*[{[]/.test(written[0]!)) return null;
  const calls = written.flatMap((json): unknown => parseRepaired(json)).map((value) => callOf(value, names));
  if (calls.length === 0 || !calls.every((call) => call !== null)) return null;
  return { text: at < 0 ? '' : text.slice(0, at).trim(), calls };
}

const firstMark = (text: string): number =>
  MARKS.map((mark) => text.indexOf(mark)).reduce(
    (first, at) => (at >= 0 && (first < 0 || at < first) ? at : first),
    -1,
  );

/** Returns the JSON texts after the marks. */
function partsOf(text: string): string[] {
  const mark = MARKS.find((each) => text.startsWith(each))!;
  return text
    .split(mark)
    .slice(1)
    .map((part) => part.split(END)[0]!.trim());
}

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  return text.slice(text.indexOf('\n') + 1, -FENCE.length);
}

function callOf(value: unknown, names: ReadonlySet<string>): WrittenCall | null {
  if (!isObject(value)) return null;
  const { name, arguments: given = value['parameters'] } = value;
  const args = typeof given === 'string' ? parseRepaired(given) : (given ?? {});
  return typeof name === 'string' && names.has(name) && isObject(args) ? { name, args } : null;
}

/** Removes calls from a text that arrives in parts, so that people do not read them. */
export class WrittenCallFilter {
  private waiting = '';
  private state: 'start' | 'text' | 'calls' = 'start';

  /** @returns what may be shown of the text so far and was not returned before */
  add(part: string): string {
    if (this.state === 'calls') return '';
    this.waiting += part;
    const [first] = this.waiting.trimStart();
    if (first === undefined) return '';
    const at = firstMark(this.waiting);
    if (at >= 0 || (this.state === 'start' && first === '{')) {
      this.state = 'calls';
      return this.waiting.slice(0, Math.max(at, 0)).trimEnd();
    }
    this.state = 'text';
    return this.take(this.waiting.length - begunMark(this.waiting));
  }

  /** @returns what is left when the text has ended */
  end(): string {
    return this.state === 'calls' ? '' : this.take(this.waiting.length);
  }

  private take(length: number): string {
    const shown = this.waiting.slice(0, length);
    this.waiting = this.waiting.slice(length);
    return shown;
  }
}

/** Returns how many characters at the end of a text may be the beginning of a mark. */
function begunMark(text: string): number {
  const lengths = MARKS.map((mark) => {
    let length = Math.min(mark.length - 1, text.length);
    while (length > 0 && !text.endsWith(mark.slice(0, length))) length -= 1;
    return length;
  });
  return Math.max(...lengths);
}
