import {
  MAX_WORD_TEMPLATE_BYTES,
  MAX_WORD_TEMPLATES,
  wordTemplateNameSchema,
  type WordTemplateReport,
} from '#contracts/api/word-template-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { WordTemplateRepository, type WordTemplate } from '#db/repositories/word-templates.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { wordTemplateKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import { computeForRequest } from '../http/compute.js';
import { FileIntake, type ArrivingFile } from '../sessions/file-intake.js';
import { QuotaService } from '../tenants/quota.service.js';

/** Reads the file of a tenant, which may be hostile, in a process. */
const REPORT = new URL('../../office/docx/write/template-report.js', import.meta.url);
const REPORT_MS = 10_000;

/** Word files whose styles, headers, footers and page setup the Word files of a tenant take. */
@Injectable()
export class WordTemplatesService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
    private readonly templates: WordTemplateRepository,
  ) {}

  list(tenantId: string): Promise<WordTemplate[]> {
    return this.templates.list(tenantId);
  }

  /**
   * Stores a Word file as a template.
   *
   * @param given name; by default that of the file
   * @throws ProblemError `invalid_request` if it is not a Word file or its name cannot be used, `file_too_large`,
   *   `too_many_word_templates`, and as `FileIntake`
   */
  async upload(tenantId: string, part: ArrivingFile, given?: string): Promise<WordTemplate> {
    await this.quota.requireStorage(tenantId, 0);
    const id = newId('wtp');
    const objectKey = wordTemplateKey(tenantId, id);
    const { name: fileName, size, sha256 } = await this.intake.storeAt(objectKey, part);
    try {
      if (size === 0) throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
      const name = wordTemplateNameSchema.safeParse(given ?? fileName.replace(/\.[^.]*$/, ''));
      if (!name.success) throw invalid('name');
      if (size > MAX_WORD_TEMPLATE_BYTES)
        throw new ProblemError(
          'file_too_large',
          phrase('file_too_large.input', { name: fileName, limit: MAX_WORD_TEMPLATE_BYTES / 1024 / 1024 }),
        );
      const report = await this.report(tenantId, objectKey);
      const template = { id, name: name.data, objectKey, size, sha256, report: { ...report } };
      const put = await this.templates.put(tenantId, template, MAX_WORD_TEMPLATES);
      if (put === null)
        throw new ProblemError(
          'too_many_word_templates',
          phrase('too_many_word_templates.max', { max: MAX_WORD_TEMPLATES }),
        );
      if (put.replaced !== null) await this.store.delete(put.replaced);
      return put.row;
    } catch (error) {
      await this.intake.drop(await this.templates.unnamed(tenantId, [{ objectKey }]));
      throw error;
    }
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    const objectKey = await this.templates.remove(tenantId, id);
    if (objectKey === null) throw new ProblemError('not_found', phrase('not_found.word_template'));
    await this.store.delete(objectKey);
  }

  private async report(tenantId: string, objectKey: string): Promise<WordTemplateReport> {
    const bytes = await this.store.getBytes(objectKey);
    const limits = { tenantId, limitMs: REPORT_MS, where: 'process' } as const;
    const report = await computeForRequest<WordTemplateReport | null>(REPORT, bytes, limits, () =>
      invalid('limits'),
    );
    if (report === null) throw invalid('file');
    return report;
  }
}

const INVALID = { file: 'is not a Word file', name: 'is not a name', limits: 'is too large to be read' };

const invalid = (what: keyof typeof INVALID) =>
  new ProblemError('invalid_request', phrase(`invalid_request.word_template_${what}`), [
    { path: what === 'name' ? 'name' : 'file', message: INVALID[what] },
  ]);
