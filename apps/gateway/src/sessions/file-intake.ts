import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import type { FileFolder, NewSessionFile } from '#db/repositories/session-files.js';
import { isTextName } from '#extraction/file-kinds.js';
import { SETTINGS, STORE } from '#runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { MultipartFile } from '@fastify/multipart';
import { Inject, Injectable } from '@nestjs/common';
import { lookup } from 'mime-types';
import iconv from 'iconv-lite';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileNameOf } from './file-name.js';
import { utf8Check } from './text-check.js';

/** The steps that convert to UTF-8. @throws ProblemError `invalid_request` for an unknown encoding */
function conversion(encoding: string | undefined): Transform[] {
  if (encoding === undefined) return [];
  if (!iconv.encodingExists(encoding)) {
    throw new ProblemError(
      'invalid_request',
      'The encoding is unknown. Name one such as windows-1250 or utf-16le.',
    );
  }
  return [iconv.decodeStream(encoding), iconv.encodeStream('utf-8')] as Transform[];
}

/** A file that was stored. */
export type TakenFile = Omit<NewSessionFile, 'sessionId' | 'folder'>;

/** Takes uploaded files into the object store: streamed, checked on the way, under a key made here. */
@Injectable()
export class FileIntake {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /**
   * Stores one part of a multipart request.
   *
   * @param encoding the encoding of a text file that is to be converted to UTF-8
   * @throws ProblemError when name, size or content cannot be taken; nothing is left behind then
   */
  async take(
    tenantId: string,
    sessionId: string,
    folder: FileFolder,
    part: MultipartFile,
    encoding?: string,
  ): Promise<NewSessionFile> {
    const objectKey = sessionKey(tenantId, sessionId, folder, newId('fil'));
    return { sessionId, folder, ...(await this.takeTo(objectKey, part, encoding)) };
  }

  /** Stores one part under the key given; else as `take`. */
  async takeTo(objectKey: string, part: MultipartFile, encoding?: string): Promise<TakenFile> {
    const name = fileNameOf(part.filename ?? '');
    const mediaType = lookup(name) || (isTextName(name) ? 'text/plain' : 'application/octet-stream');
    const steps = isTextName(name) ? [...conversion(encoding), utf8Check(name)] : [new PassThrough()];
    const last = steps.at(-1)!;
    const [stored] = await Promise.all([
      this.store.put(objectKey, last, { contentType: mediaType }),
      pipeline([part.file, ...steps]),
    ]).catch(async (error: unknown) => {
      await this.store.delete(objectKey);
      throw error;
    });
    const refuse = async (problem: ProblemError) => {
      await this.store.delete(objectKey);
      throw problem;
    };
    if (part.file.truncated) {
      const limit = Math.floor(this.settings.MAX_FILE_BYTES / 1024 / 1024);
      await refuse(
        new ProblemError(
          'file_too_large',
          `"${name}" is larger than ${limit} MB. Split it and send the parts.`,
        ),
      );
    }
    if (stored.size === 0)
      await refuse(new ProblemError('empty_upload', `"${name}" is empty. Leave it out or send its content.`));
    return { name, objectKey, size: stored.size, sha256: stored.sha256, mediaType };
  }

  /** Removes what was taken, when the request as a whole fails. */
  async drop(files: Pick<TakenFile, 'objectKey'>[]): Promise<void> {
    for (const file of files) await this.store.delete(file.objectKey);
  }
}
