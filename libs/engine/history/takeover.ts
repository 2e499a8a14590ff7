import { newId } from '#contracts/ids.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { SessionFile } from '#db/repositories/session-files.js';
import { sessionKey } from '#storage/session-keys.js';
import type { ReferenceRewriter } from './reference-rewriter.js';
import type { SessionContent } from './session-content.js';
import { isCopied } from './session-copy.js';

/** Content that a session takes over from its fork. */
interface Takeover {
  added: SessionContent;
  /** Files of the session that are replaced by a file of the same name. */
  replaced: SessionFile[];
}

/**
 * Compares a session with its fork. Content in both, or in the session alone, stays. A file of the fork
 * replaces a file of the same name; a named checkpoint whose ID is in use gets a new ID.
 *
 * @param rewriter receives the IDs that rows get in the session
 */
export function planTakeover(
  own: SessionContent,
  fork: SessionContent,
  tenantId: string,
  sessionId: string,
  rewriter: ReferenceRewriter,
): Takeover {
  const fileAt = new Map(own.files.map((file) => [`${file.folder}/${file.name}`, file]));
  const files = fork.files.filter(
    ({ folder, name, sha256 }) => fileAt.get(`${folder}/${name}`)?.sha256 !== sha256,
  );
  const replaced = files.flatMap(({ folder, name }) => fileAt.get(`${folder}/${name}`) ?? []);
  const exports = fork.exports.filter(({ id, name, sha256 }) => {
    const same = own.exports.find((file) => file.name === name && file.sha256 === sha256);
    rewriter.add(id, same?.id ?? newId('exp'));
    return same === undefined;
  });
  const named = nameCheckpoints(own.named, fork.named, rewriter, (id) =>
    sessionKey(tenantId, sessionId, 'checkpoints', id),
  );
  return { added: { files, named, exports }, replaced };
}

function nameCheckpoints(
  own: NamedCheckpoint[],
  fork: NamedCheckpoint[],
  rewriter: ReferenceRewriter,
  keyOf: (id: string) => string,
): NamedCheckpoint[] {
  const usedIds = new Set(own.map(({ id }) => id));
  const added = fork.filter((named) => !(isCopied(named) && usedIds.has(named.id)));
  for (const { id, objectKey } of added) {
    let free = id;
    for (let attempt = 2; usedIds.has(free); attempt++) free = id.replace(/\.md$/, `_${attempt}.md`);
    usedIds.add(free);
    if (free === id) continue;
    rewriter.add(id, free);
    rewriter.add(objectKey, keyOf(free));
  }
  return added;
}
