import type { LeftOutFile } from '#contracts/api/upload-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { RunRepository } from '#db/repositories/runs.js';
import {
  SessionFileRepository,
  type AddedFile,
  type NewSessionFile,
  type SessionFile,
} from '#db/repositories/session-files.js';
import { DATABASE, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import { QuotaService } from '../tenants/quota.service.js';
import { FileIntake, readEncodings, type ArrivingFile } from './file-intake.js';

/** Upload and removal of a session's input files. */
@Injectable()
export class InputsService {
  private readonly files: SessionFileRepository;
  private readonly runs: RunRepository;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
  ) {
    this.files = new SessionFileRepository(db);
    this.runs = new RunRepository(db);
  }

  list(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    return this.files.list(tenantId, sessionId, 'inputs');
  }

  listAssets(tenantId: string, sessionId: string): Promise<SessionFile[]> {
    return this.files.list(tenantId, sessionId, 'assets');
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
    const taken: NewSessionFile[] = [];
    const leftOut: LeftOutFile[] = [];
    let stored: AddedFile[];
    await this.quota.requireStorage(tenantId, 0);
    try {
      for await (const part of parts) {
        const file = await this.intake.take(tenantId, sessionId, 'inputs', part, options);
        if (file.size === 0) leftOut.push({ name: file.name, reason: 'empty' });
        else taken.push(file);
      }
      if (taken.length + leftOut.length === 0)
        throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
      stored = await this.quota.addInputs(tenantId, taken);
    } catch (error) {
      await this.intake.drop(await this.files.unnamed(tenantId, taken));
      throw error;
    }
    await this.intake.drop(taken.filter((_, index) => !stored[index]!.added));
    const files = new Map(stored.map(({ file }) => [file.name, file]));
    const seen = new Set<string>();
    for (const { name } of taken) {
      if (seen.has(name)) leftOut.push({ name, reason: 'duplicate' });
      seen.add(name);
    }
    return { files: [...files.values()], leftOut };
  }

  async remove(tenantId: string, sessionId: string, name: string): Promise<void> {
    if (await this.runs.hasActive(tenantId, sessionId)) {
      throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
    }
    const removed = await this.files.remove(tenantId, sessionId, 'inputs', name);
    if (!removed) throw new ProblemError('not_found', phrase('not_found.input'));
    const stillUsed = (await this.listAssets(tenantId, sessionId)).some(
      ({ objectKey }) => objectKey === removed.objectKey,
    );
    if (!stillUsed) await this.store.delete(removed.objectKey);
    const text = await this.files.remove(tenantId, sessionId, 'texts', name);
    if (text) await this.store.delete(text.objectKey);
  }
}
