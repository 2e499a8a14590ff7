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

/** Returns the index after the object, list or text that begins at an index; -1 if it has no end. */
export function endOfValue(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') {
        inString = false;
        if (depth === 0) return at + 1;
      }
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
