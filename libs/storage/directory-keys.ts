/**
 * Encodes keys as file names. Reversible, and safe on file systems that ignore case, limit names to 255 bytes
 * or reserve some names: capitals become `^a`, other characters `%xx`, and a long segment is split into
 * folders ending in `+`. An object's file ends in `@`, so that `a` and `a/b` can both exist.
 */

const MAX_NAME = 200;

/** Returns the path of a key's file, relative to the store's root and with `/`. */
export function keyToPath(key: string): string {
  return `${key.split('/').map(encodeSegment).join('/')}@`;
}

/** Returns the folder of the keys that begin with `prefix` up to its last `/`. */
export function prefixToFolder(prefix: string): string {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return folder === '' ? '' : folder.slice(0, -1).split('/').map(encodeSegment).join('/');
}

/** Returns the key of an object's file; undefined if the file is not an object. */
export function pathToKey(path: string): string | undefined {
  if (!path.endsWith('@')) return undefined;
  const joined = path.slice(0, -1).replaceAll('+/', '');
  const bytes = joined
    .replace(/\^([a-z])/g, (_match, letter: string) => letter.toUpperCase())
    .replace(/(?:%[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return bytes;
}

function encodeSegment(segment: string): string {
  const units = [...segment].map((char, index, all) => {
    if (/[A-Z]/.test(char)) return `^${char.toLowerCase()}`;
    // A leading dot hides a file; some systems drop a trailing dot.
    const plain = /[a-z0-9_-]/.test(char) || (char === '.' && index > 0 && index < all.length - 1);
    return plain ? char : Buffer.from(char).toString('hex').replace(/../g, '%$&');
  });
  const names = [''];
  for (const unit of units) {
    const last = names.at(-1) ?? '';
    if (last.length + unit.length > MAX_NAME) names.push(unit);
    else names[names.length - 1] = last + unit;
  }
  return names.join('+/');
}
