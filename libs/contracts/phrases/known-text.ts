import type { PhraseCatalogue } from './render.js';

/** A text's code, and the values of its parameters. */
export interface KnownText {
  code: string;
  values: Record<string, string>;
}

/** Returns the first text of the catalogue that gives the message; null if none does. Linear in the message. */
export function findText(catalogue: PhraseCatalogue, message: string): KnownText | null {
  for (const [code, text] of Object.entries(catalogue)) {
    const values = typeof text === 'string' ? valuesIn(message, text) : null;
    if (values !== null) return { code, values };
  }
  return null;
}

/** Returns the values with which a template gives the message; null if it does not. */
function valuesIn(message: string, template: string): Record<string, string> | null {
  const [start = '', ...parts] = template.split('{');
  if (!message.startsWith(start)) return null;
  const values: Record<string, string> = {};
  let at = start.length;
  for (const [index, part] of parts.entries()) {
    const [name = '', after = ''] = part.split('}');
    const isLast = index === parts.length - 1;
    const end = isLast && after === '' ? message.length : message.indexOf(after, at);
    if (end <= at) return null;
    values[name] = message.slice(at, end);
    at = end + after.length;
  }
  return at === message.length ? values : null;
}
