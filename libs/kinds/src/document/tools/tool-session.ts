import type { OutlineEntry } from '#contracts/manuscript.js';
import { ToolError, type ManuscriptVersion } from '#agent/ports.js';
import type { DocumentPorts } from '../ports.js';
import type { PendingQuestion } from '../state.js';

/** Questions the agent may ask in one run; past it, it has to go on with what it has. */
export const MAX_QUESTIONS = 20;

/**
 * What one visit of the tools node works on: the manuscript's pointer moves as tools run, and what they did is
 * gathered for the state update (D22). The session is bound here, never an argument the model can set.
 */
export class ToolSession {
  readonly filesRead: string[] = [];
  outline: OutlineEntry[] | null = null;
  checkpointId: string | null = null;
  question: PendingQuestion | null = null;
  private calls = 0;

  constructor(
    readonly sessionId: string,
    readonly ports: Pick<DocumentPorts, 'inputs' | 'manuscripts' | 'checkpoints' | 'emit'>,
    public manuscript: string | null,
    private readonly stepKey: string,
    private readonly limits = { questionsLeft: MAX_QUESTIONS },
  ) {}

  /** Each call of the visit begins with this. */
  beginCall(): void {
    this.calls += 1;
  }

  /** The identity of an effect of the tool call at hand (X4): by its place, because servers may repeat a call's id. */
  effectKey(): string {
    return `${this.stepKey}/${this.calls}`;
  }

  /**
   * Puts a question to a person; several of one visit become one.
   *
   * @throws ToolError when the run has no questions left
   */
  ask(question: string, refs: string[]): void {
    if (this.limits.questionsLeft <= 0) {
      throw new ToolError(
        `${MAX_QUESTIONS} questions were asked in this run, no more are put. Go on with what the sources say.`,
      );
    }
    const before = this.question;
    this.question = {
      question: before === null ? question : `${before.question}\n${question}`,
      refs: [...new Set([...(before?.refs ?? []), ...refs])],
      asked_by: 'agent',
    };
  }

  /** Puts another version in the manuscript's place; null empties it. */
  moveTo(version: ManuscriptVersion | null): void {
    this.manuscript = version?.pointer ?? null;
    this.outline = version?.outline ?? [];
  }
}
