import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { compareNames } from '#contracts/source-name.js';
import type { Inventory } from '#contracts/inventory.js';
import type { Database } from '../client.js';
import { LOCK_TIMEOUTS, lockTenant } from '../lock-tenant.js';
import { storageBytes, unnamedObjects } from '../unnamed-objects.js';
import type { SessionFile } from '../generated/client.js';

export type { SessionFile };
/**
 * `texts` contains the text of inputs that are documents (Word, PDF, HTML, notebooks), under the input's
 * name.
 */
export type FileFolder = 'inputs' | 'assets' | 'texts';

export interface NewSessionFile {
  sessionId: string;
  folder: FileFolder;
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
  /**
   * Original encoding of a text that was converted to UTF-8, or `UNKNOWN_ENCODING`; none if it was not
   * converted.
   */
  encoding?: string | null;
  /** Origin of the encoding: `byte order mark`, `the file itself`, an API key's ID, or `deadline`. */
  encodingBy?: string | null;
  /** Comparison of the input with this text, which was extracted from it. */
  inventory?: Inventory;
  /** Hash of what this text was extracted from and by. */
  extraction?: string;
}

/**
 * Encoding of an input that is neither UTF-8 nor marked; the input stays unchanged until a person names its
 * encoding.
 */
export const UNKNOWN_ENCODING = 'unknown';

/** Limits for adding files. */
interface FileLimits {
  /** Maximum bytes that the tenant may store in total. */
  bytes: bigint;
  /** Maximum files in the session's folder. */
  files?: number;
  /** True to reject a name that exists with other content; otherwise the existing file stays. */
  refuseOther?: boolean;
}

/** The file that has the name now, and whether it is the new one. */
export interface AddedFile {
  file: SessionFile;
  added: boolean;
}

/** Sorts files for processing: those with a position first, then the others by the natural order of their names. */
function inOrder(files: SessionFile[]): SessionFile[] {
  const place = ({ position }: SessionFile) => position ?? Number.MAX_SAFE_INTEGER;
  return files.sort((a, b) => place(a) - place(b) || compareNames(a.name, b.name));
}

/** Returns the inputs for an agent: an extracted text replaces its input. */
export function readable({ inputs, texts }: Record<'inputs' | 'texts', SessionFile[]>): SessionFile[] {
  const byInput = new Map(texts.map((file) => [file.name, file]));
  return inputs.map((input) => byInput.get(input.name) ?? input);
}

/** Inputs and assets of sessions. */
export class SessionFileRepository {
  constructor(private readonly db: Pick<Database, 'sessionFile' | '$transaction'>) {}

  /** Returns the files of a folder in processing order: as `order` sets it, then by name (`2.md` before `10.md`). */
  async list(tenantId: string, sessionId: string, folder: FileFolder): Promise<SessionFile[]> {
    return inOrder(await this.db.sessionFile.findMany({ where: { tenantId, sessionId, folder } }));
  }

  /** Returns the `readable` inputs. */
  async listReadable(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    const folders: FileFolder[] = ['inputs', 'texts'];
    const files = await this.db.sessionFile.findMany({
      where: { tenantId, sessionId, folder: { in: folders } },
    });
    const inFolder = (wanted: FileFolder) => files.filter(({ folder }) => folder === wanted);
    return readable({ inputs: inOrder(inFolder('inputs')), texts: inFolder('texts') });
  }

  /** Returns inputs, assets and extracted texts by one statement, each folder in processing order. */
  async listAll(tenantId: string, sessionId: string): Promise<Record<FileFolder, SessionFile[]>> {
    const files = inOrder(await this.db.sessionFile.findMany({ where: { tenantId, sessionId } }));
    const inFolder = (wanted: FileFolder) => files.filter(({ folder }) => folder === wanted);
    return { inputs: inFolder('inputs'), assets: inFolder('assets'), texts: inFolder('texts') };
  }

  find(tenantId: string, sessionId: string, folder: FileFolder, name: string): Promise<SessionFile | null> {
    return this.db.sessionFile.findFirst({ where: { tenantId, sessionId, folder, name } });
  }

  /**
   * Finds the text of an extraction in any session of the tenant, with the images that were found with it: the assets
   * whose keys begin as `imagePrefix` returns for the text.
   */
  async findExtraction(
    tenantId: string,
    extraction: string,
    imagePrefix: (text: SessionFile) => string,
  ): Promise<{ text: SessionFile; images: SessionFile[] } | null> {
    const text = await this.db.sessionFile.findFirst({ where: { tenantId, folder: 'texts', extraction } });
    if (text === null) return null;
    const { sessionId } = text;
    const images = await this.db.sessionFile.findMany({
      where: { tenantId, sessionId, folder: 'assets', objectKey: { startsWith: imagePrefix(text) } },
    });
    return { text, images };
  }

  /** Adds a file; no-op if the name exists. Returns the new or existing file. */
  async add(tenantId: string, file: NewSessionFile): Promise<AddedFile> {
    const { sessionId, folder } = file;
    const [added] = await addFiles(this.db, { tenantId, sessionId, folder }, [file]);
    return added!;
  }

