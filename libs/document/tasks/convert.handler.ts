import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { structureSchema } from '#contracts/structure.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { settingsOf } from '#office/docx/write/options.js';
import { buildStructure } from '#office/structure/build.js';
import { coverageAppendix } from '#verbatim/report/appendix.js';
import { formatPercent } from '#verbatim/report/coverage.js';
import { ledgerSchema, type Ledger } from '#verbatim/ledger.js';
import { TaskHandler, type TaskContext, type TaskHandlerOf } from '#engine/queue/task-handler.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore, sha256 as digestOf } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { fileNameFor } from '#kit/conversion/publisher.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { sessionImages } from '#kit/conversion/session-images.js';

/** Minimum number of pages of a text that gets a title page and a table of contents. */
const FRONT_FROM_PAGES = 3;
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** D24: writes structure.json as DOCX, stored as an export of the session. */
@Injectable()
@TaskHandler('convert')
export class ConvertHandler implements TaskHandlerOf<'convert'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly files: SessionFileRepository,
    private readonly exports: ExportRepository,
    private readonly keys: ApiKeyRepository,
    private readonly templates: WordTemplates,
  ) {}

  async handle(input: TaskInput<'convert'>, context: TaskContext): Promise<TaskOutput<'convert'>> {
    const { tenantId, sessionId, taskId, runId } = context;
    const json = Buffer.from(await this.store.getBytes(input.structure_json_path)).toString('utf8');
    const written = structureSchema.parse(JSON.parse(json));
    const language = input.language === null ? {} : { language: input.language };
    const appendix = await this.appendix(input, tenantId, settingsOf(written, language).language);
    const title = input.title ?? written.title ?? 'Document';
    const { structure, images } = await sessionImages(this.files, this.store, context, written, {
      decisions: input.user_decisions,
      readLedger: () => this.readLedger(input.ledger_path),
    });
    const properties = {
      'Written by': input.author,
      'Source coverage': input.coverage === null ? 'not measured' : formatPercent(input.coverage),
    };
    const options = {
      title,
      toc: true,
      cover: true,
      frontFromPages: FRONT_FROM_PAGES,
      codeColors: input.code_colors ?? false,
      lineNumbers: input.line_numbers ?? false,
      properties,
      manuscript: digestOf(await new ManuscriptStore(this.store, tenantId, sessionId).read(input.manuscript)),
      ...(appendix ? { appendix } : {}),
      ...(await this.templates.optionOf(context)),
      ...language,
    };
    const resolve = async (ref: string) => images.get(ref) ?? null;
    const { docx } = await this.pool.run(context, (pool) =>
      pool.convert({ structure }, resolve, { ...options, signal: context.signal }),
    );
    const objectKey = sessionKey(tenantId, sessionId, 'exports', `${taskId}.docx`);
    const { size, sha256 } = await this.store.put(objectKey, docx, { contentType: DOCX_TYPE });
    const name = `${fileNameFor(title)}.docx`;
    const file = { sessionId, runId, effectKey: taskId, name, format: 'docx', objectKey, size, sha256 };
    return { output_docx_path: objectKey, export_id: await this.exports.add(tenantId, file), bytes: size };
  }

  /** Returns the appendix if it is requested, or if a person accepted issues, which the appendix must list. */
  private async appendix(
    { source_appendix, ledger_path, acceptances = [] }: TaskInput<'convert'>,
    tenantId: string,
    language: string,
  ) {
    if (!source_appendix && acceptances.length === 0) return null;
    const ledger = await this.readLedger(ledger_path);
    if (ledger === null) return null;
    const named = await Promise.all(
      acceptances.map(async (acceptance) => ({
        ...acceptance,
        name: await this.keys.nameOf(tenantId, acceptance.by),
      })),
    );
    const { title, markdown } = coverageAppendix(ledger, named, await translatorFor(language));
    return { title, blocks: buildStructure(markdown).blocks };
  }

  private async readLedger(path: string | null): Promise<Ledger | null> {
    if (path === null) return null;
    return ledgerSchema.parse(JSON.parse(Buffer.from(await this.store.getBytes(path)).toString('utf8')));
  }
}
