import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { MemoryLimitError, runDespiteKills, TimeLimitError } from '#kit/runtime/work-pool.js';
import type { ComputeCall, ComputeResult } from '../tools/compute/compute.worker.js';
import { ToolCallError } from '../tools/tool.js';
import { Injectable } from '@nestjs/common';

/** URL of the module that child processes run: `compute.worker.ts`. */
const COMPUTE_WORKER = new URL('../tools/compute/compute.worker.js', import.meta.url);

/** Runs the computing tools of plans in processes with time and memory limits. */
@Injectable()
export class ComputePool {
  constructor(private readonly processes: ParsingProcesses) {}

  /** @throws ToolCallError */
  async call(tenantId: string, call: ComputeCall, limitMs: number, signal: AbortSignal): Promise<unknown> {
    let result: ComputeResult;
    try {
      const pool = this.processes.for(COMPUTE_WORKER, tenantId);
      result = await runDespiteKills<ComputeResult>(pool, call, limitMs, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof TimeLimitError)
        throw new ToolCallError('time_limit', phrase('tool_error.slow', { seconds: limitMs / 1_000 }));
      if (error instanceof MemoryLimitError)
        throw new ToolCallError('too_large', phrase('tool_error.memory'));
      throw new ToolCallError('tool_crashed', phrase('tool_error.crashed'));
    }
    if (!result.ok) throw new ToolCallError(result.code, detailOf(result));
    return result.output;
  }
}