  /**
   * Adds files of one session and folder, all or none, if the tenant stays within the limits. Concurrent
   * uploads of a tenant are checked one after the other, so that together they cannot exceed a limit.
   *
   * @throws ProblemError `storage_quota_exceeded`, `too_many_files`, `file_exists`
   */
  addWithin(tenantId: string, files: NewSessionFile[], limits: FileLimits): Promise<AddedFile[]> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const [first] = files;
      if (!first) return [];
      const where = { tenantId, sessionId: first.sessionId, folder: first.folder };
      requireFit(files, await tx.sessionFile.findMany({ where }), await storageBytes(tx, tenantId), limits);
      return addFiles(tx, where, files);
    }, LOCK_TIMEOUTS);
  }

  /**
   * Sets the order of a session's inputs: the named ones come first, in this order; the others follow by name.
   *
   * @returns the names that are not names of inputs; if there are any, the order stays as it was
   */
  order(tenantId: string, sessionId: string, names: string[]): Promise<string[]> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const where = { tenantId, sessionId, folder: 'inputs' };
      const present = await tx.sessionFile.findMany({ where, select: { name: true } });
      const known = new Set(present.map(({ name }) => name));
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length > 0) return unknown;
      await tx.$executeRaw`
        /* order inputs */ UPDATE session_files SET position = array_position(${names}::text[], name)
        WHERE tenant_id = ${tenantId} AND session_id = ${sessionId} AND folder = 'inputs'`;
      return [];
    }, LOCK_TIMEOUTS);
  }

  /** Returns the objects that no file refers to, after an error while adding; see `unnamedObjects`. */
  unnamed<T extends { objectKey: string }>(tenantId: string, objects: T[]): Promise<T[]> {
    return unnamedObjects(this.db, tenantId, objects, (tx, keys) =>
      tx.sessionFile.findMany({ where: { tenantId, objectKey: { in: keys } }, select: { objectKey: true } }),
    );
  }

  /**
   * Removes an input and what a run has made of it: its text, and the assets that are copies of it or its images.
   *
   * @param imagePrefix start of the keys of the input's images
   * @returns the removed files; none if the input does not exist
   */
  async removeInput(
    tenantId: string,
    sessionId: string,
    name: string,
    imagePrefix: (input: SessionFile) => string,
  ): Promise<SessionFile[]> {
    const input = await this.find(tenantId, sessionId, 'inputs', name);
    if (input === null) return [];
    const { objectKey } = input;
    const assets = [{ objectKey }, { objectKey: { startsWith: imagePrefix(input) } }];
    const made = [{ folder: 'texts', name }, ...assets.map((asset) => ({ folder: 'assets', ...asset }))];
    const where = { tenantId, sessionId, OR: [{ id: input.id }, ...made] };
    return this.db.$transaction(async (tx) => {
      const files = await tx.sessionFile.findMany({ where });
      await tx.sessionFile.deleteMany({ where: { tenantId, id: { in: files.map(({ id }) => id) } } });
      return files;
    }, LOCK_TIMEOUTS);
  }

  /** @returns the removed file, or null if it does not exist */
  async remove(
    tenantId: string,
    sessionId: string,
    folder: FileFolder,
    name: string,
  ): Promise<SessionFile | null> {
    const file = await this.find(tenantId, sessionId, folder, name);
    if (file) await this.db.sessionFile.deleteMany({ where: { id: file.id, tenantId } });
    return file;
  }
}

/** Adds files with two statements, regardless of their number. */
async function addFiles(
  { sessionFile }: Pick<Database, 'sessionFile'>,
  where: Pick<SessionFile, 'tenantId' | 'sessionId' | 'folder'>,
  files: NewSessionFile[],
): Promise<AddedFile[]> {
  const { tenantId } = where;
  const data = files.map((file) => ({ id: newId('fil'), tenantId, ...file }));
  await sessionFile.createMany({ data, skipDuplicates: true });
  const names = files.map(({ name }) => name);
  const rows = await sessionFile.findMany({ where: { ...where, name: { in: names } } });
  const stored = new Map(rows.map((row) => [row.name, row]));
  return data.map(({ id, name }) => {
    const file = stored.get(name);
    if (!file) throw new Error('the session file vanished while it was added');
    return { file, added: file.id === id };
  });
}

function requireFit(files: NewSessionFile[], present: SessionFile[], used: bigint, limits: FileLimits): void {
  const before = new Set(present.map(({ name }) => name));
  const fresh = new Map(files.filter(({ name }) => !before.has(name)).map((file) => [file.name, file]));
  const hashes = new Map([...fresh.values(), ...present].map(({ name, sha256 }) => [name, sha256]));
  const other = files.find(({ name, sha256 }) => hashes.get(name) !== sha256);
  if (limits.refuseOther && other)
    throw new ProblemError('file_exists', phrase('file_exists.different', { name: other.name }));
  if (limits.files !== undefined && present.length + fresh.size > limits.files)
    throw new ProblemError(
      'too_many_files',
      phrase('too_many_files.session_has', { max: limits.files, count: present.length }),
    );
  const bytes = [...fresh.values()].reduce((sum, { size }) => sum + size, 0);
  if (used + BigInt(bytes) > limits.bytes)
    throw new ProblemError(
      'storage_quota_exceeded',
      phrase('storage_quota_exceeded.used', { used: String(used), limit: String(limits.bytes) }),
    );
}
