import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionKey, sessionPrefix, type SessionFolder } from '#storage/session-keys.js';
import type { ResumePoint } from './resume-point.js';
import { ReferenceRewriter, textsIn } from './reference-rewriter.js';
import { jsonOf } from './saved-state.js';
import type { Database } from '#db/client.js';
import { ExportRepository, type Export } from '#db/repositories/exports.js';
import { NamedCheckpointRepository, type NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import { type FileFolder, type SessionFile, SessionFileRepository } from '#db/repositories/session-files.js';

/** Rows of a session that refer to objects. */
export interface SessionContent {
  files: SessionFile[];
  named: NamedCheckpoint[];
  exports: Export[];
}

const FOLDERS: FileFolder[] = ['inputs', 'texts', 'assets'];

/** Returns a session's current content. */
export async function contentOf(db: Database, tenantId: string, sessionId: string): Promise<SessionContent> {
  const files = new SessionFileRepository(db);
  return {
    files: (await Promise.all(FOLDERS.map((folder) => files.list(tenantId, sessionId, folder)))).flat(),
    named: await new NamedCheckpointRepository(db).list(tenantId, sessionId),
    exports: await new ExportRepository(db).list(tenantId, sessionId),
  };
}

/**
 * Returns the part of a session's content that existed at a checkpoint. Includes everything that the state
 * refers to, even if the clocks of the processes that wrote it differ.
 */
export function contentAt(
  content: SessionContent,
  { run, checkpoint, state, kind }: ResumePoint,
): SessionContent {
  const isOlder = ({ createdAt }: { createdAt: Date }) => createdAt <= checkpoint.createdAt;
  const needed = kind.continuation.needs(state);
  return {
    files: content.files.filter((file) =>
      file.folder === 'assets'
        ? isOlder(file) || needed.assets.includes(file.name)
        : needed.inputs.includes(file.name),
    ),
    named: content.named.filter((named) => {
      if (named.id === needed.checkpointId) return true;
      if (named.runId !== run.id || named.afterCheckpointId === null) return isOlder(named);
      return named.afterCheckpointId < checkpoint.id;
    }),
    exports: content.exports.filter((file) => file.id === needed.exportId || isOlder(file)),
  };
}

/** Returns the bytes that count against a tenant's storage. */
export function bytesOf({ files, exports }: SessionContent): number {
  return [...files, ...exports].reduce((sum, { size }) => sum + size, 0);
}

/** Maximum objects copied concurrently. */
const AT_ONCE = 8;

/** Returns a rewriter for a copied session's ID and folder. */
export function createReferenceRewriter(
  { tenantId, sessionId }: ResumePoint['run'],
  toSession: string,
): ReferenceRewriter {
  const rewriter = new ReferenceRewriter(
    sessionPrefix(tenantId, sessionId),
    sessionPrefix(tenantId, toSession),
  );
  rewriter.add(sessionId, toSession);
  return rewriter;
}

/**
 * Copies every object that a session's content and state refer to into another session's folder, and adds
 * changed names to the rewriter. Keys of copies are derived from the original keys, so copying twice changes
 * nothing.
 *
 * @param more other JSON that refers to objects of the session
 * @throws ProblemError `checkpoint_unusable` if an object is missing
 */
export async function copyObjects(
  store: ObjectStore,
  origin: ResumePoint,
  content: SessionContent,
  toSession: string,
  rewriter: ReferenceRewriter,
  more: unknown = null,
): Promise<void> {
  const { tenantId, sessionId } = origin.run;
  const prefix = sessionPrefix(tenantId, sessionId);
  for (const { objectKey, folder } of content.files)
    // An asset that was remembered from another session is stored there (X2).
    if (!objectKey.startsWith(prefix))
      rewriter.add(objectKey, sessionKey(tenantId, toSession, folder as SessionFolder, nameIn(objectKey)));
  const pointers = pointersIn(origin, more, prefix);
  const isManuscript = (key: string) => key.startsWith(`${prefix}manuscript/`);
  const manuscripts = new Set([
    ...pointers.filter(isManuscript),
    ...content.named.map(({ manuscriptKey }) => manuscriptKey),
  ]);
  const objects = new Set([
    ...pointers.filter((key) => !isManuscript(key)),
    ...[...content.files, ...content.named, ...content.exports].map(({ objectKey }) => objectKey),
    ...content.exports.flatMap(({ textKey }) => textKey ?? []),
  ]);
  try {
    await copyAll(store, [...objects], rewriter);
    await copyManuscripts(store, tenantId, toSession, [...manuscripts], rewriter);
  } catch (error) {
    if (!(error instanceof ObjectNotFoundError)) throw error;
    throw new ProblemError('checkpoint_unusable', phrase('checkpoint_unusable.file_gone'));
  }
}

/** Returns the keys that the state refers to outside its prose, and the keys of their companions. */
function pointersIn(
  { checkpoint, kind: { continuation } }: ResumePoint,
  more: unknown,
  prefix: string,
): string[] {
  const values = checkpoint.blobs.filter(({ channel }) => !continuation.prose.includes(channel)).map(jsonOf);
  const keys = textsIn([values, more]).filter((text) => text.startsWith(prefix));
  return [...new Set(keys.flatMap((key) => [key, ...continuation.companions(key)]))];
}

async function copyManuscripts(
  store: ObjectStore,
  tenantId: string,
  toSession: string,
  pointers: string[],
  rewriter: ReferenceRewriter,
): Promise<void> {
  const manuscripts = new ManuscriptStore(store, tenantId, toSession);
  const segments = new Set<string>();
  for (const pointer of pointers)
    for (const key of await manuscripts.keysOf(pointer)) if (key !== pointer) segments.add(key);
  await copyAll(store, [...segments], rewriter);
  for (const pointer of pointers)
    rewriter.add(pointer, await manuscripts.adopt(pointer, (key) => rewriter.text(key)));
}

async function copyAll(store: ObjectStore, keys: string[], rewriter: ReferenceRewriter): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => store.copy(key, rewriter.text(key))));
}

const nameIn = (key: string) => key.slice(key.lastIndexOf('/') + 1);
