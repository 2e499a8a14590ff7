import { withoutQuery } from '#contracts/text.js';
import { percentDecoded } from '#contracts/lenient.js';
import { baseName, folderOf } from '#contracts/source-name.js';

/**
 * Result of a lookup. `match` is an available name or null. If it is null, `hint` may contain a similar name
 * ("did you mean").
 */
export interface Resolution {
  match: string | null;
  hint: string | null;
  /** Files that the reference may mean if it is ambiguous; absent otherwise. */
  candidates?: string[];
}

/** Maximum number of files in a hint. */
const MAX_HINTS = 3;

/**
 * Resolves one reference; see `referenceResolver`.
 *
 * @param source name of the file with the reference; empty for a text without a folder
 */
export function resolveReference(ref: string, available: readonly string[], source = ''): Resolution {
  return referenceResolver(available)(ref, source);
}

/**
 * Returns a function that looks up references among the names of a session's files: as written, URL-decoded
 * and in Unicode NFC, first relative to the folder of the referencing source, then from the session's root,
 * then by a unique base name. A name that differs only in case is a hint, never a match, because file names
 * are compared exactly elsewhere.
 */
export function referenceResolver(
  available: readonly string[],
): (ref: string, source?: string) => Resolution {
  const byName = new Map<string, string>();
  const byBase = new Map<string, string[]>();
  for (const name of available) {
    const key = name.normalize('NFC');
    if (byName.has(key)) continue;
    byName.set(key, name);
    const base = baseName(key);
    const others = byBase.get(base);
    if (others) others.push(name);
    else byBase.set(base, [name]);
  }
  return (ref, source = '') => {
    const paths = spellings(ref);
    for (const path of [...paths.map((path) => besides(source, path)), ...paths.map(fromRoot)]) {
      const match = path === null ? undefined : byName.get(path);
      if (match !== undefined) return { match, hint: null };
    }
    for (const base of paths.map(baseName)) {
      const fitting = byBase.get(base) ?? [];
      if (fitting.length === 1) return { match: fitting[0]!, hint: null };
      if (fitting.length > 1)
        return { match: null, hint: fitting.slice(0, MAX_HINTS).join(' or '), candidates: fitting };
    }
    return { match: null, hint: caseHint(paths, available) };
  };
}

/** Returns the possible spellings of a path, in Unicode NFC and with "/" as separator. */
function spellings(ref: string): string[] {
  const bare = ref.trim().replace(/^<|>$/g, '');
  const noQuery = withoutQuery(bare);
  const written = [ref, bare, noQuery, percentDecoded(bare), percentDecoded(noQuery)];
  return [...new Set(written.map((path) => path.normalize('NFC').replaceAll('\\', '/')))].filter(
    (path) => baseName(path) !== '',
  );
}

/** Resolves a path relative to the source's folder; null if it leads out of the session. */
function besides(source: string, path: string): string | null {
  return path.startsWith('/') ? joinParts(path) : joinParts(folderOf(source.normalize('NFC')) + path);
}

/** Resolves a path from the root; null for a bare name, which is looked up as a base name. */
function fromRoot(path: string): string | null {
  return path.includes('/') ? joinParts(path) : null;
}

function joinParts(path: string): string | null {
  const joined: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && joined.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') joined.push(part);
  }
  return joined.join('/');
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function caseHint(paths: string[], available: readonly string[]): string | null {
  const folded = new Set(paths.map((path) => fold(baseName(path))));
  return available.find((name) => folded.has(fold(baseName(name)))) ?? null;
}
