import { isObject, jsonOf } from '#contracts/lenient.js';
import { endOfValue, parseRepaired } from './repaired-json.js';

type Args = Record<string, unknown>;

/**
 * Returns the arguments of a call from the parts in which a server sent them: the first reading that the tool accepts.
 * Servers send an empty object first, all that they sent so far with each part, or the whole again at the end.
 *
 * @returns why the arguments cannot be read, as a text
 */
export function readArguments(parts: readonly string[], accepts: (args: Args) => boolean): Args | string {
  const text = parts.join('');
  if (text.trim() === '' || text.trim() === 'null') return {};
  const given = readings(text, parts);
  let first: Args | undefined;
  for (const args of given) {
    if (accepts(args)) return args;
    first ??= args;
  }
  if (first) return first;
  return jsonOf(text) === undefined
    ? 'The arguments are not valid JSON, or not complete.'
    : 'The arguments must be a JSON object.';
}

function* readings(text: string, parts: readonly string[]): Generator<Args> {
  const inRow = valuesInRow(text).reverse();
  const filled = inRow.filter((args) => Object.keys(args).length > 0);
  for (const value of [objectOf(text), ...filled, objectOf(lastIfCumulative(parts)), ...inRow])
    if (value) yield value;
}

/** Returns the last part if each part repeats the one before it, otherwise an empty text. */
function lastIfCumulative(parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '');
  const isCumulative = filled.every((part, at) => part.startsWith(filled[at - 1] ?? ''));
  return isCumulative ? (filled.at(-1) ?? '') : '';
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
