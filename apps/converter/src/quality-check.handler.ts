import type { TaskInput, TaskOutput } from '#contracts/tasks.js';
import { TaskHandler, type TaskContext, type TaskHandlerOf } from '#queue/task-handler.js';
import { STORE } from '#runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import { ConversionPool } from './conversion-pool.js';

/** D24, D33: reads the DOCX back with an independent reader and compares it with structure.json. */
@Injectable()
@TaskHandler('quality_check')
export class QualityCheckHandler implements TaskHandlerOf<'quality_check'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
  ) {}

  async handle(
    input: TaskInput<'quality_check'>,
    { signal }: TaskContext,
  ): Promise<TaskOutput<'quality_check'>> {
    const structure: unknown = JSON.parse(
      Buffer.from(await this.store.getBytes(input.structure_json_path)).toString('utf8'),
    );
    const docx = await this.store.getBytes(input.output_docx_path);
    const issues = await this.pool.check(structure, docx, signal);
    return { passed: issues.length === 0, issues: issues.slice(0, 100) };
  }
}
