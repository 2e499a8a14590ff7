import type { LeftOutFile } from '#contracts/api/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { folderOf } from '#contracts/source-name.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { RunRepository } from '#db/repositories/runs.js';
import {
  SessionFileRepository,
  type AddedFile,
  type NewSessionFile,
  type SessionFile,
} from '#db/repositories/session-files.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { QuotaService } from '../tenants/quota.service.js';
import { FileIntake, readEncodings, type ArrivingFile } from './file-intake.js';

/** Maximum names in the text of a problem. */
const MAX_SHOWN_NAMES = 10;

/** Upload, order and removal of a session's input files. */
@Injectable()
export class InputsService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
    private readonly files: SessionFileRepository,
    private readonly runs: RunRepository,
  ) {}

  list(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    return this.files.list(tenantId, sessionId, 'inputs');
  }

  listAssets(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    return this.files.list(tenantId, sessionId, 'assets');
  }

  /**
   * Finds the image that a reference in the manuscript names: relative to any folder of the sources, else by its
   * unique name, as for the Word file.
   *
   * @throws ProblemError `not_found` if no file or several files match, or the file is not an image
   */
  async image(
    tenantId: string,
    sessionId: string,
    ref: string,
  ): Promise<{ file: SessionFile; bytes: Readable }> {
    const { inputs, assets } = await this.files.listAll(tenantId, sessionId);
    const files = [...inputs, ...assets];
    const resolve = referenceResolver(files.map(({ name }) => name));
    const folders = new Set(['', ...inputs.map(({ name }) => folderOf(name))]);
    const found = new Set([...folders].map((folder) => resolve(ref, folder).match));
    found.delete(null);
    const file = found.size === 1 ? files.find(({ name }) => found.has(name)) : undefined;
    if (!file?.mediaType.startsWith('image/')) throw new ProblemError('not_found', phrase('not_found.image'));
    return { file, bytes: await this.store.get(file.objectKey) };
  }

  /**
   * Stores the files of a request; after an error it stores none. Skips empty files and duplicates.
   *
   * @param encoding for text that is not UTF-8, see `encodingRules`; if no rule matches a file, the run asks
   */
  async upload(
    { tenantId, apiKeyId }: Pick<Caller, 'tenantId' | 'apiKeyId'>,
    sessionId: string,
    parts: AsyncIterable<ArrivingFile>,
    encoding?: string,
  ): Promise<{ files: SessionFile[]; leftOut: LeftOutFile[] }> {
    const options = { encodings: readEncodings(encoding), by: apiKeyId, keepUnknown: true };
    const storedFiles: NewSessionFile[] = [];
    const leftOut: LeftOutFile[] = [];
    let stored: AddedFile[];
    await this.quota.requireStorage(tenantId, 0);
    try {
      for await (const part of parts) {
        const file = await this.intake.storePart(tenantId, sessionId, 'inputs', part, options);
        if (file.size === 0) leftOut.push({ name: file.name, reason: 'empty' });
        else storedFiles.push(file);
      }
      if (storedFiles.length + leftOut.length === 0)
        throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
      stored = await this.quota.addInputs(tenantId, storedFiles);
    } catch (error) {
      await this.intake.drop(await this.files.unnamed(tenantId, storedFiles));
      throw error;
    }
    await this.intake.drop(storedFiles.filter((_, index) => !stored[index]!.added));
    const files = new Map(stored.map(({ file }) => [file.name, file]));
    const seen = new Set<string>();
    for (const { name } of storedFiles) {
      if (seen.has(name)) leftOut.push({ name, reason: 'duplicate' });
      seen.add(name);
    }
    return { files: [...files.values()], leftOut };
  }

  /**
   * Sets the processing order of the inputs, see `SessionFileRepository.order`.
   *
   * @returns all inputs in the new order
   * @throws ProblemError `file_in_use`; `invalid_request` if a name is unknown
   */
  async order(tenantId: string, sessionId: string, names: string[]): Promise<SessionFile[]> {
    await this.requireIdle(tenantId, sessionId);
    const unknown = await this.files.order(tenantId, sessionId, names);
    if (unknown.length > 0) {
      const errors = unknown.map((name) => ({
        path: `names.${names.indexOf(name)}`,
        message: 'is not the name of an input of the session',
      }));
      const shown = unknown.slice(0, MAX_SHOWN_NAMES).join(', ');
      throw new ProblemError(
        'invalid_request',
        phrase('invalid_request.unknown_inputs', { names: shown }),
        errors,
      );
    }
    return this.list(tenantId, sessionId);
  }

  /** Removes an input and what a run has made of it, so that a changed file replaces it (D7). */
  async remove(tenantId: string, sessionId: string, name: string): Promise<void> {
    await this.requireIdle(tenantId, sessionId);
    const images = ({ id }: SessionFile) => sessionKey(tenantId, sessionId, 'assets', id);
    const removed = await this.files.removeInput(tenantId, sessionId, name, images);
    if (removed.length === 0) throw new ProblemError('not_found', phrase('not_found.input'));
    await this.intake.drop(await this.files.unnamed(tenantId, removed));
  }

  private async requireIdle(tenantId: string, sessionId: string): Promise<void> {
    if (await this.runs.hasActive(tenantId, sessionId))
      throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
  }
}
