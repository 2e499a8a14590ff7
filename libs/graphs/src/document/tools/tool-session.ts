import type { OutlineEntry } from '#contracts/document-state.js';
import type { DocumentPorts, ManuscriptVersion } from '../ports.js';
import type { PendingQuestion } from '../state.js';

/**
 * What one visit of the tools node works on: the manuscript's pointer moves as tools run, and what they did is
 * gathered for the state update (D22). The session is bound here, never an argument the model can set.
 */
export class ToolSession {
  readonly filesRead: string[] = [];
  outline: OutlineEntry[] | null = null;
  checkpointId: string | null = null;
  question: PendingQuestion | null = null;

  constructor(
    readonly sessionId: string,
    readonly ports: Pick<DocumentPorts, 'inputs' | 'manuscripts' | 'checkpoints' | 'emit'>,
    public manuscript: string | null,
    private readonly stepKey: string,
  ) {}

  /** The identity of an effect of the tool call at hand (X4). */
  effectKey(toolCallId: string): string {
    return `${this.stepKey}/${toolCallId}`;
  }

  moveTo(version: ManuscriptVersion): void {
    this.manuscript = version.pointer;
    this.outline = version.outline;
  }
}
