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
