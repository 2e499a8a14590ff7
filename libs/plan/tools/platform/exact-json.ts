import { withoutEnding } from '#contracts/text.js';

/** An open object or array while its text is scanned. */
interface Open {
  /** Names of an object so far; null for an array. */
  names: Set<string> | null;
}

/**
 * Parses JSON without changing a number. A number that JavaScript would round, or write with other digits than
 * the text, becomes a text (`9007199254740995`, `1.10`). Scans without recursion.
 *
 * @throws Error if the text is not JSON, or an object has two values of one name
 */
export function parseExactJson(json: string): unknown {
  // The scan below relies on valid JSON.
  const value: unknown = JSON.parse(json);
  const parts: string[] = [];
  const open: Open[] = [];
  let from = 0;
  let at = 0;
  while (at < json.length) {
    const character = json[at]!;
    if (character === '"') {
      const end = endOfString(json, at);
      const { names = null } = open.at(-1) ?? {};
      if (names !== null && isName(json, end)) addName(names, JSON.parse(json.slice(at, end)) as string);
      at = end;
    } else if (character === '-' || isDigit(character)) {
      const end = endOfNumber(json, at);
      const written = json.slice(at, end);
      if (!isExact(written)) {
        parts.push(json.slice(from, at), `"${written}"`);
        from = end;
      }
      at = end;
    } else {
      if (character === '{') open.push({ names: new Set() });
      else if (character === '[') open.push({ names: null });
      else if (character === '}' || character === ']') open.pop();
      at += 1;
    }
  }
  return parts.length === 0 ? value : (JSON.parse([...parts, json.slice(from)].join('')) as unknown);
}

/** Returns whether JavaScript preserves the value and the digits of a number in JSON; `.0` may be lost. */
function isExact(written: string): boolean {
  const plain = withoutEnding(written, '.0');
  const number = Number(plain);
  if (String(number) === plain) return true;
  // An exponent is another way to write the same digits.
  return /[eE]/.test(plain) && Number.isFinite(number) && digitsOf(plain) === digitsOf(String(number));
}

/** Returns the sign, the significant digits and the power of ten of a decimal number. */
export function digitsOf(written: string): string {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${mantissa.startsWith('-') ? '-' : ''}${digits.slice(0, end)}e${end === 0 ? 0 : power}`;
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) throw new Error(`an object has two values named "${name.slice(0, 100)}"`);
  names.add(name);
}

/** Returns whether a colon follows, so that the string before it is a name. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(json[at] ?? '.')) at += 1;
  return json[at] === ':';
}

/** Returns the position after the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && (isDigit(json[at]!) || '.eE+-'.includes(json[at]!))) at += 1;
  return at;
}

const isDigit = (character: string) => character >= '0' && character <= '9';
