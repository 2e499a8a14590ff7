import { MAX_SOURCE_NAME_BYTES } from '#contracts/source-name.js';
import { derivedId } from '#contracts/ids.js';
import { nameSchema } from '#contracts/names.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { InputsService } from '../sessions/inputs.service.js';
import { SessionAccess } from '../tenants/session-access.js';

const MAX_FILES = 50;

/** Arguments of tools that work in a session. */
export const workplaceArguments = {
  session_id: z.string().max(100).optional().describe('ID of an existing session (default: a new one)'),
  title: nameSchema(200).optional().describe('title of the new session'),
  files: z
    .array(
      z
        .object({
          name: z.string().min(1).max(MAX_SOURCE_NAME_BYTES),
          text: z.string().min(1).optional(),
          base64: z.base64().min(1).optional().describe('bytes of a file that is not text'),
        })
        .strict()
        .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
          message: 'needs either "text" or "base64"',
        }),
    )
    .max(MAX_FILES)
    .default([])
    .describe('inputs to add; a call is at most 1 MiB in all, larger files are uploaded by the REST API'),
};
type WorkplaceArguments = z.output<z.ZodObject<typeof workplaceArguments>>;

/** Sessions for the work of tools. */
@Injectable()
export class Workplace {
  constructor(
    private readonly access: SessionAccess,
    private readonly inputs: InputsService,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * Returns a session, the named or a new one, after adding the given files.
   *
   * @param seed determines the ID of a new session, so that a repeated call creates no second one
   * @returns the session's ID
   * @throws ProblemError `not_found`; errors of an upload
   */
  async prepare(
    caller: Caller,
    { session_id: given, title, files }: WorkplaceArguments,
    seed?: string,
  ): Promise<string> {
    const { tenantId } = caller;
    const { id } =
      given === undefined
        ? await this.sessions.create(
            tenantId,
            title ?? null,
            seed === undefined ? undefined : derivedId('ses', seed),
          )
        : await this.access.require(tenantId, given);
    if (files.length > 0) await this.inputs.upload(caller, id, partsOf(files));
    return id;
  }
}

async function* partsOf(files: WorkplaceArguments['files']) {
  for (const { name, text, base64 = '' } of files) {
    const bytes = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
    yield { filename: name, file: Readable.from([bytes], { objectMode: false }) };
  }
}
