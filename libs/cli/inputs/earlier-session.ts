import { sha256 } from '#contracts/sha256.js';
import { unwrap } from '#contracts/api/responses.js';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { writeOutput } from '../outputs/output-file.js';
import type { InputFile } from './collect-files.js';

/** The sessions in which files were written with `--update`, by service and paths; a file in the data directory. */
export class EarlierSessions {
  private readonly file: string;
  private readonly key: string;

  constructor(dataDir: string, paths: readonly string[]) {
    this.file = join(resolve(dataDir), 'written.json');
    this.key = JSON.stringify([process.env['SCRIPTORIUM_URL'] ?? '', ...paths.map((path) => resolve(path))]);
  }

  /**
   * Prepares the session for the present files: removes the inputs that are gone or have changed.
   *
   * @returns the session and the files to upload; null if there is no such session
   */
  async prepare(client: ApiClient, files: InputFile[]): Promise<{ id: string; fresh: InputFile[] } | null> {
    const id = (await this.read())[this.key];
    const inputs = id === undefined ? null : await inputsOf(client, id);
    if (id === undefined || inputs === null) return null;
    const before = new Map(inputs.map(({ name, sha256 }) => [name, sha256]));
    const fresh: InputFile[] = [];
    for (const file of files) {
      const sha256 = before.get(file.name);
      if (sha256 !== undefined && sha256 === (await hashOf(file.path))) before.delete(file.name);
      else fresh.push(file);
    }
    for (const name of before.keys())
      await unwrap(
        client.DELETE('/api/sessions/{session_id}/inputs/{name}', {
          params: { path: { session_id: id, name } },
        }),
      );
    return { id, fresh };
  }

  async remember(sessionId: string): Promise<void> {
    const sessions = { ...(await this.read()), [this.key]: sessionId };
    await writeOutput(this.file, `${JSON.stringify(sessions, null, 2)}\n`);
  }

  private async read(): Promise<Record<string, string>> {
    try {
      return JSON.parse(await readFile(this.file, 'utf8')) as Record<string, string>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
  }
}

/** Returns the inputs of a session; null if it was deleted. */
async function inputsOf(client: ApiClient, session_id: string) {
  try {
    const params = { path: { session_id } };
    return (await unwrap(client.GET('/api/sessions/{session_id}/inputs', { params }))).items;
  } catch (error) {
    if (error instanceof CliError && error.code === 'not_found') return null;
    throw error;
  }
}

const hashOf = async (path: string): Promise<string> => sha256(await readFile(path));
