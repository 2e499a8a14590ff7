const REMOVED = '[removed]';

/**
 * Returns a function that replaces secrets in every string of a JSON value, names of fields included. Escaped forms
 * are found too, because a string may itself contain JSON, a URL or XML.
 */
export function secretMask(secrets: readonly string[]): <T>(value: T) => T {
  const forms = [...new Set(secrets.flatMap(writtenForms))];
  const clean = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, REMOVED), text);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return cleanNumber(value, clean);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), mask(item)]));
  };
  return forms.length === 0 ? (value) => value : <T>(value: T) => mask(value) as T;
}

/** A secret of digits may return as a number. */
function cleanNumber(value: number, clean: (text: string) => string): unknown {
  const text = clean(String(value));
  return text === String(value) ? value : text;
}

/** Returns a secret as it is written in texts, JSON, URLs and XML, longest first. */
function writtenForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = (form: (code: number) => string) =>
    secret.replace(/[^A-Za-z0-9]/g, (character) => form(character.charCodeAt(0)));
  const inHex = (prefix: string, digits: number, suffix = '') => {
    const upper = (code: number) => code.toString(16).toUpperCase().padStart(digits, '0');
    return [
      escaped((code) => `${prefix}${upper(code)}${suffix}`),
      escaped((code) => `${prefix}${upper(code).toLowerCase()}${suffix}`),
    ];
  };
  const url = encodeURIComponent(secret);
  const forms = [
    ...inHex('\\u', 4),
    ...inHex('&#x', 1, ';'),
    ...inHex('%', 2),
    escaped((code) => `&#${code};`),
    xmlText(secret),
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    json,
    json.replaceAll('/', '\\/'),
    secret,
  ];
  return forms.sort((a, b) => b.length - a.length);
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const xmlText = (text: string) => text.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]!};`);
