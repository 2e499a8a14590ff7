import { isObject, jsonOf } from '#contracts/lenient.js';
import { endOfValue, parseRepaired, ValueScanner } from './repaired-json.js';

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
