/** The file a reference means: `match` is one of the available names; otherwise `hint` may name a near one ("did you mean"). */
export interface Resolution {
  match: string | null;
  hint: string | null;
}

/**
 * Looks a reference up among the flat file names of a session: as written, URL-decoded, in Unicode NFC, then by the last part of its
 * path. A name that differs in case only is a hint, never a match, because file names are compared exactly elsewhere.
 */
export function resolveReference(ref: string, available: string[]): Resolution {
  const byName = new Map<string, string>();
  for (const name of available) {
    const key = name.normalize('NFC');
    if (!byName.has(key)) byName.set(key, name);
  }
  if (available.includes(ref)) return { match: ref, hint: null };
  const candidates = spellings(ref);
  for (const candidate of candidates) {
    const match = byName.get(candidate.normalize('NFC'));
    if (match !== undefined) return { match, hint: null };
  }
  return { match: null, hint: caseHint(candidates, available) };
}

function spellings(ref: string): string[] {
  const bare = ref.trim().replace(/^<|>$/g, '');
  const noQuery = bare.split(/[?#]/, 1)[0] as string;
  const whole = [bare, noQuery, decode(bare), decode(noQuery)];
  const names = whole.map((path) => path.split(/[\\/]/).at(-1) as string);
  return [...new Set([...whole, ...names])].filter((name) => name !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function caseHint(candidates: string[], available: string[]): string | null {
  const folded = new Set(candidates.map(fold));
  return available.find((name) => folded.has(fold(name))) ?? null;
}
