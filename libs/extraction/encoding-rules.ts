/** Encoding of files with names that match a pattern. `*` matches any characters. */
interface EncodingRule {
  pattern: string;
  encoding: string;
}

/**
 * Parses rules such as `windows-1250` (all files) or `old/*.csv=iso-8859-2,*.txt=windows-1250`. The first
 * matching rule with a pattern takes precedence over rules without one.
 */
export function encodingRules(text: string): EncodingRule[] {
  const rules = text
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => {
      const at = rule.lastIndexOf('=');
      return { pattern: at < 0 ? '' : rule.slice(0, at), encoding: rule.slice(at + 1) };
    });
  return [...rules.filter(({ pattern }) => pattern !== ''), ...rules.filter(({ pattern }) => pattern === '')];
}

/** Returns the encoding that the rules assign to a file; undefined if none matches. */
export function encodingOf(rules: EncodingRule[], name: string): string | undefined {
  return rules.find(({ pattern }) => pattern === '' || fits(name, pattern.split('*')))?.encoding;
}

/**
 * Returns whether a name consists of these parts with any text in between. Linear: each search starts after
 * the previous match.
 */
function fits(name: string, parts: string[]): boolean {
  const [first = '', ...rest] = parts;
  if (!name.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return name === first;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
