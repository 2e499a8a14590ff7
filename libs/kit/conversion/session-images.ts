import type { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#contracts/file-kinds.js';
import type { Structure } from '#contracts/structure.js';
import type { TaskContext } from '#engine/queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Ledger } from '#verbatim/ledger.js';
import { folderOf } from '#contracts/source-name.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import { replaceImageRefs } from '#office/structure/image-refs.js';

interface ImageOptions {
  /** File name or `skip`, by reference. */
  decisions?: Record<string, string>;
  /** Reads the document's ledger; needed only if a reference names different files in different sources. */
  readLedger?: () => Promise<Ledger | null>;
  /**
   * Reads the list of files that the run itself has written, oldest first. One of these is used before a session
   * file of the same name.
   */
  readWritten?: () => Promise<readonly { name: string; objectKey: string }[]>;
}

/**
 * Reads the images of a document: the file chosen by a decision, else the session file that the reference
 * resolves to.
 *
 * @returns the images by reference, and the structure with unambiguous references
 */
export async function sessionImages(
  files: SessionFileRepository,
  store: ObjectStore,
  { tenantId, sessionId }: TaskContext,
  structure: Structure,
  {
    decisions = {},
    readLedger = () => Promise.resolve(null),
    readWritten = () => Promise.resolve([]),
  }: ImageOptions = {},
): Promise<{ structure: Structure; images: Map<string, Uint8Array> }> {
  if (structure.assets.length === 0) return { structure, images: new Map() };
  const [{ inputs, assets }, written] = await Promise.all([
    files.listAll(tenantId, sessionId),
    readWritten(),
  ]);
  const byName = new Map([...inputs, ...assets, ...written].map((file) => [file.name, file]));
  const sources = inputs.map(({ name }) => name).filter(isSourceName);
  const names = { available: [...byName.keys()], sources };
  const placed = await placeImages(structure, names, decisions, readLedger);
  const images = new Map<string, Uint8Array>();
  for (const [ref, name] of placed.files) {
    const file = byName.get(name);
    if (file) images.set(ref, await store.getBytes(file.objectKey));
  }
  return { structure: placed.structure, images };
}

interface PlacedImages {
  structure: Structure;
  /** Name of the session's file, by reference. */
  files: Map<string, string>;
}

/**
 * Finds the file of each image. A reference that names different files in different folders (`img/x.png` of
 * two projects) is replaced by the file's path from the root; the ledger determines the source of its line.
 * A decision about such a reference applies only if the source's folder lacks a matching file, because only
 * then was a person asked.
 *
 * @param decisions file name or `skip`, by reference
 */
export async function placeImages(
  structure: Structure,
  names: { available: string[]; sources: string[] },
  decisions: Record<string, string>,
  readLedger: () => Promise<Ledger | null>,
): Promise<PlacedImages> {
  const resolve = referenceResolver(names.available);
  const folders = names.sources.length === 0 ? [''] : [...new Set(names.sources.map(folderOf))];
  const files = new Map<string, string>();
  const add = (ref: string, name: string | null | undefined) => {
    if (name != null && name !== 'skip') files.set(ref, name);
  };
  const varying = new Map<string, (string | null)[]>();
  for (const ref of new Set(structure.assets.map(({ ref }) => ref))) {
    const targets = [...new Set(folders.map((folder) => resolve(ref, folder).match))];
    if (targets.length > 1) varying.set(ref, targets);
    else add(ref, decisions[ref] ?? targets[0]);
  }
  if (varying.size === 0) return { structure, files };
  const sourceAt = sourceByLine(await readLedger());
  const placed = replaceImageRefs(structure, (ref, line) => {
    const targets = varying.get(ref);
    if (targets === undefined) return ref;
    const source = sourceAt(line);
    const found = targets.filter((name) => name !== null);
    const only = found.length === 1 ? found[0] : null;
    const name = (source === undefined ? only : resolve(ref, source).match) ?? decisions[ref];
    if (name === undefined || name === 'skip') return ref;
    add(`/${name}`, name);
    return `/${name}`;
  });
  return { structure: placed, files };
}

/** Returns a function that returns the source of a manuscript line, or of the nearest traced line above. */
function sourceByLine(ledger: Ledger | null): (line: number) => string | undefined {
  const runs = [...(ledger?.runs ?? [])].sort((a, b) => a.manuscript_line - b.manuscript_line);
  return (line) => {
    const run = runs.findLast(({ manuscript_line }) => manuscript_line <= line);
    return run && ledger?.files[run.source]?.name;
  };
}
