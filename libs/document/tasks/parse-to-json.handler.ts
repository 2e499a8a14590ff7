import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { TaskHandler, type TaskContext, type TaskHandlerOf } from '#engine/queue/task-handler.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';

/** D24: converts a manuscript to structure.json. */
@Injectable()
@TaskHandler('parse_to_json')
export class ParseToJsonHandler implements TaskHandlerOf<'parse_to_json'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
  ) {}

  async handle(
    input: TaskInput<'parse_to_json'>,
    context: TaskContext,
  ): Promise<TaskOutput<'parse_to_json'>> {
    const { tenantId, sessionId, taskId } = context;
    const markdown = await new ManuscriptStore(this.store, tenantId, sessionId).read(input.manuscript);
    const structure = await this.pool.run(context, (pool) => pool.structure(markdown, context.signal));
    const key = sessionKey(tenantId, sessionId, 'structure', `${taskId}.json`);
    await this.store.put(key, Buffer.from(JSON.stringify(structure)), { contentType: 'application/json' });
    return { structure_json_path: key };
  }
}
