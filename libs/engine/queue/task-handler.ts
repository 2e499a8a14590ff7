import 'reflect-metadata';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/render.js';
import { tasksOfQueue, type TaskInput, type TaskName, type TaskOutput } from '#catalogue/tasks.js';
import type { QueueName } from '#contracts/queues.js';

/** IDs of a task and its owners, and the signal that aborts it (time-out, cancel, shutdown). */
export interface TaskContext {
  taskId: string;
  runId: string;
  tenantId: string;
  sessionId: string;
  signal: AbortSignal;
}

/** Interface of a handler class; the task catalogue defines its input and output. */
export interface TaskHandlerOf<N extends TaskName> {
  handle(input: TaskInput<N>, context: TaskContext): Promise<TaskOutput<N>>;
}

/** Permanent failure: the task fails without a retry, with this code and message. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';

  readonly phrase: Phrase | undefined;

  /** @param detail what happened, and what to do */
  constructor(
    readonly code: string,
    detail: Detail,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

const TASK_NAME = Symbol('task name');

/** Marks a class as the handler of a task of the catalogue. */
export function TaskHandler<N extends TaskName>(name: N) {
  return (target: new (...args: never[]) => TaskHandlerOf<N>): void => {
    Reflect.defineMetadata(TASK_NAME, name, target);
  };
}

export type HandlerMap = ReadonlyMap<TaskName, TaskHandlerOf<TaskName>>;

/**
 * Matches handlers with the tasks of a queue at start-up.
 *
 * @throws Error that says what to add or remove, if a task has no handler or more than one
 */
export function collectHandlers(queue: QueueName, handlers: object[]): HandlerMap {
  const expected = tasksOfQueue(queue);
  const byName = new Map<TaskName, TaskHandlerOf<TaskName>>();
  for (const handler of handlers) {
    const name = Reflect.getMetadata(TASK_NAME, handler.constructor) as TaskName | undefined;
    if (name === undefined) throw new Error(`${handler.constructor.name} has no @TaskHandler('…') decorator`);
    if (!expected.includes(name))
      throw new Error(
        `${handler.constructor.name} handles ${name}, which is not a task of the queue ${queue}`,
      );
    if (byName.has(name))
      throw new Error(`The task ${name} has two handlers; remove ${handler.constructor.name} or the other`);
    byName.set(name, handler as TaskHandlerOf<TaskName>);
  }
  const missing = expected.filter((name) => !byName.has(name));
  if (missing.length > 0) {
    throw new Error(
      `The queue ${queue} lacks handlers: add a class with @TaskHandler('${missing.join("'), @TaskHandler('")}')`,
    );
  }
  return byName;
}
