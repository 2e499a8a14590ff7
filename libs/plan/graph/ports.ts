import type { InputGlance, NamedCollection, NamedSecret } from '../planner/prompt.js';
import type { ModelPort, RunModel } from '#kit/graph/ports.js';
import type { PlanCommand } from '../contract/values.js';
import type { NewRunEvent } from '#catalogue/events.js';
import type { StoredResult } from '../tools/stored-result.js';
import type { Written } from '../tools/graph/runs.js';
import type { JournalStore } from '../tools/platform/item-journal.js';
import type { CodeChecks } from '../tools/check/code-checks.js';
import type { SchemaChecks } from '../tools/schema/schema-checks.js';
import type { Toolbox } from '../tools/toolbox.js';

/** A command from a client. */
export interface GivenCommand {
  id: string;
  command: PlanCommand;
}

/** Lesson of an ended plan: the tools that succeeded, and which followed which (P9). */
export interface Lesson {
  intent: string | null;
  tools: string[];
  edges: { from: string; to: string }[];
}

/** Everything that the graph of a plan needs from outside, bound to its run. */
export interface PlanPorts {
  toolbox(): Promise<Toolbox>;
  /** Returns only the tools by name, which suffices to check a plan. */
  tools(): Promise<Pick<Toolbox, 'tools'>>;
  /** Returns names and hosts of the tenant's secrets, for the planner. */
  secrets(): Promise<NamedSecret[]>;
  /** Returns the tenant's collections of knowledge, newest first, for the planner. */
  collections(): Promise<NamedCollection[]>;
  /** Returns the hosts that plans made by a model may read without approval. */
  allowedHosts(): Promise<ReadonlySet<string>>;
  /** Checks by the schemas of plans and of MCP servers. */
  schemas: SchemaChecks;
  /** Checks of SQL and JSONata before a plan runs. */
  codes: CodeChecks;
  /** Returns the full result of a plan step. */
  result(key: string): Promise<unknown>;
  /** Stores the result of a plan step that the graph ran itself; a repeat stores it in the same place. */
  keepResult(task: string, value: unknown): Promise<StoredResult>;
  /** Returns the store for the finished items of a `map` that the graph itself runs in a step. */
  journal(step: string): JournalStore;
  /** Returns the results of a run that the plan started. */
  written(runId: string): Promise<Written>;
  /** Returns all commands so far in order, including executed ones. */
  givenCommands(): Promise<GivenCommand[]>;
  /**
   * Stops accepting commands.
   *
   * @returns those not executed, in order; the same ones if the step is repeated
   */
  closeCommands(step: string, followed: string[]): Promise<GivenCommand[]>;
  /** Stores the lesson, once per run; a job learns from it. */
  keepLesson(lesson: Lesson): Promise<void>;
  /** Returns whether the installation lacks a model, so that rules plan. */
  isOffline(): Promise<boolean>;
  /**
   * Returns name and size of each input file, and the first lines of those that `isRead` selects (default: all).
   */
  glance(isRead?: (name: string) => boolean): Promise<InputGlance[]>;
  model: ModelPort;
  /** Returns the names of the run's models. */
  modelLabels(): Promise<Pick<RunModel, 'label' | 'fastLabel'>>;
  emit(event: NewRunEvent): void;
}
