import type { OutlineEntry } from '#contracts/manuscript.js';
import { ToolError, type ManuscriptVersion } from '#kit/graph/ports.js';
import type { DocumentPorts } from '../ports.js';
import type { PendingQuestion } from '../state.js';
import type { SeenPart } from '../progress.js';
import { SourceLines } from './source-lines.js';

/** Maximum number of the agent's questions per run; beyond it, the agent must continue without asking. */
export const MAX_QUESTIONS = 20;

/**
 * Working data of one step of the tools node: the manuscript pointer, which tools move, and their effects for
 * the state update (D22). The session is bound here, so the model cannot choose it.
 */
export class ToolSession {
  /** Files read to their end, or of which some lines were placed. */
  readonly filesRead: string[] = [];
  /** Files placed up to their last line. */
  readonly filesPlaced: string[] = [];
  /** Parts of sources that were placed or read. */
  readonly seen: SeenPart[] = [];
  outline: OutlineEntry[] | null = null;
  checkpointId: string | null = null;
  question: PendingQuestion | null = null;
  title: string | null = null;
  readonly sources: SourceLines;
  /** Failed calls of the step that were to change the manuscript. */
  failedChanges = 0;
  private calls = 0;

  constructor(
    readonly sessionId: string,
    readonly ports: Pick<DocumentPorts, 'inputs' | 'manuscripts' | 'checkpoints' | 'emit'>,
    public manuscript: string | null,
    private readonly stepKey: string,
    private readonly limits: { questionsLeft?: number; hasSummary?: boolean } = {},
  ) {
    this.sources = new SourceLines(ports.inputs);
  }

  /** Whether the manuscript may begin with a summary. */
  get hasSummary(): boolean {
    return this.limits.hasSummary ?? false;
  }

  /** Counts a call; the node invokes it before each one. */
  beginCall(): void {
    this.calls += 1;
  }

  /**
   * Returns the key of the current tool call's effect (X4): by position, because servers may repeat a call's
   * id.
   */
  effectKey(): string {
    return `${this.stepKey}/${this.calls}`;
  }

  /**
   * Asks a person; merges several questions of one step.
   *
   * @throws ToolError if the run has asked the maximum number of questions
   */
  addQuestion(question: string, refs: string[]): void {
    if ((this.limits.questionsLeft ?? MAX_QUESTIONS) <= 0) {
      throw new ToolError(
        `${MAX_QUESTIONS} questions were asked in this run, which is the limit. Continue with what the sources say.`,
      );
    }
    const before = this.question;
    this.question = {
      question: before === null ? question : `${before.question}\n${question}`,
      refs: [...new Set([...(before?.refs ?? []), ...refs])],
      asked_by: 'agent',
    };
  }

  /** Replaces the manuscript by another version; null empties it. */
  moveTo(version: ManuscriptVersion | null): void {
    this.manuscript = version?.pointer ?? null;
    this.outline = version?.outline ?? [];
  }
}
