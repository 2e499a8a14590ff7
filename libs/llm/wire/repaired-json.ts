import { isObject, jsonOf } from '#contracts/lenient.js';

/** Returns the value of JSON with the mistakes that models make; undefined if it cannot be repaired. */
export function parseRepaired(text: string): unknown {
  for (const attempt of [() => text, () => repaired(text)])
    try {
      return JSON.parse(attempt()) as unknown;
    } catch {
      continue;
    }
  return undefined;
}

const CURLY = '“”„';
const AFTER_STRING = ',:}]';

/** Replaces curly quotes around strings, drops trailing commas and escapes line breaks and tabs in strings. */
function repaired(text: string): string {
  const out: string[] = [];
  let quote: 'straight' | 'curly' | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quote === null) {
      if (char === ',' && '}]'.includes(nextVisible(text, at + 1))) continue;
      if (char === '"') quote = 'straight';
      else if (CURLY.includes(char)) quote = 'curly';
      out.push(quote === null ? char : '"');
    } else if (char === '\\') {
      out.push(char, text[++at] ?? '');
    } else if (quote === 'straight' ? char === '"' : endsCurly(text, at)) {
      quote = null;
      out.push('"');
    } else out.push(char === '"' ? '\\"' : (ESCAPED[char] ?? char));
  }
  return out.join('');
}

const ESCAPED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Within a string, quotes are text unless what follows can only follow a string. */
function endsCurly(text: string, at: number): boolean {
  return CURLY.includes(text[at]!) && AFTER_STRING.includes(nextVisible(text, at + 1));
}

function nextVisible(text: string, from: number): string {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at++;
  return text[at] ?? ' ';
}

/** Follows a text of JSON by its brackets and strings only, so that it can be read in parts. */
export class ValueScanner {
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  /** True before, between and after values. */
  get isOutside(): boolean {
    return this.depth === 0 && !this.inString;
  }

  /** @returns whether an object, list or text ends with the character */
  add(char: string): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (char === '\\') this.isEscaped = true;
      else if (char === '"') {
        this.inString = false;
        return this.depth === 0;
      }
    } else if (char === '"') this.inString = true;
    else if (char === '{' || char === '[') this.depth += 1;
    else if (char === '}' || char === ']') {
      this.depth = Math.max(0, this.depth - 1);
      return this.depth === 0;
    }
    return false;
  }
}

/** Returns the index after the object, list or text that begins at an index; -1 if it has no end. */
export function endOfValue(text: string, from: number): number {
  const scanner = new ValueScanner();
  for (let at = from; at < text.length; at++) if (scanner.add(text[at]!)) return at + 1;
  return -1;
}

type Args = Record<string, unknown>;

/** The arguments of a call, in the parts in which a server sends them. Each part is scanned once. */
export class CallArguments {
  private readonly parts: string[] = [];
  private readonly scanner = new ValueScanner();
  private hasValue = false;
  /** The last part if each part repeats the one before it; null otherwise. */
  private repeated: string | null = '';

  add(part: string): void {
    if (part === '') return;
    this.parts.push(part);
    for (const char of part) if (this.scanner.add(char)) this.hasValue = true;
    this.repeated = this.repeated !== null && part.startsWith(this.repeated) ? part : null;
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  get text(): string {
    return this.parts.join('');
  }

  /** Returns whether the arguments may be complete before a part. To read them is expensive, so ask this first. */
  mayEndBefore(part: string): boolean {
    const isWhole = this.hasValue && this.scanner.isOutside;
    const isNull = this.parts.length === 1 && this.text.trim() === 'null';
    return (
      isWhole ||
      isNull ||
      (this.repeated !== null && this.parts.length > 1 && !part.startsWith(this.repeated))
    );
  }

  /**
   * Reads the arguments: the first reading that the tool accepts. Servers send an empty object first, all that they sent
   * so far with each part, or the whole again at the end.
   *
   * @returns why the arguments cannot be read, as a text
   */
  read(accepts: (args: Args) => boolean): Args | string {
    const { text } = this;
    if (text.trim() === '' || text.trim() === 'null') return {};
    let first: Args | undefined;
    for (const args of readings(text, this.repeated ?? '')) {
      if (accepts(args)) return args;
      first ??= args;
    }
    if (first) return first;
    return jsonOf(text) === undefined
      ? 'The arguments are not valid JSON, or not complete.'
      : 'The arguments must be a JSON object.';
  }
}

/** @param repeated the last part if it repeats all before it; empty otherwise */
function* readings(text: string, repeated: string): Generator<Args> {
  const inRow = valuesInRow(text).reverse();
  const filled = inRow.filter((args) => Object.keys(args).length > 0);
  for (const value of [objectOf(text), ...filled, objectOf(repeated), ...inRow]) if (value) yield value;
}

/** Returns the objects that follow each other in a text. */
function valuesInRow(text: string): Args[] {
  const values: Args[] = [];
  for (let at = 0; ;) {
    const start = text.slice(at).search(/[{"]/);
    const end = start < 0 ? -1 : endOfValue(text, at + start);
    if (end < 0) return values;
    const value = objectOf(text.slice(at + start, end));
    if (value) values.push(value);
    at = end;
  }
}

/** Arguments may be encoded twice. */
function objectOf(text: string): Args | null {
  const value = jsonOf(text) ?? parseRepaired(text);
  const args = typeof value === 'string' ? parseRepaired(value) : value;
  return isObject(args) ? args : null;
}
