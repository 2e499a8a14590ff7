import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { SessionFile } from '../generated/client.js';

export type { SessionFile };
/** `texts` holds the text of inputs that are documents (Word, PDF, HTML, notebooks), under the input's name. */
export type FileFolder = 'inputs' | 'assets' | 'texts';

export interface NewSessionFile {
  sessionId: string;
  folder: FileFolder;
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** Inputs and assets of sessions. */
export class SessionFileRepository {
  constructor(private readonly db: Database) {}

  /** Files of a folder in natural order of their names (`2.md` before `10.md`). */
  async list(tenantId: string, sessionId: string, folder: FileFolder): Promise<SessionFile[]> {
    const files = await this.db.sessionFile.findMany({ where: { tenantId, sessionId, folder } });
    const collator = new Intl.Collator('en', { numeric: true });
    return files.sort((a, b) => collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
  }

  /** The inputs as the agent reads them: where a text was extracted from an input, the text stands for it. */
  async listReadable(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    const texts = new Map((await this.list(tenantId, sessionId, 'texts')).map((file) => [file.name, file]));
    return (await this.list(tenantId, sessionId, 'inputs')).map((input) => texts.get(input.name) ?? input);
  }

  find(tenantId: string, sessionId: string, folder: FileFolder, name: string): Promise<SessionFile | null> {
    return this.db.sessionFile.findFirst({ where: { tenantId, sessionId, folder, name } });
  }

  /**
   * Adds a file; one of the same name is kept and returned, so that adding twice changes nothing.
   *
   * @returns the file that has the name now, and whether it is the one given
   */
  async add(tenantId: string, file: NewSessionFile): Promise<{ file: SessionFile; added: boolean }> {
    const id = newId('fil');
    const created = await this.db.sessionFile.createMany({
      data: [{ id, tenantId, ...file }],
      skipDuplicates: true,
    });
    const stored = await this.find(tenantId, file.sessionId, file.folder, file.name);
    if (!stored) throw new Error('the session file vanished while it was added');
    return { file: stored, added: created.count === 1 };
  }

  /** @returns the removed file, or null when there was none */
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
