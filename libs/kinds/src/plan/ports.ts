import type { ModelPort } from '#agent/ports.js';
import type { PlanCommand } from '#contracts/kinds/plan/schemas.js';
import type { NewRunEvent } from '#contracts/events.js';
import type { StoredResult } from '#tools/stored-result.js';
import type { Toolbox } from '#tools/toolbox.js';

/** A command that a client gave to the plan. */
export interface GivenCommand {
  id: string;
  command: PlanCommand;
}

/** What is learnt of a plan that ended: each tool that succeeded, and which followed which (P9). */
export interface Lesson {
  intent: string | null;
  tools: string[];
  edges: { from: string; to: string }[];
}

/** What the graph of a plan needs from outside, bound to its run. */
export interface PlanPorts {
  toolbox(): Promise<Toolbox>;
  /** The tools alone, by name: enough to check a plan. */
  tools(): Promise<Pick<Toolbox, 'tools'>>;
  /** The full result of a task. */
  result(key: string): Promise<unknown>;
  /** Keeps the result of a task that the graph did itself; the same task again keeps it in the same place. */
  keepResult(task: string, value: unknown): Promise<StoredResult>;
  /** All commands so far, in their order, those that were followed too. */
  givenCommands(): Promise<GivenCommand[]>;
  /** Takes no more commands. @returns those that were not followed, in their order; the same ones again for a repeated step */
  closeCommands(step: string, followed: string[]): Promise<GivenCommand[]>;
  /** Notes what there is to learn, once per run; a job learns it. */
  keepLesson(lesson: Lesson): Promise<void>;
  model: ModelPort;
  emit(event: NewRunEvent): void;
}
