import { DEFAULT_WORD_TEMPLATE } from '#contracts/api/word-template-schemas.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { WordTemplateRepository } from '#db/repositories/word-templates.js';
import { TaskFailure, type TaskContext } from '#engine/queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, STORE } from '../runtime/infrastructure.module.js';

/** Word templates for the tasks that make Word files. */
@Injectable()
export class WordTemplates {
  private readonly templates: WordTemplateRepository;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
  ) {
    this.templates = new WordTemplateRepository(db);
  }

  /**
   * Returns the option for the template that the run names with its input `word_template`, or else for the tenant's
   * default template; no option if there is none.
   *
   * @throws TaskFailure `word_template_gone` if the named template was deleted after the start
   */
  async optionOf({ tenantId, runId }: TaskContext): Promise<{ referenceDocx?: Uint8Array }> {
    const run = await this.db.run.findFirst({ where: { id: runId, tenantId }, select: { inputs: true } });
    const { word_template: named } = (run?.inputs ?? {}) as { word_template?: string };
    const template = await this.templates.findByName(tenantId, named ?? DEFAULT_WORD_TEMPLATE);
    if (template) return { referenceDocx: await this.store.getBytes(template.objectKey) };
    if (named === undefined) return {};
    throw new TaskFailure('word_template_gone', phrase('run_error.word_template_gone', { name: named }));
  }
}
