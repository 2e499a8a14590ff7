import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { OUTCOME_UNKNOWN } from '../contract/tasks.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { InvalidPlanError, resolveArguments } from '../dag/dag.js';
import {
  TaskFailure,
  TaskHandler,
  type TaskContext,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { appendEvent } from '#engine/runs/event-log.js';
import type { Engine } from '#engine/engine.js';
import { recordCall } from '#engine/tasks/task-processor.js';
import { BUSY_STRETCH, computingLimit } from '#kit/runtime/computing-limit.js';
import { ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { planItemsPrefix, sessionKey } from '#storage/session-keys.js';
import { portTools } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { callsAt, journalAt } from '../store/item-journals.js';
import { CallJournal, itemNames } from '../tools/platform/call-journal.js';
import { describedCall, withIdempotencyKey } from '../tools/platform/http-request.js';
import { callsOf, failedItems, interruptedItems, MAP, mapTool, unmappable } from '../tools/platform/map.js';
import {
  isNestedDeeper,
  MAX_RESULT_DEPTH,
  BrokenOffCallError,
  ToolCallError,
  type ToolDescription,
} from '../tools/tool.js';
import { redactDetail } from '../tools/redact.js';
import { MAX_RESULT_LENGTH, storedResult } from '../tools/stored-result.js';
import { Inject, Injectable } from '@nestjs/common';
import { ComputePool } from './compute-pool.js';
import { McpServers, type ServerResult } from '../mcp/mcp-servers.service.js';
import { ThrottledProgress, type ServerProgress } from '../mcp/throttled-progress.js';
import { SessionToolPorts } from './session-tool-ports.js';

type Output = TaskOutput<'run_tool'>;
/** Items of a `map` that a crash may repeat, in addition to those under way. */
const ITEMS_STORED_TOGETHER = 50;

/** Callable tool with its description. */
interface CallableTool {
  description: ToolDescription;
  /** Factor on the time limit on a busy machine: 1 for a tool that computes elsewhere. */
  stretch: number;
  call(input: unknown, context: TaskContext, signal: AbortSignal): Promise<unknown>;
}

/** P11: calls one tool of a plan and stores its result, unless a result is already stored. */
@Injectable()
@TaskHandler('run_tool')
export class RunToolHandler implements TaskHandlerOf<'run_tool'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly computing: ComputePool,
    private readonly sessions: SessionToolPorts,
    private readonly servers: McpServers,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  async handle(input: TaskInput<'run_tool'>, context: TaskContext): Promise<Output> {
    const key = sessionKey(context.tenantId, context.sessionId, 'results', `${context.taskId}.json`);
    const finding = this.find(input, context.tenantId);
    // Run concurrently; an unusable tool matters only if no result is stored.
    const [kept] = await Promise.all([this.read(key), finding.catch(() => undefined)]);
    if (kept !== undefined) return outputOf(input, key, kept);
    const tool = withLimit(await finding, input.timeout_ms);
    // Read before the call, so that a failure here does not count as a started call.
    const results = await this.results(input.results);
    let isSent = false;
    try {
      const args = resolveArguments(input.arguments, results, tool.description.input);
      if (!tool.description.isRepeatable && !(await recordCall(this.engine, context.taskId)))
        throw new BrokenOffCallError('worker_died', phrase('tool_error.sender_stopped'));
      isSent = true;
      const result: unknown = await this.call(tool, args, context);
      const json = JSON.stringify(result ?? null);
      if (json.length > MAX_RESULT_LENGTH)
        throw new BrokenOffCallError('too_large', phrase('tool_error.result_too_large', { max: 64 }));
      await this.store.put(key, Buffer.from(json), { contentType: 'application/json' });
      return outputOf(input, key, json);
    } catch (error) {
      context.signal.throwIfAborted();
      throw failureOf(error, tool.description, isSent);
    }
  }

  private async call(tool: CallableTool, args: unknown, context: TaskContext): Promise<unknown> {
    const { timeoutMs } = tool.description;
    const limit = computingLimit(timeoutMs, tool.stretch);
    try {
      return await tool.call(args, context, AbortSignal.any([context.signal, limit.signal]));
    } catch (error) {
      if (!limit.signal.aborted || context.signal.aborted) throw error;
      throw new BrokenOffCallError('time_limit', phrase('tool_error.slow', { seconds: timeoutMs / 1_000 }));
    } finally {
      limit.stop();
    }
  }

  private async find(
    input: TaskInput<'run_tool'>,
    tenantId: string,
    calls = callsOf(input),
  ): Promise<CallableTool> {
    const { tool: name, plan_task } = input;
    if (name === MAP) return this.ofMap(input, tenantId);
    if (name.includes('/')) return this.ofServer(name, plan_task, tenantId);
    const computing = computeTools.find(({ description }) => description.name === name);
    if (computing)
      return {
        description: computing.description,
        stretch: BUSY_STRETCH,
        call: (input, { tenantId }, signal) =>
          this.computing.call(tenantId, { tool: name, input }, computing.description.timeoutMs, signal),
      };
    const reaching = portTools.find(({ description }) => description.name === name);
    if (!reaching) throw new TaskFailure('unknown_tool', phrase('run_error.unknown_tool', { tool: name }));
    return {
      description: describedCall(reaching.description, calls),
      stretch: BUSY_STRETCH,
      call: (args, context, signal) =>
        reaching.call(args, this.sessions.of(context, signal, input.stays_on_host)),
    };
  }

  /** Returns `map` with the tool that it calls, so that an unusable tool fails the task and not each item. */
  private async ofMap(input: TaskInput<'run_tool'>, tenantId: string): Promise<CallableTool> {
    const name: unknown = input.arguments['tool'];
    const isOther = typeof name === 'string' && name !== MAP;
    const called = isOther ? await this.find({ ...input, tool: name }, tenantId, callsOf(input)) : undefined;
    const reason = unmappable(name, called?.description);
    if (!called || reason !== null)
      throw new TaskFailure(
        'invalid_arguments',
        phrase('invalid_plan.map_of_task', { problem: reason ?? '' }),
      );
    return {
      description: mapTool.description,
      stretch: BUSY_STRETCH,
      call: async (args, context, signal) => {
        const { tenantId, sessionId, runId, taskId } = context;
        const { items: list } = args as { items: unknown[] };
        const names = itemNames(called.description.name, list);
        const isOfServer = called.description.name.includes('/');
        const callItem = (name: string, itemArgs: unknown, index: number) => {
          const full = withIdempotencyKey(name, itemArgs, `${runId}/${input.plan_task}/${names[index]}`);
          // Files that the calls write are stored by task id.
          const item = isOfServer ? {} : { taskId: `${taskId}-${index}` };
          return this.call(called, full, { ...context, signal, ...item });
        };
        if (called.description.isRepeatable) {
          const prefix = sessionKey(tenantId, sessionId, 'results', `${taskId}.items/`);
          return mapTool.call(args, {
            callItem,
            journal: journalAt(this.store, prefix, ITEMS_STORED_TOGETHER),
          });
        }
        const store = callsAt(this.store, planItemsPrefix(tenantId, sessionId, runId, input.plan_task));
        const { action, items = {} } = input.outcomes ?? {};
        const calls = await CallJournal.open(store, taskId, names, (index) => items[index] ?? action);
        const isOver = () => signal.aborted && !context.signal.aborted;
        return mapTool.call(args, { callItem, calls, isOver });
      },
    };
  }

  private async ofServer(name: string, planTask: string, tenantId: string): Promise<CallableTool> {
    const found = await this.servers.find(tenantId, name);
    if (!found)
      throw new TaskFailure('unknown_tool', phrase('run_error.unknown_tool.approved', { tool: name }));
    return {
      description: found.description,
      stretch: 1,
      call: async (input, context, signal) => {
        const progressReport = this.progressOf(context, { task_id: planTask, tool: name });
        try {
          const onProgress = (progress: ServerProgress) => progressReport.hear(progress);
          const { runId } = context;
          const answer = await this.servers.call(found, input, { runId, signal, onProgress });
          const result = await this.keepFiles(answer, context, signal);
          if (isNestedDeeper(result, MAX_RESULT_DEPTH))
            throw new BrokenOffCallError(
              'too_large',
              phrase('tool_error.result_nested', { max: MAX_RESULT_DEPTH }),
            );
          return result;
        } finally {
          await progressReport.end();
        }
      },
    };
  }

  /** Makes the files in a result files of the plan, and names them in its data. */
  private async keepFiles(
    { result, files }: ServerResult,
    context: TaskContext,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (files.length === 0) return result;
    const kept = files.map(async ({ name, format, mediaType, bytes, sha256 }) => {
      // By content, because items of a `map` have the ID of their task.
      const taskId = `${context.taskId}-${sha256.slice(0, 16)}`;
      const { exportId } = await this.sessions
        .of({ ...context, taskId }, signal)
        .keepFile({ name, format, bytes });
      return { export_id: exportId, name, media_type: mediaType, bytes: bytes.length };
    });
    return { files: await Promise.all(kept), ...(result as object) };
  }

  /**
   * Creates a reporter that writes a server's progress as events of the run; a repeated call reports the same
   * progress only once.
   */
  private progressOf(
    { runId, taskId }: TaskContext,
    of: { task_id: string; tool: string },
  ): ThrottledProgress {
    return new ThrottledProgress((data) => {
      const effectKey = `task_progress/${taskId}/${String(data['progress'])}`;
      return appendEvent(
        this.engine,
        runId,
        { type: 'task_progress', data: { ...of, ...data }, effectKey },
        taskId,
      );
    });
  }

  private async results(keys: Record<string, string>): Promise<Map<string, unknown>> {
    const read = async ([task, key]: [string, string]): Promise<[string, unknown]> => [
      task,
      JSON.parse((await this.read(key)) ?? 'null'),
    ];
    return new Map(await Promise.all(Object.entries(keys).map(read)));
  }

  private async read(key: string): Promise<string | undefined> {
    try {
      return Buffer.from(await this.store.getBytes(key)).toString('utf8');
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }
}

function withLimit(tool: CallableTool, timeoutMs: number | undefined): CallableTool {
  const { description } = tool;
  if (timeoutMs === undefined || timeoutMs >= description.timeoutMs) return tool;
  return { ...tool, description: { ...description, timeoutMs } };
}

/** Returns the output of the task for a stored result. */
function outputOf({ tool }: TaskInput<'run_tool'>, key: string, json: string): Output {
  const stored = storedResult(key, json);
  if (tool !== MAP) return stored;
  const result: unknown = JSON.parse(json);
  const interrupted_items = interruptedItems(result);
  return {
    ...{ ...stored, failed_items: failedItems(result) },
    ...(interrupted_items.length > 0 && { interrupted_items }),
  };
}

/**
 * Returns a permanent failure, without secrets (P13), for a call that cannot succeed, or that may have had an
 * effect and is not repeatable.
 */
function failureOf(error: unknown, { isRepeatable, attempts }: ToolDescription, isSent: boolean): unknown {
  if (error instanceof BrokenOffCallError && !isRepeatable)
    return new TaskFailure(
      OUTCOME_UNKNOWN,
      phrase('run_error.outcome_unknown', { error: redactDetail(detailOf(error)) }),
    );
  if (error instanceof ToolCallError) return new TaskFailure(error.code, redactDetail(detailOf(error)));
  if (error instanceof InvalidPlanError)
    return new TaskFailure('invalid_arguments', redactDetail(detailOf(error)));
  if (isSent && !isRepeatable)
    return new TaskFailure(OUTCOME_UNKNOWN, phrase('run_error.outcome_unknown.interrupted'));
  if (isSent && attempts === 1)
    return new TaskFailure('tool_failed', phrase('run_error.tool_failed.interrupted'));
  return error;
}
