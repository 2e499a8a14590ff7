import type { Detail } from '#contracts/phrases/detail.js';
import type { PhraseParam } from '#contracts/phrases/render.js';

const REMOVED = '[removed]';

/** Names of fields that always contain secrets. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth(?:orization)?|cookie|credentials?|session[-_]?id)(?:$|[^a-z])/i;

/** The name of a stored secret in place of its value, as in `Bearer {{crm}}`. */
const NAMED_SECRET = /^(?:[A-Za-z]{1,20} )?\{\{[a-z][a-z0-9_-]{0,39}\}\}$/;

/** Patterns of secrets in texts. Each is linear: no two adjacent repetitions share a character. */
const SECRET_TEXTS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|glpat|xox[abprs]|npm|hf|scr)[-_][\w-]{12,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:Bearer|Basic)\s+[\w+/=.~-]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  /\b[A-Fa-f0-9]{40,}\b/g,
];

/**
 * Three parts joined by dots, as in a JSON Web Token. A match starts only at the beginning of a run of its
 * characters, so that each is read once.
 */
const DOTTED = /(?<![\w-])([\w-]{11,})\.[\w-]{4,}\.[\w-]*/g;
const TOKEN_START = /\beyJ[\w-]{8}/;

/** A name and its value in prose or in settings: `password: x`, `"api_key"="x"`. */
const NAMED =
  /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authorization|cookie|credentials?)["']?\s?[:=]\s?)("[^"\n]*"|'[^'\n]*'|[^\s,;}\]]+)/gi;

/** Replaces everything in a text that looks like a secret. */
export function redactText(text: string): string {
  let clean = text.replace(DOTTED, (parts: string, first: string) => {
    const at = first.search(TOKEN_START);
    return at < 0 ? parts : `${parts.slice(0, at)}${REMOVED}`;
  });
  for (const secret of SECRET_TEXTS) clean = clean.replace(secret, REMOVED);
  return clean.replace(NAMED, (_, name: string) => `${name}${REMOVED}`);
}

/** Like `redactText`, for a phrase whose parameters may contain text from elsewhere. */
export function redactDetail(detail: Detail): Detail {
  if (typeof detail === 'string') return redactText(detail);
  const params = Object.entries(detail.params).map(([name, param]): [string, PhraseParam] => [
    name,
    typeof param === 'number' ? param : redactDetail(param),
  ]);
  return { code: detail.code, params: Object.fromEntries(params) };
}

/** Replaces everything in a value that looks like a secret, by field name or by text. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2')) && item !== null && !isNamedSecret(item)
        ? REMOVED
        : redactValue(item),
    ]),
  );
}

const isNamedSecret = (value: unknown): boolean => typeof value === 'string' && NAMED_SECRET.test(value);
